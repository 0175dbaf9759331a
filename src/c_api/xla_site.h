// SPDX-License-Identifier: Apache-2.0
// A call of a kernel in a program that XLA has compiled: which module, how it is run, who calls it. Read once, called
// often.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "c_api/ledger.h"
#include "c_api/module.h"

namespace millrace::c_api {

struct XlaSite {
  Caller caller;
  std::int64_t call = 0;      // tells the calls of one program apart
  std::int64_t devices = 1;   // of the mesh
  bool together = false;      // the devices speak with each other, or are told apart: one simulation for all of them
  std::optional<bool> raise;  // else as the settings say
  std::shared_ptr<Module> module;   // null where it cannot be read
  std::optional<Error> unreadable;  // then why
};

// `meta`: {"options": of the module, "call": {"id", "kernel", "kernel_at", "called_at", "devices", "together",
// "on_finding", "asks_for_races"}}. Error(kInternal) where it is something else: it was written by the other end of
// this very bridge.
std::shared_ptr<const XlaSite> xla_site(std::string_view module, std::string_view meta);

}  // namespace millrace::c_api
