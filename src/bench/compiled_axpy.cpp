// SPDX-License-Identifier: Apache-2.0
#include "bench/compiled_axpy.h"

#include "lab/on_tpu.h"
#include "millrace/error.h"
#include "target/tpu/compile.h"

namespace millrace::bench {

Pairing compiled_axpy(const std::string& worker) {
  constexpr int kPairs = 5, kRepeat = 4;
  const plan::Extent matrix{1024, 2048};
  const target::Tensor tensor{mosaic::Element::kF32, {matrix.rows, matrix.columns}};
  const target::KernelCall call{"axpy", lab::axpy_module({}, DType::f32, matrix), {tensor, tensor}, {tensor}};
  target::CompileRequest request{target::find_libtpu(""), "v5e", call, {worker, 600}};
  std::vector<double> first, next, ratio;
  for (int i = 0; i <= kPairs; ++i) {
    request.repeat = 1;
    const target::Compiled alone = target::compile(request);
    request.repeat = kRepeat;
    const target::Compiled several = target::compile(request);
    if (alone.verdict != target::Verdict::kAccepted || several.compile_seconds.size() != kRepeat)
      throw Error(ErrorCode::kInternal, "the TPU compiler does not take the kernel: " + alone.diagnosis.reason);
    if (i == 0) continue;  // the library comes from the disk once
    first.push_back(1000 * alone.seconds);
    next.push_back(1000 * spread_of({several.compile_seconds.begin() + 1, several.compile_seconds.end()}).median);
    ratio.push_back(next.back() / first.back());
  }
  Pairing p;
  p.name = "libtpu/next-to-first";
  p.candidate = "the TPU compiler's next answer, in the same process (on the wall)";
  p.baseline = "its first answer, of a process of its own (on the wall)";
  p.warm_ups = 1, p.pairs = kPairs;
  p.candidate_ms = spread_of(next), p.baseline_ms = spread_of(first), p.ratio = spread_of(ratio);
  p.unit = "answer";
  return p;
}

}  // namespace millrace::bench
