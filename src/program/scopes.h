// SPDX-License-Identifier: Apache-2.0
// What the scopes of a kernel allocate, and what each is called: "scoped0", "scopedsem0", counted in the order of the
// module's text, whether it is used, or ever reached, or not.
#pragma once

#include <string>
#include <vector>

#include "mosaic/ir.h"

namespace millrace::program {

struct Scoped {
  mosaic::ValueId value = 0;
  bool semaphore = false;
  std::uint32_t number = 0;  // among those of its kind
};

std::vector<Scoped> scoped_of(const mosaic::Function& kernel);
std::string name_of(const Scoped& scoped);  // "scopedsem0"

}  // namespace millrace::program
