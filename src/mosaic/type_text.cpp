// SPDX-License-Identifier: Apache-2.0
// The table of elements and memory spaces, and types as text.
#include "mosaic/type_text.h"

#include <fmt/format.h>

#include <array>

#include "millrace/error.h"

namespace millrace::mosaic {
namespace {

struct Entry {
  Element element;
  std::string_view name;
  int bits;
  bool is_float;
};

constexpr std::array<Entry, 17> kElements{{
    {Element::kF32, "f32", 32, true},
    {Element::kBF16, "bf16", 16, true},
    {Element::kF16, "f16", 16, true},
    {Element::kF8E5M2, "f8E5M2", 8, true},
    {Element::kF8E4M3FN, "f8E4M3FN", 8, true},
    {Element::kF8E4M3B11FNUZ, "f8E4M3B11FNUZ", 8, true},
    {Element::kF64, "f64", 64, true},
    {Element::kI1, "i1", 1, false},
    {Element::kI2, "i2", 2, false},
    {Element::kI4, "i4", 4, false},
    {Element::kI8, "i8", 8, false},
    {Element::kI16, "i16", 16, false},
    {Element::kI32, "i32", 32, false},
    {Element::kI64, "i64", 64, false},
    {Element::kIndex, "index", 64, false},
    {Element::kSemaphore, "!tpu.semaphore", 0, false},
    {Element::kDmaSemaphore, "!tpu.dma_semaphore", 0, false},
}};

struct Space {
  MemorySpace space;
  std::string_view name;
};

constexpr std::array<Space, 8> kSpaces{{
    {MemorySpace::kAny, "any"},
    {MemorySpace::kVmem, "vmem"},
    {MemorySpace::kSmem, "smem"},
    {MemorySpace::kHbm, "hbm"},
    {MemorySpace::kCmem, "cmem"},
    {MemorySpace::kSemaphore, "semaphore_mem"},
    {MemorySpace::kVmemShared, "vmem_shared"},
    {MemorySpace::kHost, "host"},
}};

const Entry& entry_of(Element element) { return kElements.at(static_cast<std::size_t>(element)); }

}  // namespace

std::string_view name_of(Element element) { return entry_of(element).name; }

std::string_view name_of(MemorySpace space) {
  for (const Space& s : kSpaces) {
    if (s.space == space) return s.name;
  }
  throw Error(ErrorCode::kInternal, "a memory space outside the enumeration");
}

std::optional<MemorySpace> memory_space_named(std::string_view name) {
  for (const Space& s : kSpaces) {
    if (s.name == name) return s.space;
  }
  return std::nullopt;
}

bool is_float(Element element) { return entry_of(element).is_float; }

int bits_of(Element element) { return entry_of(element).bits; }

std::int64_t size_in_bytes(Element element) {
  const int bits = bits_of(element);
  if (bits == 0) throw Error(ErrorCode::kInternal, "semaphores have no size in bytes");
  return (bits + 7) / 8;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t size : shape) {
    if (!text.empty()) text += 'x';
    text += size == kDynamic ? "?" : std::to_string(size);
  }
  return text;
}

std::string to_string(const Type& type) {
  const std::string_view element = name_of(type.element);
  const std::string shape = shape_text(type.shape) + (type.shape.empty() ? "" : "x");
  switch (type.kind) {
    case Type::Kind::kScalar: return std::string(element);
    case Type::Kind::kVector: return fmt::format("vector<{}{}>", shape, element);
    case Type::Kind::kMemref:
      return fmt::format("memref<{}{}, #tpu.memory_space<{}>>", shape, element, name_of(type.space));
  }
  throw Error(ErrorCode::kInternal, "a type outside the enumeration");
}

}  // namespace millrace::mosaic
