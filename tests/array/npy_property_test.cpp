// SPDX-License-Identifier: Apache-2.0
// Any array comes back from its file bit for bit.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "millrace/array.h"
#include "npy_bytes.h"
#include "scratch_folder.h"

namespace millrace {
namespace {

constexpr DType kTypes[] = {f32, bf16, f16, i8, i16, i32, u8, u16, u32, i1};

// Any type, up to four dimensions of up to five, any bits.
Array any_array() {
  const DType type = *rc::gen::elementOf(std::vector<DType>(std::begin(kTypes), std::end(kTypes)));
  const auto rank = *rc::gen::inRange<std::size_t>(0, 5);
  Array array(type, *rc::gen::container<Shape>(rank, rc::gen::inRange<std::int64_t>(0, 6)));
  const auto bytes = *rc::gen::container<std::vector<std::uint8_t>>(array.bytes(), rc::gen::arbitrary<std::uint8_t>());
  const std::uint8_t mask = type == i1 ? 1 : 0xff;
  for (std::size_t i = 0; i < bytes.size(); ++i) array.as<std::uint8_t>()[i] = bytes[i] & mask;
  return array;
}

// The file of an array in this format, put together here.
std::string file_of(const Array& array, int major) {
  static constexpr const char* kDescr[] = {"<f4", "<V2", "<f2", "|i1", "<i2", "<i4", "|u1", "<u2", "<u4", "|b1"};
  return testing::npy_file(testing::npy_dict(kDescr[static_cast<int>(array.dtype())], to_string(array.shape())),
                           {reinterpret_cast<const char*>(array.data()), array.bytes()}, major);
}

class NpyProperty : public testing::ScratchFolder {};

RC_GTEST_FIXTURE_PROP(NpyProperty, EveryArrayComesBackFromItsFile, ()) {
  const Array array = any_array();
  write_npy(in_folder("x.npy"), array);
  RC_ASSERT(same_bits(read_npy(in_folder("x.npy"), array.dtype()), array));
}

RC_GTEST_FIXTURE_PROP(NpyProperty, EveryFormatOfAFileHoldsTheSameArray, ()) {
  const Array array = any_array();
  for (const int major : {1, 2, 3}) RC_ASSERT(same_bits(testing::parse(file_of(array, major), array.dtype()), array));
}

}  // namespace
}  // namespace millrace
