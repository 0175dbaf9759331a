// SPDX-License-Identifier: Apache-2.0
// A Mosaic module as plain data: what the kernel language writes and the program is lowered from. MLIR stays behind
// io.h; whoever only looks at a module, or builds one, needs nothing but this page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace millrace::mosaic {

// Element types as MLIR has them: integers carry no sign.
enum class Element : std::uint8_t {
  kF32,
  kBF16,
  kF16,
  kF8E5M2,
  kF8E4M3FN,
  kF8E4M3B11FNUZ,
  kF64,
  kI1,
  kI2,
  kI4,
  kI8,
  kI16,
  kI32,
  kI64,
  kIndex,
  kSemaphore,
  kDmaSemaphore,
};

enum class MemorySpace : std::int8_t {
  kAny = -1,
  kVmem = 0,
  kSmem = 1,
  kHbm = 2,
  kCmem = 3,
  kSemaphore = 4,
  kVmemShared = 5,
  kHost = 6
};

inline constexpr std::int64_t kDynamic = std::numeric_limits<std::int64_t>::min();  // a `?` dimension

struct Type {
  enum class Kind : std::uint8_t { kScalar, kVector, kMemref };
  Kind kind = Kind::kScalar;
  Element element = Element::kI32;
  MemorySpace space = MemorySpace::kAny;  // memrefs only
  std::vector<std::int64_t> shape;        // vectors and memrefs; a rank-0 memref has none

  static Type scalar(Element e) { return {Kind::kScalar, e, MemorySpace::kAny, {}}; }
  static Type vector(Element e, std::vector<std::int64_t> s) {
    return {Kind::kVector, e, MemorySpace::kAny, std::move(s)};
  }
  static Type memref(Element e, std::vector<std::int64_t> s, MemorySpace m) {
    return {Kind::kMemref, e, m, std::move(s)};
  }
  friend bool operator==(const Type&, const Type&) = default;
};

std::string to_string(const Type& type);  // as MLIR prints it: "memref<8x128xf32, #tpu.memory_space<vmem>>"

struct Attribute;
struct NamedAttribute;
using AttributeList = std::vector<NamedAttribute>;  // sorted by name

// i1 ... i64, index. `is_signed` is for the few attributes that MLIR types si32 rather than i32: tpu.dynamic_rotate's
// dimension, stride and stride_dimension.
struct IntegerAttr {
  std::int64_t value;
  Element element;
  bool is_signed = false;
};
struct FloatAttr {
  std::uint64_t bits;  // of its own width
  Element element;
};
struct StringAttr {
  std::string value;
};
struct SymbolAttr {
  std::string name;  // transform_0, without its @
};
// array<i32: ...>, array<i64: ...>, array<i1: ...>
struct DenseArrayAttr {
  std::vector<std::int64_t> values;
  Element element;
};
// A constant vector: raw little-endian elements of size_in_bytes(element) each (i1 and i4: one byte an element),
// or a single one where `splat`.
struct DenseElementsAttr {
  Type type;
  bool splat;
  std::vector<std::byte> data;
};
struct TypeAttr {
  Type type;
};
struct ArrayAttr {
  std::vector<Attribute> values;
};
struct DictionaryAttr {
  AttributeList entries;

  const Attribute* find(std::string_view name) const;
};
struct UnitAttr {};
// A `#dialect.mnemonic<...>` attribute: keywords and integer lists in the order in which they are written.
//   #tpu.memory_space<vmem>                      {"tpu", "memory_space", {"vmem"}, {}}
//   #tpu.element_window<[0, 0], [8, 0]>          {"tpu", "element_window", {}, {{0, 0}, {8, 0}}}
//   #tpu.dot_dimension_numbers<[1],[0],...>      {"tpu", "dot_dimension_numbers", {}, {{1}, {0}, ...}}
//   #vector.kind<add>                            {"vector", "kind", {"add"}, {}}
struct DialectAttr {
  std::string dialect, mnemonic;
  std::vector<std::string> keywords;
  std::vector<std::vector<std::int64_t>> lists;
};

struct Attribute {
  std::variant<UnitAttr, IntegerAttr, FloatAttr, StringAttr, SymbolAttr, DenseArrayAttr, DenseElementsAttr, TypeAttr,
               ArrayAttr, DictionaryAttr, DialectAttr>
      value;
};

struct NamedAttribute {
  std::string first;  // its name
  Attribute second;
};

bool operator==(const Attribute& a, const Attribute& b);
bool operator==(const NamedAttribute& a, const NamedAttribute& b);

using ValueId = std::uint32_t;     // an SSA value of one function: index into Function::values
using LocationId = std::uint32_t;  // index into Module::locations; 0 is "unknown"

// Where an operation comes from. An emit_pipeline of JAX leaves only a scope name.
struct Location {
  std::string scope;  // "ep_copy_in/dma_start", or empty
  std::string file;   // or empty
  int line = 0, column = 0;
  friend bool operator==(const Location&, const Location&) = default;
};

std::string to_string(const Location& location);  // "ep_copy_in/dma_start at axpy.py:15"; what it has of both

struct Op;

// One block; every region of a Mosaic module has exactly one.
struct Region {
  std::vector<ValueId> arguments;
  std::vector<Op> ops;  // the last one is the terminator
};

struct Op {
  std::string name;  // "arith.addi", "tpu.enqueue_dma": never with the stable_mosaic prefix
  std::vector<ValueId> operands;
  std::vector<ValueId> results;
  AttributeList attributes;  // operandSegmentSizes and the like included; sorted by name
  std::vector<Region> regions;
  LocationId location = 0;

  const Attribute* find(std::string_view attribute) const;
};

struct Function {
  std::string name;
  std::vector<Type> values;   // the type of every SSA value
  Region body;                // arguments are the function's
  std::vector<Type> results;  // transforms return i32s; kernels nothing
  AttributeList attributes;   // dimension_semantics, iteration_bounds, window_params, ...; not sym_name
  LocationId location = 0;

  const Attribute* find(std::string_view attribute) const;
};

struct Module {
  std::string name;  // sym_name, or empty
  std::vector<Function> functions;
  std::vector<Location> locations{Location{}};

  const Function* find(std::string_view function) const;
  // The function marked by tpu.core_type = tc, else `main`, else null.
  const Function* kernel() const;
};

// The same names, types, operations and attributes, value for value; locations may differ where `locations` is false.
bool same(const Module& a, const Module& b, bool locations = true);

std::int64_t size_in_bytes(
    Element element);  // of one element in DenseElementsAttr::data; Error(kInternal) for semaphores

// Shorthands for reading attributes: null where absent or of another kind.
const std::int64_t* as_integer(const Attribute* a);
const std::string* as_string(const Attribute* a);
const std::vector<std::int64_t>* as_integers(const Attribute* a);  // dense arrays
const DialectAttr* as_dialect(const Attribute* a);

}  // namespace millrace::mosaic
