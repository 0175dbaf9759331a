// SPDX-License-Identifier: Apache-2.0
// MLIR bytecode taken apart as far as a mutator wants it, and put together again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::fuzz {

struct TableEntry {
  std::uint64_t dialect = 0;
  bool coded = false;  // else text
  std::string bytes;
};

struct BytecodeFrame {
  std::string producer;
  std::vector<std::string> strings;
  std::string dialects;
  std::vector<TableEntry> attributes, types;
  std::string operations;
  std::string rest;  // resources, which are empty
};

// Nothing where the bytes are not of this form.
std::optional<BytecodeFrame> take_apart(std::string_view bytes);
std::string put_together(const BytecodeFrame& frame);

// A variable-length number as MLIR writes it.
std::string number_bytes(std::uint64_t value);

}  // namespace millrace::fuzz
