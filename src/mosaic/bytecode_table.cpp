// SPDX-License-Identifier: Apache-2.0
// Entries of MLIR's builtin dialect are coded, each after a pattern; all others are text.
#include "mosaic/bytecode_table.h"

#include <algorithm>
#include <array>
#include <optional>

#include "mosaic/nesting.h"

namespace millrace::mosaic {
namespace {

constexpr int kMaxReferenceDepth = 256;
constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 62;

// What follows the code of an entry. A: attribute, T: type, L and M: lists of these, N: a list of pairs of attributes,
// V: number, W: a list of them, Z: a list of signed ones (a shape), B: bytes, R: the rest. Null: not read.
constexpr std::array<const char*, 23> kAttributePatterns{"L",     "N",   "V",  "VT",    "A",     "AL",    "T",  "",
                                                         "TR",    "TR",  "AA", "AVV",   "L",     "LA",    "AA", "",
                                                         nullptr, "TVB", "TB", nullptr, nullptr, nullptr, "AW"};
constexpr std::array<const char*, 21> kTypePatterns{"V",    "", "MM", "",    "",  "",  "",   "",  "",   "T",    "ZTA",
                                                    "AZTA", "", "ZT", "AZT", "M", "T", "AT", "T", "ZT", nullptr};

enum TypeCode {
  kInteger = 0,
  kIndexType = 1,
  kBFloat16 = 3,
  kFloat16 = 4,
  kFloat32 = 5,
  kFloat64 = 6,
  kVectorType = 19
};
enum AttributeCode { kIntegerValue = 8, kFloatValue = 9, kDenseArray = 17, kDenseElements = 18 };

struct Entry {
  std::string_view text;                // of an entry that is not coded; of a number the bytes of its value
  std::optional<std::uint64_t> code;    // of the builtin dialect's
  std::vector<std::size_t> references;  // to attributes by number, to types behind them
  std::vector<std::int64_t> shape;
  std::vector<std::uint64_t> numbers;
  std::uint64_t bytes = 0;
};

class Table {
 public:
  Table(const std::vector<std::string>& dialects, Bytes offsets, Bytes entries)
      : dialects_(dialects), offsets_(offsets), entries_(entries) {}

  void run() {
    attributes_ = offsets_.count("attributes");
    types_ = offsets_.count("types");
    read_half(attributes_, true);
    read_half(types_, false);
    check_circles();
    for (std::size_t i = 0; i < attributes_; ++i) check_constant(table_[i]);
    for (std::size_t i = attributes_; i < table_.size(); ++i) check_type(table_[i]);
  }

 private:
  void read_half(std::uint64_t left, bool attributes) {
    while (left > 0) {
      const std::uint64_t dialect = offsets_.number(), group = offsets_.count("entries");
      if (dialect >= dialects_.size()) throw Damage{"an attribute or type of no dialect"};
      if (group == 0 || group > left) throw Damage{fmt::format("a group of {} entries where {} are left", group, left)};
      for (std::uint64_t i = 0; i < group; ++i) {
        const std::uint64_t size = offsets_.number();
        const Bytes bytes = entries_.take(size >> 1);
        table_.push_back((size & 1) != 0 ? coded(bytes, dialects_[dialect], attributes) : text(bytes));
      }
      left -= group;
    }
  }

  static Entry text(Bytes bytes) {
    check_text_nesting(bytes.view(), "the text of an attribute or type");
    Entry entry;
    entry.text = bytes.view();
    return entry;
  }

  Entry coded(Bytes bytes, const std::string& dialect, bool attribute) const {
    if (dialect != "builtin") throw Damage{fmt::format("coded entries of the dialect {}", dialect)};
    Entry entry;
    entry.code = bytes.number();
    const std::size_t known = attribute ? kAttributePatterns.size() : kTypePatterns.size();
    const char* pattern = *entry.code >= known ? nullptr
                          : attribute          ? kAttributePatterns[*entry.code]
                                               : kTypePatterns[*entry.code];
    if (pattern == nullptr)
      throw Damage{fmt::format("{} of kind {}", attribute ? "an attribute" : "a type", *entry.code)};
    for (; *pattern != '\0'; ++pattern) read_part(*pattern, bytes, entry);
    if (!bytes.empty()) throw Damage{"an attribute or type is longer than it should be"};
    return entry;
  }

  void read_part(char part, Bytes& bytes, Entry& entry) const {
    switch (part) {
      case 'A': return refer(bytes, attributes_, 0, entry);
      case 'T': return refer(bytes, types_, attributes_, entry);
      case 'L':
      case 'N':
        for (std::uint64_t n = bytes.count("attributes") * (part == 'N' ? 2 : 1); n > 0; --n)
          read_part('A', bytes, entry);
        return;
      case 'M':
        for (std::uint64_t n = bytes.count("types"); n > 0; --n) read_part('T', bytes, entry);
        return;
      case 'V': entry.numbers.push_back(bytes.number()); return;
      case 'W': bytes.skip_numbers(bytes.count("numbers")); return;
      case 'Z':
        for (std::uint64_t n = bytes.count("dimensions"); n > 0; --n) entry.shape.push_back(bytes.signed_number());
        return;
      case 'B':
        entry.bytes = bytes.number();
        bytes.take(entry.bytes);
        return;
      default: entry.text = bytes.take(bytes.left()).view(); return;
    }
  }

