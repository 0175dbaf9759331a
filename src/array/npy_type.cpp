// SPDX-License-Identifier: Apache-2.0
// Which of numpy's element types are read, and for every other a sentence that says what it is and what to do.
#include "array/npy_type.h"

#include <fmt/format.h>

#include <array>

#include "array/npy_dict.h"
#include "millrace/error.h"

namespace millrace {
namespace {

struct Known {
  DType type;
  std::string_view descr;
  std::string_view convert;  // what saves x as this type
};

constexpr std::array<Known, 10> kKnown{{
    {DType::f32, "<f4", "x.astype('float32')"},
    {DType::f16, "<f2", "x.astype('float16')"},
    {DType::i8, "|i1", "x.astype('int8')"},
    {DType::i16, "<i2", "x.astype('int16')"},
    {DType::i32, "<i4", "x.astype('int32')"},
    {DType::u8, "|u1", "x.astype('uint8')"},
    {DType::u16, "<u2", "x.astype('uint16')"},
    {DType::u32, "<u4", "x.astype('uint32')"},
    {DType::i1, "|b1", "x.astype('bool')"},
    {DType::bf16, "<u2", "x.astype(ml_dtypes.bfloat16).view('uint16')"},  // last: u2 by itself is u16
}};

struct Foreign {
  std::string_view kind;  // of a descr without its byte order: this, or begun by this where it ends in '*'
  std::string_view what;
  std::string_view convert;
};

constexpr std::array<Foreign, 15> kForeign{{
    {"f8", "float64 elements", "x.astype('float32')"},
    {"f*", "extended-precision elements", "x.astype('float32')"},
    {"i8", "int64 elements", "x.astype('int32')"},
    {"u8", "uint64 elements", "x.astype('uint32')"},
    {"c8", "complex64 elements", "x.real.astype('float32')"},
    {"c16", "complex128 elements", "x.real.astype('float32')"},
    {"c*", "complex elements", "x.real.astype('float32')"},
    {"O*", "Python objects", "x.astype('float32')"},
    {"U*", "strings", "x.astype('float32')"},
    {"S*", "byte strings", "x.astype('float32')"},
    {"a*", "byte strings", "x.astype('float32')"},
    {"M*", "dates", "x.astype('int64').astype('int32')"},
    {"m*", "time differences", "x.astype('int64').astype('int32')"},
    {"V1", "raw 1-byte elements (as float8 types are saved)", "x.astype('float32')"},
    {"V*", "raw bytes", "a view or field of x that is of a number type"},
}};

bool matches(std::string_view kind, std::string_view pattern) {
  if (!pattern.ends_with('*')) return kind == pattern;
  return kind.starts_with(pattern.substr(0, pattern.size() - 1));
}

const Known& known(DType type) {
  for (const Known& entry : kKnown) {
    if (entry.type == type) return entry;
  }
  throw Error(ErrorCode::kInternal, "an element type outside the enumeration");
}

[[noreturn]] void refuse(const std::string& name, const std::string& predicate) {
  throw Error(ErrorCode::kUser, fmt::format("{} {}", name, predicate));
}

void refuse_foreign(std::string_view kind, const std::string& descr, const std::string& name) {
  for (const Foreign& foreign : kForeign) {
    if (!matches(kind, foreign.kind)) continue;
    refuse(name, fmt::format("holds {} ('{}'), which are not read: save {}", foreign.what, printable(descr),
                             foreign.convert));
  }
}

// The type that a descr names by itself.
DType plain_type(const std::string& descr, const std::string& name) {
  const bool ordered = !descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
  const char order = ordered ? descr[0] : '=';
  const std::string_view kind = std::string_view(descr).substr(ordered ? 1 : 0);
  for (const Known& entry : kKnown) {
    if (kind != entry.descr.substr(1)) continue;
    const bool one_byte = size_of(entry.type) == 1;
    if (order == '<' || one_byte) return entry.type;
    if (order == '>') {
      refuse(name, fmt::format("is big-endian ('{}'); little-endian is read: save {}", descr, entry.convert));
    }
    refuse(name,
           fmt::format("has the element type '{}', which leaves the byte order open: save {}", descr, entry.convert));
  }
  refuse_foreign(kind, descr, name);
  refuse(name,
         fmt::format("has the element type '{}', which is unknown here: save x.astype('float32')", printable(descr)));
}

}  // namespace

DType npy_type(const std::string& descr, std::optional<DType> as, const std::string& name) {
  if (descr == "|V2" || descr == "<V2") {
    if (as == DType::bf16) return DType::bf16;
    if (!as) {
      refuse(name, fmt::format("holds raw 2-byte elements ('{}'), as bfloat16 arrays are saved: read it as bf16, or "
                               "save x.astype('float32')",
                               descr));
    }
  }
  const DType type = plain_type(descr, name);
  if (!as || *as == type) return type;
  if (*as == DType::bf16 && type == DType::u16) return DType::bf16;
  refuse(name, fmt::format("holds {} ('{}') where {} is asked for: save {}", name_of(type), descr, name_of(*as),
                           known(*as).convert));
}

std::string_view npy_descr(DType type) { return known(type).descr; }

}  // namespace millrace
