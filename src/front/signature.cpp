// SPDX-License-Identifier: Apache-2.0
#include "front/signature.h"

#include <fmt/format.h>

#include <algorithm>

#include "front/index_map.h"
#include "millrace/error.h"

namespace millrace::front {

namespace {

// Operations and results of an index map, at all points: little time, of many operands, too.
constexpr std::int64_t kMostWork = std::int64_t{1} << 23;

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::kUser, what); }

std::size_t count_in(const mosaic::Function& kernel, std::string_view name, std::size_t most) {
  const std::int64_t* n = mosaic::as_integer(kernel.find(name));
  if (!n) return 0;
  if (*n < 0 || static_cast<std::uint64_t>(*n) > most)
    refuse(fmt::format("the kernel has {} arguments that can be {}; it says {}", most, name, *n));
  return static_cast<std::size_t>(*n);
}

void read_window(Operand& operand, const mosaic::DictionaryAttr& params, const mosaic::Module& module) {
  const auto* bounds = mosaic::as_integers(params.find("window_bounds"));
  if (!bounds) return;
  operand.windowed = true;
  operand.block = *bounds;
  if (const auto* a = params.find("transform_indices"))
    if (const auto* symbol = std::get_if<mosaic::SymbolAttr>(&a->value)) operand.map = module.find(symbol->name);
  const auto* mode = mosaic::as_dialect(params.find("pipeline_mode"));
  operand.synchronous = mode && !mode->keywords.empty() && mode->keywords[0] == "synchronous";
  if (const auto* kind = mosaic::as_dialect(params.find("window_kind"))) {
    operand.element_window = true;
    if (kind->lists.size() == 2) operand.pad_low = kind->lists[0], operand.pad_high = kind->lists[1];
  }
}

}  // namespace

std::size_t Signature::dynamic_bounds() const {
  return static_cast<std::size_t>(std::count(grid.begin(), grid.end(), mosaic::kDynamic));
}

Signature signature_of(const mosaic::Module& module) {
  const mosaic::Function* kernel = module.kernel();
  if (!kernel) refuse("the module has no kernel: no function is named main or marked by tpu.core_type");
  Signature s;
  s.name = module.name.empty() ? kernel->name : module.name;
  if (const auto* bounds = mosaic::as_integers(kernel->find("iteration_bounds"))) s.grid = *bounds;
  if (const auto* a = kernel->find("dimension_semantics"))
    if (const auto* list = std::get_if<mosaic::ArrayAttr>(&a->value))
      for (const mosaic::Attribute& value : list->values)
        if (const auto* word = mosaic::as_dialect(&value); word && !word->keywords.empty())
          s.semantics.push_back(word->keywords[0]);
  const auto& arguments = kernel->body.arguments;
  if (arguments.size() < s.grid.size()) refuse("the kernel has fewer arguments than its grid has axes");
  const std::size_t rest = arguments.size() - s.grid.size();
  const std::size_t scratch = count_in(*kernel, "scratch_operands", rest);
  const std::size_t prefetch = count_in(*kernel, "scalar_prefetch", rest - scratch);
  const mosaic::ArrayAttr* params = nullptr;
  if (const auto* a = kernel->find("window_params")) params = std::get_if<mosaic::ArrayAttr>(&a->value);
  for (std::size_t i = 0; i < rest; ++i) {
    const mosaic::Type& type = kernel->values[arguments[s.grid.size() + i]];
    if (i >= rest - scratch) {
      s.scratch.push_back(type);
      continue;
    }
    Operand operand;
    operand.type = type, operand.prefetch = i < prefetch;
    if (params && i >= prefetch && i - prefetch < params->values.size())
      if (const auto* d = std::get_if<mosaic::DictionaryAttr>(&params->values[i - prefetch].value))
        read_window(operand, *d, module);
    s.operands.push_back(std::move(operand));
  }
  return s;
}

std::vector<std::int64_t> bounded_grid(const Signature& signature, const std::vector<std::int64_t>& bounds) {
  if (bounds.size() != signature.dynamic_bounds())
    refuse(fmt::format("the grid has {} dynamic bounds, but {} were given (--grid-bound N, once for each)",
                       signature.dynamic_bounds(), bounds.size()));
  std::vector<std::int64_t> grid = signature.grid;
  std::size_t next = 0;
  for (std::int64_t& bound : grid)
    if (bound == mosaic::kDynamic) bound = bounds[next++];
  for (std::int64_t bound : grid)
    if (bound < 0) refuse(fmt::format("a grid bound of {}; bounds are 0 or more", bound));
  return grid;
}

std::optional<Shape> derived_shape(const Operand& operand, const std::vector<std::int64_t>& grid) {
  if (!operand.windowed) return operand.type.shape;
  if (!operand.map) return {};
  const std::size_t rank = operand.block.size();
  const auto most_points = kMostWork / static_cast<std::int64_t>(operand.map->body.ops.size() + rank + 1);
  std::int64_t points = 1;
  for (std::int64_t bound : grid) {
    if (bound == 0) return {};
    if (points > most_points / bound) return {};
    points *= bound;
  }
  std::vector<std::int64_t> point(grid.size(), 0), block, largest(rank, 0);
  IndexMap map(*operand.map);
  for (std::int64_t n = 0; n < points; ++n) {
    if (!map.evaluate(point, block) || block.size() != rank) return {};
    for (std::size_t d = 0; d < rank; ++d) largest[d] = std::max(largest[d], block[d]);
    for (std::size_t d = grid.size(); d-- > 0;) {
      if (++point[d] < grid[d]) break;
      point[d] = 0;
    }
  }
  Shape shape(rank);
  for (std::size_t d = 0; d < rank; ++d) {
    if (operand.element_window) {
      if (__builtin_add_overflow(largest[d], operand.block[d], &shape[d])) return {};
      if (d < operand.pad_low.size()) shape[d] -= operand.pad_low[d];
      if (d < operand.pad_high.size()) shape[d] -= operand.pad_high[d];
    } else {
      if (__builtin_mul_overflow(largest[d] + 1, operand.block[d], &shape[d])) return {};
    }
    if (shape[d] < 0) return {};
  }
  return shape;
}

DType array_dtype(mosaic::Element element, const std::string& what) {
  using mosaic::Element;
  switch (element) {
    case Element::kF32: return DType::f32;
    case Element::kBF16: return DType::bf16;
    case Element::kF16: return DType::f16;
    case Element::kI4:  // a byte each
    case Element::kI8: return DType::i8;
    case Element::kF8E5M2:  // their bits
    case Element::kF8E4M3FN:
    case Element::kF8E4M3B11FNUZ: return DType::u8;
    case Element::kI16: return DType::i16;
    case Element::kI32: return DType::i32;
    default: break;
  }
  throw Error(
      ErrorCode::kUnsupported,
      fmt::format("{} has the type {}; arrays of f32, bf16, f16, f8 and integers of 4, 8, 16 and 32 bits are supported",
                  what, mosaic::to_string(mosaic::Type::scalar(element))));
}

}  // namespace millrace::front
