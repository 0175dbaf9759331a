// SPDX-License-Identifier: Apache-2.0
// The table of element types.
#include "millrace/dtype.h"

#include <array>

namespace millrace {
namespace {

struct Entry {
  DType type;
  std::string_view name;
  std::size_t bytes;
  bool floating;
};

// In the order of the enumeration, which entry_of relies on.
constexpr std::array<Entry, 10> kEntries{{
    {DType::f32, "f32", 4, true},
    {DType::bf16, "bf16", 2, true},
    {DType::f16, "f16", 2, true},
    {DType::i8, "i8", 1, false},
    {DType::i16, "i16", 2, false},
    {DType::i32, "i32", 4, false},
    {DType::u8, "u8", 1, false},
    {DType::u16, "u16", 2, false},
    {DType::u32, "u32", 4, false},
    {DType::i1, "i1", 1, false},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kEntries.size(); ++i) {
    if (static_cast<std::size_t>(kEntries[i].type) != i) return false;
  }
  return true;
}
static_assert(in_order());

const Entry& entry_of(DType type) { return kEntries.at(static_cast<std::size_t>(type)); }

}  // namespace

std::size_t size_of(DType type) { return entry_of(type).bytes; }

std::string_view name_of(DType type) { return entry_of(type).name; }

bool is_float(DType type) { return entry_of(type).floating; }

std::optional<DType> dtype_named(std::string_view name) {
  for (const Entry& entry : kEntries) {
    if (entry.name == name) return entry.type;
  }
  return std::nullopt;
}

}  // namespace millrace
