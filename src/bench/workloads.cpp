// SPDX-License-Identifier: Apache-2.0
#include "bench/workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/kernels.h"
#include "bench/native.h"

namespace millrace::bench {

namespace {

Kernel axpy_kernel(const Shape& array) {
  return kernel("axpy", {hbm(f32, array), hbm(f32, array)}, {hbm(f32, array)}, [=](Ref x, Ref y, Ref out) {
    const BlockSpec tile{{8, 128}, [](Index i, Index j) { return block(i, j); }, Buffered{2}};
    emit_pipeline(axpy_tile, {.grid = {array[0] / 8, array[1] / 128}, .in = {tile, tile}, .out = {tile}})(x, y, out);
  });
}

Array waves(const Shape& shape, double scale, double frequency) {
  Array a(f32, shape);
  for (std::int64_t i = 0; i < a.size(); ++i)
    a.as<float>()[static_cast<std::size_t>(i)] =
        static_cast<float>(scale * std::sin(frequency * static_cast<double>(i) + 0.1));
  return a;
}

std::shared_ptr<const Prepared> prepared(const Kernel& kernel, const std::vector<Array>& inputs) {
  return std::make_shared<const Prepared>(kernel, inputs);
}

const float* data(const Array& a) { return a.as<float>().data(); }

}  // namespace

Workload pipelined_axpy(std::int64_t steps) {
  const Shape shape{steps / 16 * 8, 16 * 128};
  Workload w;
  w.name = "axpy";
  w.words = "emit_pipeline of 2x + y, f32, tiles 8x128";
  w.steps = steps;
  w.flops_a_step = 2 * 8 * 128;
  w.inputs = {Array::linspace(-1, 1, element_count(shape)).reshaped(shape), Array::full(f32, shape, 0.25)};
  w.prepared = prepared(axpy_kernel(shape), w.inputs);
  w.native = [inputs = w.inputs] {
    Array out = Array::unset(f32, inputs[0].shape());
    native::axpy(data(inputs[0]), data(inputs[1]), out.as<float>().data(), out.size());
    return out;
  };
  return w;
}

Workload blocked_matmul() {
  Workload w;
  w.name = "matmul";
  w.words = "matmul 512x512x512, f32, blocks of 128";
  w.steps = 64;
  w.flops_a_step = 2.0 * 128 * 128 * 128;
  w.inputs = {waves({512, 512}, 1, 0.37), waves({512, 512}, 1, 0.53)};
  w.prepared = prepared(matmul_kernel(512, 128), w.inputs);
  w.tolerance = 1e-5;
  w.native = [inputs = w.inputs] {
    Array out(f32, {512, 512});
    native::matmul(data(inputs[0]), data(inputs[1]), out.as<float>().data(), 512);
    return out;
  };
  return w;
}

Workload flash_attention() {
  Workload w;
  w.name = "flash";
  w.words = "flash attention, 1024x1024x128, f32, blocks of 128";
  w.steps = 64;
  w.flops_a_step = 4.0 * 128 * 128 * 128;
  w.inputs = {waves({1024, 128}, 0.2, 0.37), waves({1024, 128}, 1, 0.53), waves({1024, 128}, 1, 0.71)};
  w.prepared = prepared(attention_kernel("flash", {1024, 128, 128, 128}), w.inputs);
  w.tolerance = 1e-4;
  w.native = [inputs = w.inputs] {
    Array out(f32, {1024, 128});
    native::flash(data(inputs[0]), data(inputs[1]), data(inputs[2]), out.as<float>().data(), 1024);
    return out;
  };
  return w;
}

std::vector<Workload> all_workloads() {
  return {pipelined_axpy(32), pipelined_axpy(512), pipelined_axpy(2048), blocked_matmul(), flash_attention()};
}

double distance(const Array& a, const Array& b) {
  double apart = 0, largest = 0;
  for (std::int64_t i = 0; i < b.size(); ++i) {
    const double difference = std::abs(a.flat(i) - b.flat(i));
    if (std::isnan(difference)) return INFINITY;
    apart = std::max(apart, difference);
    largest = std::max(largest, std::abs(b.flat(i)));
  }
  return apart / largest;
}

void require_agreement(const Workload& workload) {
  const Array simulated = workload.simulated(), there = workload.native();
  const bool same =
      workload.tolerance == 0 ? same_bits(simulated, there) : distance(simulated, there) <= workload.tolerance;
  if (!same)
    throw Error(ErrorCode::kInternal, fmt::format("the simulated {} and the native loop do not agree", workload.name));
}

}  // namespace millrace::bench
