// SPDX-License-Identifier: Apache-2.0
// How fast the parts of a chip are, by what is published of it, per TensorCore. For a modeled clock: nothing here was
// measured by Millrace, and no run of Millrace says how fast a device is.
#pragma once

#include <string_view>

namespace millrace::plan {

struct Rates {
  std::string_view chip;  // its name in chip.h
  double hbm = 0;         // bytes a second, reads and writes together
  double matrix16 = 0;    // bf16 operations a second; a multiply-add is two
  double matrix_i8 = 0;   // the same of 8-bit integers, of 8-bit floats and of 4-bit integers; 0: not known
  double matrix_f8 = 0;
  double matrix_i4 = 0;
  double multipliers = 0;  // multiply-adds that all matrix units together finish in a cycle
  int vector_slots = 0;    // instructions of a kind in one bundle: vector arithmetic, loads, stores, rearrangements
  int load_slots = 0;
  int store_slots = 0;
  int rearrange_slots = 0;
  double link = 0;  // bytes a second to a neighbouring chip, one way
};

// Of a chip of chip.h, by its name there. Error(kUnsupported) where no rates are known.
const Rates& rates_of(std::string_view chip);

}  // namespace millrace::plan
