// SPDX-License-Identifier: Apache-2.0
// What the arguments of a kernel function are, and the arrays that they stand for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mosaic/ir.h"
#include "program/program.h"

namespace millrace::front {

// One operand of the kernel: scalar prefetch, input or output. The module does not tell inputs from outputs.
struct Operand {
  mosaic::Type type;  // of the kernel's argument: the block where there is a window
  bool prefetch = false;
  bool windowed = false;                        // the kernel sees one block at a time
  bool synchronous = false;                     // one slot
  std::vector<std::int64_t> block;              // where windowed
  std::vector<std::int64_t> pad_low, pad_high;  // of an element window; else empty
  bool element_window = false;
  const mosaic::Function* map = nullptr;  // where windowed
};

struct Signature {
  std::string name;
  std::vector<std::int64_t> grid;      // mosaic::kDynamic where the caller gives the bound
  std::vector<std::string> semantics;  // "parallel", "arbitrary", ... by axis
  std::vector<Operand> operands;
  std::vector<mosaic::Type> scratch;

  std::size_t dynamic_bounds() const;
};

// Error(kUser) where the module has no kernel or its attributes do not fit its arguments. The module must outlive it.
Signature signature_of(const mosaic::Module& module);

// The grid with its dynamic bounds filled in. Error(kUser) for a wrong number of bounds or one below 0.
std::vector<std::int64_t> bounded_grid(const Signature& signature, const std::vector<std::int64_t>& bounds);

// The smallest array whose blocks are those that the operand's map names; of an operand without a window its own
// shape. Nothing where that cannot be known without data, or where the grid has more than ten million points.
std::optional<Shape> derived_shape(const Operand& operand, const std::vector<std::int64_t>& grid);

// How such an element lies in an array; Error(kUnsupported) for elements that no array has.
DType array_dtype(mosaic::Element element, const std::string& what);

}  // namespace millrace::front
