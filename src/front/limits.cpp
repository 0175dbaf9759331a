// SPDX-License-Identifier: Apache-2.0
#include "front/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "mosaic/io.h"
#include "program/lower.h"

namespace millrace::front {

namespace {

constexpr std::string_view kOpening = R"(# Limits

This page is written by `millrace inspect --limits`; a test holds it against the code. What is listed here ends with
exit code 3 and a sentence that names the thing and its place; never with a wrong number.

## Not supported

* `--target cpu` for several cores that read the count of a semaphore. `--target tpu` without a TPU (docs/tpu.md), and
  there for several cores or devices, dynamic grids, bools and 4-bit integers. The layouts of v2 and v3.
* Devices and cores that run different kernels; the cores that a TPU has beside its TensorCores. (Several devices and
  cores that run one kernel are there: S4.3 of semantics.md.)
* Arrays of f64, of 64-bit and of 2-bit integers at the border of a kernel; what arithmetic leaves out stands in N16 of
  semantics.md.
* StableHLO around a kernel: `run` takes one kernel out of such a text, with the arrays of its call.
* Writing serde versions other than 9.
* Values of more than 2^26 elements, `tpu.repeat` of more than 4,096 times, `vector.extract` at position -1.
)";

constexpr std::string_view kClosing = R"(
## Where numbers may differ from a TPU's

The clauses N of semantics.md state every rounding. Transcendentals are within their stated bounds of the exact value,
which is not bit for bit what a TPU gives; products of f32 matrices without a precision round their operands to bf16 and
sum in a fixed order; a TPU sums in another.

## What is assumed of the hardware

The clauses S: DMAs in granules of 32 bytes (S3.2), reads before writes within one DMA (S3.1), tiles in HBM (S2.7), two
slots a window (S5.1). Nothing is timed: `millrace view` shows modeled time
(timing.md says by which formulas), and no figure of Millrace is a measurement of a TPU. `--target cpu` measures this
machine's CPU, which says nothing of a TPU.
)";

std::string listed(const std::vector<std::string>& names) {
  std::map<std::string, std::vector<std::string>> by_dialect;
  for (const std::string& name : names)
    by_dialect[name.substr(0, name.find('.'))].push_back(name.substr(name.find('.') + 1));
  std::string text;
  for (const auto& [dialect, ops] : by_dialect) {
    std::string line = fmt::format("* `{}`:", dialect);
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const std::string word = fmt::format(" {}{}", ops[i], i + 1 < ops.size() ? "," : "");
      if (line.size() - (line.rfind('\n') == line.npos ? 0 : line.rfind('\n')) + word.size() > 118) line += "\n ";
      line += word;
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string limits_page() {
  std::vector<std::string> missing;
  for (const std::string& name : mosaic::operation_names())
    if (!program::is_supported(name) && name != "func.func") missing.push_back(name);
  return std::string(kOpening) +
         "\n## Operations that run\n\nNot each in every form: what is missing is named where it is met.\n\n" +
         listed(program::operations()) + "\n## Operations that are read and verified, but do not run\n\n" +
         listed(missing) + std::string(kClosing);
}

}  // namespace millrace::front