  static void refer(Bytes& bytes, std::uint64_t size, std::size_t base, Entry& entry) {
    const std::uint64_t index = bytes.number();
    if (index >= size) throw Damage{"an attribute or type refers past its table"};
    entry.references.push_back(base + index);
  }

  // Depth first, without recursion: what is being visited must not be met again.
  void check_circles() const {
    enum class State : std::uint8_t { kNew, kOpen, kDone };
    std::vector<State> states(table_.size(), State::kNew);
    std::vector<std::pair<std::size_t, std::size_t>> path;  // entry, and the next of its references
    for (std::size_t root = 0; root < table_.size(); ++root) {
      if (states[root] != State::kNew) continue;
      path.emplace_back(root, 0);
      states[root] = State::kOpen;
      while (!path.empty()) {
        auto& [at, next] = path.back();
        if (next == table_[at].references.size()) {
          states[at] = State::kDone;
          path.pop_back();
          continue;
        }
        const std::size_t to = table_[at].references[next++];
        if (states[to] == State::kOpen) throw Damage{"attributes refer to each other in a circle"};
        if (states[to] == State::kDone) continue;
        if (path.size() >= kMaxReferenceDepth)
          throw Damage{fmt::format("attributes nest deeper than {}", kMaxReferenceDepth)};
        states[to] = State::kOpen;
        path.emplace_back(to, 0);
      }
    }
  }

  // Bits of an element; text types are floats of 8 bits, or no elements at all, which MLIR finds out.
  std::uint64_t bits_of(const Entry& type) const {
    if (!type.code) return 8;
    switch (*type.code) {
      case kInteger: return type.numbers.front() >> 2;
      case kIndexType:
      case kFloat64: return 64;
      case kBFloat16:
      case kFloat16: return 16;
      case kFloat32: return 32;
      default: throw Damage{"a constant of a type that has none"};
    }
  }

  void check_type(const Entry& type) const {
    if (type.code && *type.code == kInteger && type.numbers.front() >> 2 > 128)
      throw Damage{"an integer type of many bits"};
    std::uint64_t count = 1;
    for (const std::int64_t size : type.shape) {
      const bool vector = *type.code == kVectorType;
      if (size < vector && (vector || size != std::numeric_limits<std::int64_t>::min()))
        throw Damage{"a negative dimension"};
      if (size <= 0) continue;
      if (count > kMaxElements / static_cast<std::uint64_t>(size)) throw Damage{"a type of more than 2^62 elements"};
      count *= static_cast<std::uint64_t>(size);
    }
  }

  static bool is_integer(const Entry& type) { return type.code == kInteger || type.code == kIndexType; }

  // Floats of 8 bits and less are text.
  static bool is_float(const Entry& type) {
    return type.code ? *type.code >= kBFloat16 && *type.code <= kFloat64 : type.text.starts_with("f8E");
  }

  // The value takes one byte up to 8 bits, and is one variable-length number up to 64.
  void check_number(const Entry& entry, const Entry& type) const {
    const bool fits = *entry.code == kIntegerValue ? is_integer(type) : is_float(type);
    if (!fits || bits_of(type) > 64) throw Damage{"a number of a type that has none"};
    Bytes value(entry.text);
    if (bits_of(type) <= 8) {
      value.byte();
    } else {
      value.number();
    }
    if (!value.empty()) throw Damage{"a number is longer than its type"};
  }

  void check_constant(const Entry& entry) const {
    if (!entry.code || entry.references.empty()) return;
    const Entry& type = table_[entry.references.front()];
    if (*entry.code == kIntegerValue || *entry.code == kFloatValue) return check_number(entry, type);
    if (*entry.code != kDenseArray && *entry.code != kDenseElements) return;
    check_type(type);
    if (*entry.code == kDenseArray) {
      if (type.code == kIndexType) throw Damage{"an array of index values, which have no width"};
      const std::uint64_t size = (bits_of(type) + 7) / 8, count = entry.numbers.front();
      if (size == 0 || entry.bytes % size != 0 || entry.bytes / size != count)
        throw Damage{"an array of another length than stated"};
      return;
    }
    if (!type.code || *type.code != kVectorType) throw Damage{"a constant that is no vector"};
    const std::uint64_t bits = bits_of(table_[type.references.front()]), size = (bits + 7) / 8;
    std::uint64_t count = 1;
    for (const std::int64_t dimension : type.shape) count *= static_cast<std::uint64_t>(dimension);
    const bool whole = size != 0 && entry.bytes % size == 0 && (entry.bytes == size || entry.bytes / size == count);
    const bool packed = bits == 1 && entry.bytes == (count + 7) / 8;
    if (!whole && !packed) throw Damage{fmt::format("a constant of {} elements holds {} bytes", count, entry.bytes)};
  }

  const std::vector<std::string>& dialects_;
  Bytes offsets_, entries_;
  std::uint64_t attributes_ = 0, types_ = 0;
  std::vector<Entry> table_;
};

}  // namespace

void check_bytecode_table(const std::vector<std::string>& dialects, Bytes offsets, Bytes entries) {
  Table(dialects, offsets, entries).run();
}

}  // namespace millrace::mosaic
