// SPDX-License-Identifier: Apache-2.0
// Prints the event streams of a few kernels under every kind of schedule. A run is a pure function of the kernel, the
// inputs and the schedule, so two prints are equal byte for byte: from two processes, and from two compilers.
#include <cstdio>
#include <string>
#include <vector>

#include "api/simulate.h"
#include "dsl/trace.h"
#include "event/stream_text.h"
#include "lab/axpy.h"
#include "millrace/millrace.h"

namespace millrace {
namespace {

void softmax_rows(Ref x, Ref out) {
  const Value e = exp(x.load() - max(x.load(), over(1)));
  out.store(e / sum(e, over(1)));
}

Kernel softmax() {
  const BlockSpec rows{{8, 128}, [](Index i) { return block(i, 0); }};
  return grid_kernel("softmax", softmax_rows, {.grid = {4}, .in = {rows}, .out = {rows}});
}

// Two slots by hand: loads run ahead of the computation.
void scale_by_hand(Ref x, Ref out) {
  scoped(vmem(f32, {2, 8, 128}), dma_semaphores(2), [&](Ref buffer, Semaphores arrived) {
    auto load = [&](Index i) { return make_async_copy(x.rows(8 * i, 8), buffer[i % 2], arrived[i % 2]); };
    load(0).start();
    for_range(0, 4, [&](Index i) {
      when(i + 1 < 4, [&] { load(i + 1).start(); });
      load(i).wait();
      buffer[i % 2].store(2.0f * buffer[i % 2].load());
      sync_copy(buffer[i % 2], out.rows(8 * i, 8));
    });
  });
}

Kernel scale() { return kernel("scale", {hbm(f32, {32, 128})}, {hbm(f32, {32, 128})}, scale_by_hand); }

struct Scene {
  std::string name;
  Kernel kernel;
  std::vector<Array> inputs;
};

std::vector<Scene> scenes() {
  const lab::Extent padded{24, 384};
  const Array x = Array::linspace(-1, 1, 24 * 384).reshaped({24, 384});
  const Array y = Array::full(f32, {24, 384}, 0.25);
  const Array rows = Array::linspace(-3, 5, 32 * 128).reshaped({32, 128});
  std::vector<Scene> all = {{"softmax", softmax(), {rows}},
                            {"scale by hand", scale(), {rows}},
                            {"blocked axpy", lab::blocked_axpy(f32, padded, {8, 128}), {x, y}}};
  for (int slots : {2, 3}) {
    for (bool synchronous : {false, true}) {
      lab::Configuration c;
      c.input_slots = slots;
      c.synchronous = synchronous;
      all.push_back({lab::describe(c), lab::pipelined_axpy(f32, padded, c), {x, y}});
    }
  }
  return all;
}

// Every byte of an array as two hexadecimal digits, so that a difference shows where it is.
std::string hexadecimal(const Array& array) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < array.bytes(); ++i) {
    const auto byte = static_cast<unsigned>(array.data()[i]);
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text;
}

void print(const Scene& scene, const std::string& schedule) {
  std::vector<dsl::Operand> operands;
  for (const Array& a : scene.inputs) operands.push_back({a.dtype(), a.shape()});
  const dsl::Traced traced = dsl::trace(scene.kernel, operands);
  std::vector<program::OperandSpec> outputs;
  for (const dsl::Operand& o : traced.outputs) outputs.push_back({o.dtype, o.shape});

  event::StreamText stream;
  RunOptions options;
  options.schedule = schedule;
  const api::Simulation simulation = api::simulate(*traced.module, scene.inputs, outputs, options, {&stream});
  std::printf("== %s, %s\n%s", scene.name.c_str(), schedule.c_str(), stream.text().c_str());
  for (const Array& a : simulation.outcome.outputs) std::printf("output %s\n", hexadecimal(a).c_str());
}

}  // namespace
}  // namespace millrace

int main() {
  try {
    for (const millrace::Scene& scene : millrace::scenes()) {
      for (const char* schedule : {"canonical", "eager", "lazy", "random:1", "random:2"}) print(scene, schedule);
    }
  } catch (const millrace::Error& error) {
    std::fprintf(stderr, "streams: %s\n", error.what());
    return 1;
  }
  return 0;
}
