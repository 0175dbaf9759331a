// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "bytecode_frame.h"
#include "mutate.h"
#include "words.h"

namespace millrace::fuzz {

namespace {

void change_string(BytecodeFrame& frame, const BytecodeFrame& other, Random& random) {
  if (frame.strings.empty() || other.strings.empty()) return;
  std::string& string = frame.strings[random.below(frame.strings.size())];
  switch (random.below(4)) {
    case 0: string = random.of(frame.strings); break;
    case 1: string = random.of(other.strings); break;
    case 2: string = "stable_mosaic." + std::string(random.of(operation_words())); break;
    default: string = mutate_bytes(string, random.of(other.strings), random);
  }
}

// Most numbers of a module take one byte, whose lowest bit is set.
void change_number(std::string& bytes, Random& random) {
  if (bytes.empty()) return;
  const std::size_t at = random.below(bytes.size());
  switch (random.below(4)) {
    case 0: bytes[at] = static_cast<char>(bytes[at] + 2); break;
    case 1: bytes[at] = static_cast<char>(bytes[at] - 2); break;
    case 2: bytes[at] = static_cast<char>(random.below(40) * 2 + 1); break;
    default: std::swap(bytes[at], bytes[random.below(bytes.size())]);
  }
}

void change_entry(std::vector<TableEntry>& entries, const std::vector<TableEntry>& others, bool type, Random& random) {
  if (entries.empty() || others.empty()) return;
  TableEntry& entry = entries[random.below(entries.size())];
  switch (random.below(7)) {
    case 0: entry = entries[random.below(entries.size())]; break;
    case 1: entry = others[random.below(others.size())]; break;
    case 2:
      entry.coded = false, entry.bytes = std::string(random.of(type ? type_words() : attribute_words())) + '\0';
      break;
    case 3: entry.coded ? change_number(entry.bytes, random) : void(entry.bytes = random.of(others).bytes); break;
    case 4:
      if (entry.coded) entry.bytes = number_bytes(random.below(24)) + entry.bytes.substr(!entry.bytes.empty());
      break;
    case 5: std::swap(entry, entries[random.below(entries.size())]); break;
    default:
      entry.bytes =
          entry.coded ? mutate_bytes(entry.bytes, entry.bytes, random) : mutate_text(entry.bytes, entry.bytes, random);
  }
}

void change_operations(BytecodeFrame& frame, const BytecodeFrame& other, Random& random) {
  std::string& bytes = frame.operations;
  if (bytes.empty() || other.operations.empty()) return;
  const std::size_t at = random.below(bytes.size());
  switch (random.below(10)) {
    case 0: bytes.replace(at, 1, number_bytes(random.bits() >> random.below(64))); break;
    case 1: bytes.insert(at, bytes.substr(random.below(bytes.size()), 1 + random.below(24))); break;
    case 2: bytes = mutate_bytes(bytes, other.operations, random); break;
    default: change_number(bytes, random);
  }
}

void splice(BytecodeFrame& frame, const BytecodeFrame& other, Random& random) {
  switch (random.below(6)) {
    case 0: frame.strings = other.strings; break;
    case 1: frame.attributes = other.attributes; break;
    case 2: frame.types = other.types; break;
    case 3: frame.operations = other.operations; break;
    case 4: frame.dialects = mutate_bytes(frame.dialects, other.dialects, random); break;
    default:
      frame.attributes.insert(
          frame.attributes.begin() + static_cast<std::ptrdiff_t>(random.below(frame.attributes.size() + 1)),
          other.attributes.begin(), other.attributes.end());
  }
}

}  // namespace

std::string mutate_bytecode(std::string_view bytes, std::string_view other, Random& random) {
  auto frame = take_apart(bytes);
  if (!frame || random.one_in(16)) return mutate_bytes(bytes, other, random);
  const auto parsed = take_apart(other);
  const BytecodeFrame donor = parsed ? *parsed : *frame;
  for (std::size_t changes = 1 + random.below(2) * random.below(3); changes > 0; --changes) {
    switch (random.below(20)) {
      case 0: splice(*frame, donor, random); break;
      case 1:
      case 2:
      case 3: change_string(*frame, donor, random); break;
      case 4:
      case 5:
      case 6:
      case 7: change_entry(frame->types, donor.types, true, random); break;
      case 8:
      case 9:
      case 10:
      case 11: change_operations(*frame, donor, random); break;
      default: change_entry(frame->attributes, donor.attributes, false, random);
    }
  }
  return put_together(*frame);
}

std::string mutate_module(std::string_view bytes, std::string_view other, Random& random) {
  if (random.one_in(3)) return mutate_tree(bytes, random);
  return bytes.starts_with("ML\xefR") ? mutate_bytecode(bytes, other, random) : mutate_text(bytes, other, random);
}

}  // namespace millrace::fuzz
