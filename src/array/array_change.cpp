// SPDX-License-Identifier: Apache-2.0
// Arrays made of other arrays: another shape, another element type, more or fewer elements at the high ends.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "array/element.h"
#include "millrace/array.h"

namespace millrace {
namespace {

// Copies the box [0, extent) of `from` into `to`, a contiguous row at a time. All three ranks are equal.
void copy_box(const Array& from, Array& to, const Shape& extent) {
  if (element_count(extent) == 0) return;
  const std::size_t element = size_of(from.dtype());
  const std::size_t rank = extent.size();
  const std::size_t row = rank == 0 ? element : static_cast<std::size_t>(extent.back()) * element;
  Shape index(rank == 0 ? 0 : rank - 1, 0);  // of the row
  while (true) {
    std::size_t source = 0, target = 0;
    for (std::size_t i = 0; i < rank; ++i) {
      const auto step = static_cast<std::size_t>(i < index.size() ? index[i] : 0);
      source = source * static_cast<std::size_t>(from.shape()[i]) + step;
      target = target * static_cast<std::size_t>(to.shape()[i]) + step;
    }
    std::memcpy(to.data() + target * element, from.data() + source * element, row);
    std::size_t i = index.size();
    while (i > 0 && ++index[i - 1] == extent[i - 1]) index[--i] = 0;
    if (i == 0) return;
  }
}

[[noreturn]] void refuse(const char* what, const Array& array, const Shape& shape) {
  throw Error(ErrorCode::kUser,
              fmt::format("shape {} cannot be {} shape {}", to_string(array.shape()), what, to_string(shape)));
}

}  // namespace

Array Array::reshaped(Shape shape) const {
  const std::int64_t count = element_count(shape);
  if (count != count_) {
    throw Error(ErrorCode::kUser, fmt::format("shape {} has {} elements and cannot become {}, which has {}",
                                              to_string(shape_), count_, to_string(shape), count));
  }
  Array result = *this;
  result.shape_ = std::move(shape);
  return result;
}

Array Array::cast(DType dtype) const {
  if (dtype == dtype_) return *this;
  Array result(dtype, shape_);
  with_element(dtype_, [&]<class From>(From) {
    with_element(dtype, [&]<class To>(To) {
      std::ranges::transform(as<From>(), result.as<To>().begin(), [](From x) { return converted<To>(x); });
    });
  });
  return result;
}

Array Array::padded(const Shape& shape) const {
  const bool legal = std::ranges::equal(shape, shape_, [](auto to, auto from) { return to >= from; });
  if (!legal) refuse("padded to", *this, shape);
  Array result(dtype_, shape);
  copy_box(*this, result, shape_);
  return result;
}

Array Array::cropped(const Shape& shape) const {
  const bool legal = std::ranges::equal(shape, shape_, [](auto to, auto from) { return to <= from; });
  if (!legal) refuse("cropped to", *this, shape);
  Array result(dtype_, shape);
  copy_box(*this, result, shape);
  return result;
}

}  // namespace millrace
