// SPDX-License-Identifier: Apache-2.0
// Which .npy files are read, and as what.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "array/npy_read.h"
#include "millrace/array.h"
#include "npy_bytes.h"

namespace millrace {
namespace {

using testing::npy_dict;
using testing::npy_file;
using testing::parse;

const std::string kTwoFloats("\x00\x00\x80\x3f\x00\x00\x00\xc0", 8);  // 1, -2

TEST(Npy, ReadsAFileThatNumpyWrote) {
  // numpy.save of numpy.array([[1, -2]], 'float32'), 136 bytes.
  std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
  dict.resize(117, ' ');
  const std::string file = std::string("\x93NUMPY\x01\x00v\x00", 10) + dict + "\n" + kTwoFloats;
  ASSERT_EQ(file.size(), 136u);
  const Array array = parse(file);
  EXPECT_EQ(array.dtype(), f32);
  EXPECT_EQ(array.shape(), (Shape{1, 2}));
  EXPECT_EQ(array.at({0, 0}), 1);
  EXPECT_EQ(array.at({0, 1}), -2);
}

TEST(Npy, ReadsFormatsOneTwoAndThree) {
  for (const int major : {1, 2, 3}) {
    const Array array = parse(npy_file(npy_dict("<f4", "(2,)"), kTwoFloats, major));
    EXPECT_EQ(array.shape(), Shape{2}) << major;
    EXPECT_EQ(array.flat(1), -2) << major;
  }
}

TEST(Npy, ReadsEveryElementTypeThatIsPromised) {
  const struct {
    const char* descr;
    DType type;
    double first;
  } files[] = {{"<f4", f32, 0x10402 * 0x1p-149},
               {"<f2", f16, 0x1.008p-14},
               {"|i1", i8, 2},
               {"<i2", i16, 0x402},
               {"<i4", i32, 0x10402},
               {"|u1", u8, 2},
               {"<u2", u16, 0x402},
               {"<u4", u32, 0x10402},
               {"|b1", i1, 1},
               {"<i1", i8, 2},
               {">u1", u8, 2}};
  for (const auto& file : files) {
    const std::string data = std::string("\x02\x04\x01\x00", 4).substr(0, size_of(file.type));
    const Array array = parse(npy_file(npy_dict(file.descr, "()"), data));
    EXPECT_EQ(array.dtype(), file.type) << file.descr;
    EXPECT_EQ(array.shape(), Shape{}) << file.descr;
    EXPECT_EQ(array.flat(0), file.first) << file.descr;
  }
}

TEST(Npy, ReadsBf16FromU2AndFromTheRawTypeOfMlDtypes) {
  for (const char* descr : {"<u2", "<V2", "|V2"}) {
    const Array array = parse(npy_file(npy_dict(descr, "(1,)"), "\x80\x3f"), bf16);
    EXPECT_EQ(array.dtype(), bf16) << descr;
    EXPECT_EQ(array.flat(0), 1) << descr;
  }
  EXPECT_EQ(parse(npy_file(npy_dict("<u2", "(1,)"), "\x80\x3f")).dtype(), u16);
}

TEST(Npy, ReadsTheTypeAskedForWhereItIsThatOfTheFile) {
  EXPECT_EQ(parse(npy_file(npy_dict("<f4", "(2,)"), kTwoFloats), f32).flat(0), 1);
}

TEST(Npy, TakesTheHeaderInAnyOrderSpacingAndQuotes) {
  for (const char* dict : {"{'shape':(2,),'descr':'<f4','fortran_order':False}",
                           "  {\n\"fortran_order\" : False ,\t\"shape\" : ( 2 , ) , \"descr\" : \"<f4\" , }  \n\n",
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (2, )}"}) {
    EXPECT_EQ(parse(npy_file(dict, kTwoFloats)).shape(), Shape{2}) << dict;
  }
  EXPECT_EQ(parse(npy_file(npy_dict("<f4", "(1, 2,)"), kTwoFloats)).shape(), (Shape{1, 2}));
}

TEST(Npy, ReadsFortranOrderWhereTheOrderIsTheSame) {
  for (const char* shape : {"(2,)", "(1, 2)", "(2, 1, 1)"}) {
    EXPECT_EQ(parse(npy_file(npy_dict("<f4", shape, "True"), kTwoFloats)).flat(1), -2) << shape;
  }
  EXPECT_EQ(parse(npy_file(npy_dict("<f4", "()", "True"), kTwoFloats.substr(0, 4))).flat(0), 1);
  EXPECT_EQ(parse(npy_file(npy_dict("<f4", "(3, 0, 2)", "True"), "")).size(), 0);
}

TEST(Npy, PutsFortranOrderIntoCOrderWhereThatIsAskedFor) {
  const auto any = [](const std::string& file, std::optional<DType> as = {}) {
    return parse_npy_in_any_order(std::as_bytes(std::span(file.data(), file.size())), "x.npy", as);
  };
  const Array bytes = any(npy_file(npy_dict("|u1", "(2, 3)", "True"), std::string("\x00\x03\x01\x04\x02\x05", 6)));
  for (std::int64_t i = 0; i < 6; ++i) EXPECT_EQ(bytes.flat(i), static_cast<double>(i));
  std::string words;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 4; ++i)
      for (int h = 0; h < 2; ++h) words += static_cast<char>(h * 12 + i * 3 + j), words += '\0';
  const Array cube = any(npy_file(npy_dict("<u2", "(2, 4, 3)", "True"), words), u16);
  for (std::int64_t i = 0; i < 24; ++i) EXPECT_EQ(cube.flat(i), static_cast<double>(i));
  EXPECT_EQ(any(npy_file(npy_dict("<f4", "(3, 0, 2)", "True"), "")).size(), 0);
  EXPECT_EQ(any(npy_file(npy_dict("<f4", "(1, 2)"), kTwoFloats)).flat(1), -2);
}

TEST(Npy, ReadsArraysWithoutElements) {
  const Array array = parse(npy_file(npy_dict("<i2", "(0, 7)"), ""));
  EXPECT_EQ(array.shape(), (Shape{0, 7}));
  EXPECT_EQ(array.bytes(), 0u);
}

TEST(Npy, ReadsUpTo32Dimensions) {
  std::string shape = "(";
  for (int i = 0; i < 32; ++i) shape += "1, ";
  EXPECT_EQ(parse(npy_file(npy_dict("|u1", shape + ")"), "a")).shape(), Shape(32, 1));
}

TEST(Npy, TakesEveryByteOfABooleanThatIsNotZeroForTrue) {
  const Array array = parse(npy_file(npy_dict("|b1", "(3,)"), std::string("\x00\x01\x02", 3)));
  EXPECT_TRUE(same_bits(array, Array::from(std::vector<float>{0, 1, 1}, {3}).cast(i1)));
}

}  // namespace
}  // namespace millrace
