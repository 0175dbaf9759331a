// SPDX-License-Identifier: Apache-2.0
// Arrays: how they are made, and how single elements are read.
#include "millrace/array.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "array/element.h"
#include "array/shape.h"

namespace millrace {
namespace {

template <class T>
Array copy_of(DType dtype, std::span<const T> values, Shape shape) {
  if (element_count(shape) != static_cast<std::int64_t>(values.size())) {
    throw Error(ErrorCode::kUser, fmt::format("shape {} has {} elements, but {} values were given", to_string(shape),
                                              element_count(shape), values.size()));
  }
  Array result(dtype, std::move(shape));
  std::copy(values.begin(), values.end(), result.as<T>().begin());
  return result;
}

// Where the index stands in row-major order.
std::int64_t offset_of(std::span<const std::int64_t> index, const Shape& shape) {
  bool inside = index.size() == shape.size();
  std::int64_t offset = 0;
  for (std::size_t i = 0; inside && i < index.size(); ++i) {
    inside = 0 <= index[i] && index[i] < shape[i];
    if (inside) offset = offset * shape[i] + index[i];
  }
  if (inside) return offset;
  throw Error(ErrorCode::kUser, fmt::format("index {} is outside an array of shape {}",
                                            to_string(Shape(index.begin(), index.end())), to_string(shape)));
}

}  // namespace

Array::Array(DType dtype, Shape shape) : Array(Unset{}, dtype, std::move(shape)) {
  std::ranges::fill(data_, std::byte{0});
}

Array Array::unset(DType dtype, Shape shape) { return Array(Unset{}, dtype, std::move(shape)); }

Array::Array(Unset, DType dtype, Shape shape) : dtype_(dtype), shape_(std::move(shape)), count_(element_count(shape_)) {
  const auto size = static_cast<std::int64_t>(size_of(dtype));
  try {
    if (count_ > kMaxElements / size) throw std::bad_alloc();
    data_.resize(static_cast<std::size_t>(count_ * size));
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kUser, fmt::format("no memory for an array of {} {} elements, shape {}", count_,
                                              name_of(dtype), to_string(shape_)));
  }
}

Array Array::full(DType dtype, Shape shape, double value) {
  Array result(dtype, std::move(shape));
  with_element(dtype, [&]<class T>(T) { std::ranges::fill(result.as<T>(), converted<T>(value)); });
  return result;
}

Array Array::from(std::span<const float> values, Shape shape) { return copy_of(DType::f32, values, std::move(shape)); }

Array Array::from(std::span<const std::int32_t> values, Shape shape) {
  return copy_of(DType::i32, values, std::move(shape));
}

Array Array::linspace(double first, double last, std::int64_t count) {
  Array result(DType::f32, {count});
  const auto points = result.as<float>();
  const double steps = static_cast<double>(count - 1);
  for (std::int64_t i = 0; i < count; ++i) {
    const double point = i == 0 ? first : first + static_cast<double>(i) * (last - first) / steps;
    points[static_cast<std::size_t>(i)] = static_cast<float>(point);
  }
  if (count > 1) points.back() = static_cast<float>(last);
  return result;
}

double Array::at(std::span<const std::int64_t> index) const { return flat(offset_of(index, shape_)); }

double Array::flat(std::int64_t i) const {
  if (i < 0 || i >= count_) {
    throw Error(ErrorCode::kUser, fmt::format("element {} is outside an array of {} elements", i, count_));
  }
  return with_element(dtype_, [&]<class T>(T) { return converted<double>(as<T>()[static_cast<std::size_t>(i)]); });
}

bool same_bits(const Array& a, const Array& b) {
  return a.dtype_ == b.dtype_ && a.shape_ == b.shape_ && a.data_ == b.data_;
}

}  // namespace millrace
