// SPDX-License-Identifier: Apache-2.0
// What things cost under the modeled clock: a few rates and delays of a chip, each with where it comes from.
// docs/timing.md has the formulas.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace millrace::timing {

using Time = std::int64_t;  // picoseconds since the kernel began

struct Parameter {
  std::string name;    // as on the command line: "bandwidth"
  double value = 0;    // in `unit`
  std::string unit;    // "GB/s"
  std::string source;  // "published", "derived", "assumed", or "given" by the caller
  std::string note;    // what it is
};

// Rates are per second, delays in picoseconds.
struct Costs {
  std::string chip;                     // "v5e"
  double hbm = 0, local = 0, link = 0;  // bytes: between HBM and the core; within the core or chip; to another chip
  Time latency = 0;                     // of a DMA, from its start until its first byte moves
  Time control = 0;                     // of the core, for a start, a wait or a signal
  double vector = 0, transcendental = 0, rearrange = 0;            // elements
  double loads = 0, stores = 0;                                    // bytes between VMEM and registers
  double matrix = 0, matrix_i8 = 0, matrix_f8 = 0, matrix_i4 = 0;  // operations; a multiply-add is two
  std::vector<Parameter> parameters;

  // Operations a second of a product of `bits`-wide operands.
  double matrix_rate(int bits, bool floating) const;
};

// `chip` as plan/chip.h names it; `given` replaces parameters by their names. Error(kUser) for a name that is none and
// for a value that is not above zero (delays: below zero); Error(kUnsupported) for a chip without published rates.
Costs costs_of(const std::string& chip, const std::map<std::string, double>& given = {});

// All names with their units and what they are, for help texts.
const std::vector<Parameter>& parameters();

}  // namespace millrace::timing
