// SPDX-License-Identifier: Apache-2.0
// What a plugin gives is given back to it, on every way out.
#pragma once

#include <utility>

#include "target/tpu/plugin.h"

namespace millrace::target {

// A thing of the plugin's that is destroyed with this object.
template <class Thing, class Destroy, pjrt::Slot kSlot>
class Owned {
 public:
  Owned(const Plugin& plugin, Thing* thing) : plugin_(&plugin), thing_(thing) {}
  ~Owned() {
    if (!thing_) return;
    Destroy arguments{{}, thing_};
    plugin_->release(kSlot, arguments);
  }
  Owned(Owned&& other) noexcept : plugin_(other.plugin_), thing_(std::exchange(other.thing_, nullptr)) {}
  Owned& operator=(Owned&&) = delete;
  Thing* get() const { return thing_; }

 private:
  const Plugin* plugin_;
  Thing* thing_;
};

}  // namespace millrace::target
