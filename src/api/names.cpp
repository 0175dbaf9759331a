// SPDX-License-Identifier: Apache-2.0
#include "api/names.h"

#include <set>

namespace millrace::api {

namespace {

void rename(std::string& name, const Names& names) {
  if (const auto found = names.find(name); found != names.end()) name = found->second;
}

// A window has the name of its operand, so that names stand twice; they clash where two become one.
bool tell_apart(const program::Program& program, const Names& names) {
  std::set<std::string> before, after;
  const auto add = [&](std::string name) {
    before.insert(name);
    rename(name, names);
    after.insert(std::move(name));
  };
  for (const program::MemorySlot& memory : program.memories) add(memory.name);
  for (const program::Window& window : program.windows) add(window.name);
  return before.size() == after.size() && !after.contains("");
}

}  // namespace

bool rename(program::Program& program, const Names& names) {
  if (names.empty() || !tell_apart(program, names)) return false;
  for (program::MemorySlot& memory : program.memories) rename(memory.name, names);
  for (program::Window& window : program.windows) rename(window.name, names);
  return true;
}

}  // namespace millrace::api
