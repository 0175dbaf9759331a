// SPDX-License-Identifier: Apache-2.0
// A PJRT plugin in this process: loaded, its version and the size of its table checked, its errors made into values.
// Only a worker's process loads one (child.h): a plugin may end the process that it is in.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "target/tpu/pjrt_abi.h"

namespace millrace::target {

// What a plugin says when it does not do what it is asked: absl's status code and its words.
struct PjrtFault {
  std::int32_t code = 0;
  std::string message;
};

class Plugin {
 public:
  // dlopen, GetPjrtApi, version and table. Throws Error(kUser) for a file that is no plugin, Error(kUnsupported) for
  // an interface that is not spoken here.
  explicit Plugin(const std::string& path);

  std::int32_t minor() const { return api_->version.minor; }
  std::size_t table_bytes() const { return api_->head.size; }

  // The fault, or nothing where the call did what it should.
  template <class Arguments>
  std::optional<PjrtFault> call(pjrt::Slot slot, Arguments& arguments) const {
    arguments.head = {sizeof(Arguments), nullptr};
    using Function = pjrt::Error* (*)(Arguments*);
    return taken(reinterpret_cast<Function>(function(slot))(&arguments));
  }
  // For what gives nothing back.
  template <class Arguments>
  void release(pjrt::Slot slot, Arguments& arguments) const {
    static_cast<void>(call(slot, arguments));
  }

  std::optional<PjrtFault> initialise() const;
  std::map<std::string, std::string> attributes() const;     // "stablehlo_current_version": "1,14,0"
  std::optional<PjrtFault> await(pjrt::Event* event) const;  // and destroys it

 private:
  void* function(pjrt::Slot slot) const;
  std::optional<PjrtFault> taken(pjrt::Error* error) const;

  const pjrt::Api* api_ = nullptr;
};

}  // namespace millrace::target
