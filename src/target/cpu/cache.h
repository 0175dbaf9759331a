// SPDX-License-Identifier: Apache-2.0
// Compiled kernels, kept: in memory as long as the process lives, and as objects on disk under
// $XDG_CACHE_HOME/millrace (else ~/.cache/millrace). MILLRACE_CACHE=off leaves the disk alone. A file is written whole
// or not at all, and one that is damaged counts as none.
#pragma once

#include <memory>
#include <string>

#include "target/cpu/code.h"

namespace millrace::cpu {

// Of all that the machine code depends on.
std::string key_of(const std::string& module, const std::string& cpu);

std::shared_ptr<const Code> cached_code(const std::string& key);  // null: not there
std::shared_ptr<const Code> keep(const std::string& key, std::shared_ptr<const Code> code);
std::string cached_object(const std::string& key);  // empty: not there, or damaged
void store_object(const std::string& key, const std::string& object);

}  // namespace millrace::cpu
