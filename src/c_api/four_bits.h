// SPDX-License-Identifier: Apache-2.0
// XLA lays four-bit elements two a byte, the first in the low half; here each has a byte of its own (S2.10).
#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include "millrace/c_api.h"

namespace millrace::c_api {

class FourBits {
 public:
  // The same elements a byte each, i8 or u8, as long as this object.
  millrace_array input(const millrace_array& packed, bool is_signed);
  // An array to write to; pack() then writes its elements to where `packed` lies.
  millrace_array output(const millrace_array& packed, bool is_signed);
  void pack();

 private:
  struct Output {
    std::uint8_t* packed;
    std::vector<std::uint8_t>* elements;
  };
  std::list<std::vector<std::uint8_t>> elements_;  // of all arrays; they stay where they are
  std::vector<Output> outputs_;
};

}  // namespace millrace::c_api
