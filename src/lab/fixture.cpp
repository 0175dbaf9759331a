// SPDX-License-Identifier: Apache-2.0
#include "lab/fixture.h"

#include <vector>

namespace millrace::lab {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014): one addition and a mixing of bits a number.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed) {}

  double uniform() {  // in [0, 1), 53 bits
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
  }

  float normal() {
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return static_cast<float>(sum - 6.0);
  }

 private:
  std::uint64_t state_;
};

Array random_matrix(std::int64_t rows, std::int64_t columns, DType dtype, Generator& generator) {
  std::vector<float> values(static_cast<std::size_t>(rows * columns));
  for (float& value : values) value = generator.normal();
  return Array::from(std::span<const float>(values), {rows, columns}).cast(dtype);
}

}  // namespace

Pair lesson_pair(DType dtype) {
  const Shape shape{17, 257};
  return {Array::linspace(-1, 1, element_count(shape)).reshaped(shape).cast(dtype), Array::full(dtype, shape, 0.25)};
}

Pair one_tile_pair() {
  Array x(DType::f32, {8, 128});
  float next = 0;
  for (float& value : x.as<float>()) value = next++ / 100.0f;
  return {x, Array::full(DType::f32, x.shape(), 1)};
}

Pair random_pair(std::int64_t rows, std::int64_t columns, DType dtype, std::uint64_t seed) {
  Generator generator(seed);
  Array x = random_matrix(rows, columns, dtype, generator);
  return {std::move(x), random_matrix(rows, columns, dtype, generator)};
}

}  // namespace millrace::lab
