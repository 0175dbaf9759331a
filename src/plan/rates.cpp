// SPDX-License-Identifier: Apache-2.0
// Sources: JAX's public table of TPU generations (bandwidth, operations a second); the slots of a bundle as the TPU
// compiler reports them; links as published for each generation. docs/timing.md has them as a table.
#include "plan/rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "millrace/error.h"

namespace millrace::plan {

namespace {

// Four units of 128 by 128; of the later chips, as many multipliers as four units of 256 by 256.
constexpr double kSmallUnits = 4 * 128 * 128, kLargeUnits = 4 * 256 * 256;

constexpr std::array kRates = {
    Rates{"v4", 615e9, 137.5e12, 0, 0, 0, kSmallUnits, 2, 1, 1, 2, 45e9},
    Rates{"v5e", 820e9, 197e12, 394e12, 0, 788e12, kSmallUnits, 4, 3, 1, 3, 45e9},
    Rates{"v5p", 1.23e12, 229.5e12, 459e12, 0, 920e12, kSmallUnits, 4, 3, 1, 3, 90e9},
    Rates{"v6e", 1.64e12, 920e12, 1.84e15, 920e12, 3.68e15, kLargeUnits, 4, 3, 2, 2, 90e9},
    Rates{"tpu7x", 3.70e12, 1.155e15, 0, 2.30e15, 0, kLargeUnits, 4, 3, 2, 2, 90e9},
};

}  // namespace

const Rates& rates_of(std::string_view chip) {
  const auto found = std::ranges::find_if(kRates, [&](const Rates& r) { return r.chip == chip; });
  if (found != kRates.end()) return *found;
  throw Error(ErrorCode::kUnsupported, fmt::format("no rates are known of chip {}; its time cannot be modeled", chip));
}

}  // namespace millrace::plan
