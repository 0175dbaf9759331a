// SPDX-License-Identifier: Apache-2.0
#include "target/receipt.h"

#include <fmt/format.h>

#include "array/sha256.h"
#include "millrace/error.h"

namespace millrace::target {

using Json = nlohmann::ordered_json;

Json json_of(const Calibration& c) {
  return {{"what", c.what}, {"unit", c.unit}, {"best", c.best}, {"share", c.share}, {"timing", json_of(c.timing)}};
}

Json json_of(const Timing& t) {
  if (t.warm_ups < kLeastWarmUps || t.milliseconds.size() < kLeastSamples)
    throw Error(ErrorCode::kInternal, fmt::format("{} was measured too seldom for a receipt", t.name));
  const Spread spread = spread_of(t.milliseconds);
  const std::string noise = noise_in(t.milliseconds);
  return {{"name", t.name},
          {"compile_seconds", t.compile_seconds},
          {"warm_ups", t.warm_ups},
          {"samples", t.milliseconds.size()},
          {"median_ms", spread.median},
          {"p90_ms", spread.p90},
          {"min_ms", spread.min},
          {"noise", noise.empty() ? Json() : Json(noise)}};
}

Json receipt(const ReceiptFacts& f) {
  if (!f.correctness.passed) throw Error(ErrorCode::kInternal, "a receipt was asked for of a run that was not correct");
  if (f.device.empty()) throw Error(ErrorCode::kInternal, "a receipt was asked for of a run on no device");
  Json measurement = json_of(f.timing);
  measurement["baselines"] = Json::array();
  for (const Timing& b : f.baselines) measurement["baselines"].push_back(json_of(b));
  if (f.calibration) measurement["calibration"] = json_of(*f.calibration);
  return {{"schema", 1},
          {"execution", "measured"},
          {"device", f.device},
          {"platform", {{"name", f.platform}, {"version", f.platform_version}}},
          {"implementation_sha256", sha256_of(f.implementation)},
          {"versions", f.versions},
          {"configuration", f.configuration},
          {"correctness",
           {{"oracle", f.correctness.oracle},
            {"max_abs_error", f.correctness.max_abs_error},
            {"tolerance", {{"rtol", f.correctness.rtol}, {"atol", f.correctness.atol}}},
            {"passed", true}}},
          {"measurement", measurement},
          {"boundary", f.boundary}};
}

}  // namespace millrace::target
