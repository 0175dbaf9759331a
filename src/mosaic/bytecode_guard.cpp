// SPDX-License-Identifier: Apache-2.0
// Follows the format that MLIR documents: a header, sections, variable-length numbers. Strings are MLIR's to check,
// types and attributes bytecode_table.cpp's.
#include "mosaic/bytecode_guard.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <vector>

#include "millrace/error.h"
#include "mosaic/bytecode_table.h"
#include "mosaic/nesting.h"

namespace millrace::mosaic {
namespace {

constexpr std::string_view kMagic("ML\xefR");

enum SectionId : std::uint8_t {
  kStrings,
  kDialects,
  kAttributesAndTypes,
  kOffsets,
  kOperations,
  kResources,
  kResourceOffsets
};
constexpr std::size_t kSections = 5;  // which a file must have; resources may follow, if there are none

// What an operation has beside its name and location.
enum Part : std::uint8_t { kAttributes = 1, kResults = 2, kOperands = 4, kSuccessors = 8, kRegions = 16 };

struct OpenRegion {
  std::uint64_t blocks;          // not yet begun
  std::uint64_t operations = 0;  // of this block, not yet read
};

class OperationWalk {
 public:
  explicit OperationWalk(Bytes bytes) : bytes_(bytes) {}

  void run() {
    stack_.push_back({1});
    while (!stack_.empty()) {
      if (stack_.back().operations > 0) {
        --stack_.back().operations;
        operation();
      } else if (stack_.back().blocks > 0) {
        --stack_.back().blocks;
        block();
      } else {
        stack_.pop_back();
        open_next_region();
      }
    }
    if (!bytes_.empty()) throw Damage{"bytes follow the last operation"};
  }

 private:
  void block() {
    const std::uint64_t header = bytes_.number();
    stack_.back().operations = header >> 1;
    if (stack_.back().operations > bytes_.left()) throw Damage{"a block states more operations than the file holds"};
    if ((header & 1) == 0) return;
    if (stack_.size() == 1) throw Damage{"the file's own block has arguments"};
    bytes_.skip_numbers(2 * bytes_.count("block arguments"));
  }

  void operation() {
    bytes_.number();  // name
    const std::uint8_t parts = bytes_.byte();
    if (parts >= 2 * kRegions) throw Damage{"an operation has parts that its format version does not know"};
    bytes_.number();  // location
    if ((parts & kAttributes) != 0) bytes_.number();
    for (const auto& [part, what] :
         {std::pair(kResults, "results"), {kOperands, "operands"}, {kSuccessors, "successors"}}) {
      if ((parts & part) != 0) bytes_.skip_numbers(bytes_.count(what));
    }
    if ((parts & kRegions) == 0) return;
    const std::uint64_t regions = bytes_.number() >> 1;
    if (regions > bytes_.left()) throw Damage{fmt::format("an operation states {} regions", regions)};
    pending_.push_back(regions);
    if (pending_.size() > kMaxRegionDepth + 2)
      throw Damage{fmt::format("regions nest deeper than {}", kMaxRegionDepth)};
    open_next_region();
  }

  // Of the operations that are open, the innermost goes on with its next region, or ends.
  void open_next_region() {
    if (pending_.empty()) return;
    if (pending_.back() == 0) {
      pending_.pop_back();
      return;
    }
    --pending_.back();
    const std::uint64_t blocks = bytes_.count("blocks");
    if (blocks > 0) bytes_.count("values");
    stack_.push_back({blocks});
  }

  Bytes bytes_;
  std::vector<OpenRegion> stack_;
  std::vector<std::uint64_t> pending_;  // regions still to come, an entry for each operation that is open
};

std::vector<std::string> read_strings(Bytes section) {
  const std::uint64_t count = section.count("strings");
  std::vector<std::uint64_t> sizes;  // each with its closing zero, the last string's first
  for (std::uint64_t i = 0; i < count; ++i) sizes.push_back(section.number());
  std::vector<std::string> result;
  while (!sizes.empty()) {
    const Bytes string = section.take(sizes.back());
    if (string.empty()) throw Damage{"a string without its end"};
    result.emplace_back(string.view().substr(0, string.left() - 1));
    sizes.pop_back();
  }
  return result;
}

std::vector<std::string> read_dialects(Bytes section, const std::vector<std::string>& strings) {
  std::vector<std::string> result;
  for (std::uint64_t left = section.count("dialects"); left > 0; --left) {
    const std::uint64_t name = section.number();
    if (name >= strings.size()) throw Damage{"a dialect without a name"};
    result.push_back(strings[name]);
  }
  return result;
}

void check_header(Bytes& file) {
  file.take(kMagic.size());
  const std::uint64_t version = file.number();
  if (version != 0) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("bytecode of format version {}; version 0 is read, which JAX writes "
                            "(and mlir-opt with --emit-bytecode-version=0)",
                            version));
  }
  while (file.byte() != 0) {  // who made it
  }
}

void check(Bytes file) {
  check_header(file);
  std::array<std::optional<Bytes>, kSections> sections;
  while (!file.empty()) {
    const std::uint8_t id = file.byte();
    const std::uint64_t length = file.number();
    Bytes section = file.take(length);
    if (id == kResources && length == 0) continue;
    if (id == kResourceOffsets && section.left() == 1 && section.number() == 0) continue;
    if (id >= kSections)
      throw Error(ErrorCode::kUnsupported, fmt::format("bytecode with a section {} is not read", id));
    if (sections[id]) throw Damage{"a section stands twice"};
    sections[id] = section;
  }
  for (const auto& section : sections) {
    if (!section) throw Damage{"a section is missing"};
  }
  const auto dialects = read_dialects(*sections[kDialects], read_strings(*sections[kStrings]));
  check_bytecode_table(dialects, *sections[kOffsets], *sections[kAttributesAndTypes]);
  OperationWalk(*sections[kOperations]).run();
}

}  // namespace

bool is_bytecode(std::string_view bytes) { return bytes.starts_with(kMagic); }

void check_bytecode(std::string_view bytes, const std::string& name) {
  try {
    check(Bytes(bytes));
  } catch (const Damage& damage) {
    throw Error(ErrorCode::kUser, fmt::format("{}: the bytecode is damaged: {}", name, damage.what));
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", name, error.what()));
  }
}

}  // namespace millrace::mosaic
