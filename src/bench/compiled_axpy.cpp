// SPDX-License-Identifier: Apache-2.0
#include "bench/compiled_axpy.h"

#include <fmt/format.h>

#include "lab/on_tpu.h"
#include "millrace/error.h"
#include "plan/chip.h"
#include "target/tpu/compile.h"

namespace millrace::bench {

namespace {

constexpr int kPairs = 5, kRepeat = 4;

target::CompileRequest request_of(const std::string& worker) {
  const plan::Extent matrix{1024, 2048};
  const target::Tensor tensor{mosaic::Element::kF32, {matrix.rows, matrix.columns}};
  const target::KernelCall call{"axpy", lab::axpy_module({}, DType::f32, matrix), {tensor, tensor}, {tensor}};
  return {target::find_libtpu(""), "v5e", call, {worker, 600}};
}

target::Compiled answer(const target::CompileRequest& request) {
  target::Compiled compiled = target::compile(request);
  if (compiled.verdict != target::Verdict::kAccepted)
    throw Error(ErrorCode::kInternal, fmt::format("the TPU compiler does not take the kernel for {}: {}", request.chip,
                                                  compiled.diagnosis.reason));
  return compiled;
}

Pairing pairing(const std::string& name, const std::vector<double>& candidate, const std::vector<double>& baseline) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < candidate.size(); ++i) ratios.push_back(candidate[i] / baseline[i]);
  Pairing p;
  p.name = name, p.unit = "answer";
  p.warm_ups = 1, p.pairs = kPairs;
  p.candidate_ms = spread_of(candidate), p.baseline_ms = spread_of(baseline), p.ratio = spread_of(ratios);
  return p;
}

}  // namespace

std::vector<Pairing> compiled_axpy(const std::string& worker) {
  target::CompileRequest request = request_of(worker);
  std::vector<double> first, next, all;
  for (int i = 0; i <= kPairs; ++i) {
    request.chip = "v5e", request.repeat = 1;
    const double alone = 1000 * answer(request).seconds;
    request.repeat = kRepeat;
    const std::vector<double> several = answer(request).compile_seconds;
    if (several.size() != kRepeat) throw Error(ErrorCode::kInternal, "the TPU compiler did not answer each time");
    request.repeat = 1;
    double sum = 0;
    for (const plan::Chip& chip : plan::chips()) {
      request.chip = std::string(chip.name);
      sum += 1000 * answer(request).seconds;
    }
    if (i == 0) continue;  // the library comes from the disk once
    first.push_back(alone), all.push_back(sum);
    next.push_back(1000 * spread_of({several.begin() + 1, several.end()}).median);
  }
  Pairing one = pairing("libtpu/next-to-first", next, first);
  one.candidate = "the TPU compiler's next answer, in the same process (on the wall)";
  one.baseline = "its first answer, of a process of its own (on the wall)";
  Pairing chips = pairing("libtpu/all-chips", all, first);
  chips.candidate =
      fmt::format("its answers for all {} chips, one after the other (on the wall)", plan::chips().size());
  chips.baseline = one.baseline;
  return {one, chips};
}

}  // namespace millrace::bench
