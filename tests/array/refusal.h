// SPDX-License-Identifier: Apache-2.0
// What a call refuses, as its sentence.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "millrace/error.h"

namespace millrace::testing {

// The sentence of the Error(kUser) that `call` throws; a failure of the test, and "", where it throws none.
template <class Call>
std::string refusal(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUser) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

}  // namespace millrace::testing
