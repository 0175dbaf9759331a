// SPDX-License-Identifier: Apache-2.0
#include "target/tpu/receipt.h"

#include <fmt/format.h>

#include "array/sha256.h"
#include "millrace/error.h"

namespace millrace::target {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kLeast = 5;
constexpr const char* kBoundary =
    "Time of one execution, from the call to its completion, seen from the host; inputs lie on the device. Copies to "
    "and "
    "from it, and compiling, are not in it.";

Json json_of(const Timing& t) {
  if (t.warm_ups < kLeast || t.milliseconds.size() < kLeast)
    throw Error(ErrorCode::kInternal, fmt::format("{} was measured too seldom for a receipt", t.name));
  const Spread spread = spread_of(t.milliseconds);
  return {{"name", t.name},
          {"compile_seconds", t.compile_seconds},
          {"warm_ups", t.warm_ups},
          {"samples", t.milliseconds.size()},
          {"median_ms", spread.median},
          {"p90_ms", spread.p90},
          {"min_ms", spread.min}};
}

}  // namespace

Json receipt(const ReceiptFacts& f) {
  if (!f.correctness.passed) throw Error(ErrorCode::kInternal, "a receipt was asked for of a run that was not correct");
  Json measurement = json_of(f.timing);
  measurement["baselines"] = Json::array();
  for (const Timing& b : f.baselines) measurement["baselines"].push_back(json_of(b));
  return {{"schema", 1},
          {"execution", "measured"},
          {"device", f.measured.device_kind},
          {"platform", {{"name", f.measured.platform}, {"version", f.measured.platform_version}}},
          {"implementation_sha256", sha256_of(f.implementation)},
          {"versions",
           {{"millrace", f.millrace_version},
            {"libtpu", f.library.version.empty() ? Json() : Json(f.library.version)},
            {"pjrt", fmt::format("0.{}", f.measured.api_minor)}}},
          {"configuration", f.configuration},
          {"correctness",
           {{"oracle", f.correctness.oracle},
            {"max_abs_error", f.correctness.max_abs_error},
            {"tolerance", {{"rtol", f.correctness.rtol}, {"atol", f.correctness.atol}}},
            {"passed", true}}},
          {"measurement", measurement},
          {"boundary", kBoundary}};
}

}  // namespace millrace::target
