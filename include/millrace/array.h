// SPDX-License-Identifier: Apache-2.0
// N-dimensional arrays in row-major order: what goes into a kernel and comes out of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "millrace/dtype.h"
#include "millrace/error.h"

namespace millrace {

using Shape = std::vector<std::int64_t>;  // empty: a scalar, one element

inline constexpr std::size_t kMaxRank = 32;  // dimensions of an array (numpy's own limit is 64)

// 1 for a scalar. Error(kUser) for more than 32 dimensions, a negative one, or more than 2^62 elements (dimensions of 0
// left out of the product).
MILLRACE_API std::int64_t element_count(const Shape& shape);
MILLRACE_API std::string to_string(const Shape& shape);  // "(17, 257)", "(5,)", "()"

namespace detail {

// Leaves fresh elements unset, and puts large arrays on large pages where the system has them.
struct MILLRACE_API ElementAllocator {
  using value_type = std::byte;
  template <class T>
  struct rebind {
    using other = ElementAllocator;  // bytes only
  };
  std::byte* allocate(std::size_t bytes);
  void deallocate(std::byte* data, std::size_t bytes);
  template <class T>
  void construct(T* element) {
    ::new (static_cast<void*>(element)) T;
  }
  friend bool operator==(const ElementAllocator&, const ElementAllocator&) { return true; }
};

}  // namespace detail

class MILLRACE_API Array {
 public:
  Array() = default;                             // f32 of shape (0,)
  Array(DType dtype, Shape shape);               // zeros; Error(kUser) for a negative or too large dimension
  static Array unset(DType dtype, Shape shape);  // elements hold anything: for who writes them all at once
  static Array full(DType dtype, Shape shape, double value);             // the value converted as by `cast`
  static Array from(std::span<const float> values, Shape shape);         // f32
  static Array from(std::span<const std::int32_t> values, Shape shape);  // i32
  // `count` points from first to last, both included, computed in double as first + i * (last - first) / (count - 1)
  // and rounded once; f32. One point is `first`.
  static Array linspace(double first, double last, std::int64_t count);

  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  std::int64_t size() const { return count_; }  // elements
  std::size_t bytes() const { return data_.size(); }
  std::byte* data() { return data_.data(); }
  const std::byte* data() const { return data_.data(); }
  template <class T>
  std::span<T> as() {  // T must have the element's size
    return {reinterpret_cast<T*>(data_.data()), data_.size() / sizeof(T)};
  }
  template <class T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(data_.data()), data_.size() / sizeof(T)};
  }

  double at(std::span<const std::int64_t> index) const;  // as double; Error(kUser) outside the array
  double at(std::initializer_list<std::int64_t> index) const { return at(std::span(index.begin(), index.size())); }
  double flat(std::int64_t i) const;  // the i-th element in row-major order, as double; Error(kUser) outside

  Array reshaped(Shape shape) const;  // same elements; Error(kUser) where the counts differ
  // To a float type: one rounding to nearest even. Float to integer: toward zero, saturating, NaN gives 0. Integer to
  // integer: modulo 2^bits. To i1: whether it is not 0.
  Array cast(DType dtype) const;
  // Pads at the high end of each dimension with zeros up to `shape`, or cuts down to it. Error(kUser) where the ranks
  // differ or a dimension would have to go the other way.
  Array padded(const Shape& shape) const;
  Array cropped(const Shape& shape) const;

  // Same dtype, shape and bits (so NaN equals the same NaN, and +0 differs from -0).
  friend MILLRACE_API bool same_bits(const Array& a, const Array& b);

 private:
  struct Unset {};
  Array(Unset, DType dtype, Shape shape);

  DType dtype_ = DType::f32;
  Shape shape_{0};
  std::int64_t count_ = 0;
  std::vector<std::byte, detail::ElementAllocator> data_;
};

MILLRACE_API bool same_bits(const Array& a, const Array& b);

// NumPy's file format, versions 1 to 3. Reading takes little-endian and single-byte types in C order: f4, f2, i1, i2,
// i4, u1, u2, u4, b1. numpy has no bfloat16: such arrays are stored as u2 and read with `as` = bf16 (also accepted:
// the raw 2-byte void type 'V2' that ml_dtypes writes). Where `as` is given, a file of any other type is refused.
// Every other file is refused with a sentence that says why; every error is Error(kUser) and opens with the name.
MILLRACE_API Array read_npy(const std::filesystem::path& path, std::optional<DType> as = {});
MILLRACE_API Array parse_npy(std::span<const std::byte> file, const std::string& name, std::optional<DType> as = {});
// Writes format 1.0 (whose header has room for every shape), to a temporary name beside `path` that is then renamed: a
// failure is Error(kUser) and leaves what was there. bf16 is stored as u2.
MILLRACE_API void write_npy(const std::filesystem::path& path, const Array& array);

}  // namespace millrace
