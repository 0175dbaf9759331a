// SPDX-License-Identifier: Apache-2.0
#include "bytecode_frame.h"

#include <algorithm>
#include <array>
#include <bit>

#include "mosaic/bytecode_bytes.h"

namespace millrace::fuzz {

namespace {

using mosaic::Bytes;

constexpr std::string_view kMagic("ML\xefR\x01", 5);  // format version 0
enum Section : std::uint8_t { kStrings, kDialects, kTable, kOffsets, kOperations, kSections };

std::vector<std::string> read_strings(Bytes section) {
  std::vector<std::uint64_t> sizes(section.count("strings"));
  for (std::uint64_t& size : sizes) size = section.number();
  std::vector<std::string> strings;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const std::string_view string = section.take(sizes[i]).view();
    strings.emplace_back(string.substr(0, string.empty() ? 0 : string.size() - 1));
  }
  return strings;
}

std::vector<TableEntry> read_entries(std::uint64_t count, Bytes& offsets, Bytes& entries) {
  std::vector<TableEntry> result;
  while (result.size() < count) {
    const std::uint64_t dialect = offsets.number();
    for (std::uint64_t left = offsets.count("entries"); left > 0; --left) {
      const std::uint64_t size = offsets.number();
      result.push_back({dialect, (size & 1) != 0, std::string(entries.take(size >> 1).view())});
    }
  }
  return result;
}

BytecodeFrame read_frame(Bytes file) {
  BytecodeFrame frame;
  file.take(kMagic.size());
  while (const std::uint8_t c = file.byte()) frame.producer += static_cast<char>(c);
  std::array<std::string_view, kSections> sections;
  while (!file.empty()) {
    const std::string_view from = file.view();
    const std::uint8_t id = file.byte();
    const std::string_view inside = file.take(file.number()).view();
    if (id < kSections)
      sections[id] = inside;
    else
      frame.rest += from.substr(0, from.size() - file.left());
  }
  frame.strings = read_strings(Bytes(sections[kStrings]));
  frame.dialects = sections[kDialects];
  Bytes offsets(sections[kOffsets]), entries(sections[kTable]);
  const std::uint64_t attributes = offsets.count("attributes"), types = offsets.count("types");
  frame.attributes = read_entries(attributes, offsets, entries);
  frame.types = read_entries(types, offsets, entries);
  frame.operations = sections[kOperations];
  return frame;
}

std::string section(std::uint8_t id, const std::string& inside) {
  return std::string(1, static_cast<char>(id)) + number_bytes(inside.size()) + inside;
}

std::string strings_section(const std::vector<std::string>& strings) {
  std::string sizes = number_bytes(strings.size()), texts;
  for (std::size_t i = strings.size(); i-- > 0;) sizes += number_bytes(strings[i].size() + 1);
  for (const std::string& string : strings) texts += string + '\0';
  return sizes + texts;
}

// Neighbours of one dialect are a group.
void write_entries(const std::vector<TableEntry>& all, std::string& offsets, std::string& entries) {
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i;
    while (end < all.size() && all[end].dialect == all[i].dialect) ++end;
    offsets += number_bytes(all[i].dialect) + number_bytes(end - i);
    for (; i < end; ++i) {
      offsets += number_bytes(all[i].bytes.size() << 1 | (all[i].coded ? 1 : 0));
      entries += all[i].bytes;
    }
  }
}

}  // namespace

std::string number_bytes(std::uint64_t value) {
  const int bits = std::max(1, static_cast<int>(std::bit_width(value)));
  if (bits > 56) {
    std::string result(1, '\0');
    for (int i = 0; i < 8; ++i) result += static_cast<char>(value >> (8 * i));
    return result;
  }
  const int more = (bits - 1) / 7;
  const std::uint64_t coded = value << (more + 1) | std::uint64_t{1} << more;
  std::string result;
  for (int i = 0; i <= more; ++i) result += static_cast<char>(coded >> (8 * i));
  return result;
}

std::optional<BytecodeFrame> take_apart(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) return {};
  try {
    return read_frame(Bytes(bytes));
  } catch (const mosaic::Damage&) {
    return {};
  }
}

// In MLIR's own order.
std::string put_together(const BytecodeFrame& frame) {
  std::string offsets = number_bytes(frame.attributes.size()) + number_bytes(frame.types.size()), entries;
  write_entries(frame.attributes, offsets, entries);
  write_entries(frame.types, offsets, entries);
  return std::string(kMagic) + frame.producer + '\0' + section(kDialects, frame.dialects) + section(kOffsets, offsets) +
         section(kTable, entries) + section(kOperations, frame.operations) + frame.rest +
         section(kStrings, strings_section(frame.strings));
}

}  // namespace millrace::fuzz
