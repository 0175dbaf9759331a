// SPDX-License-Identifier: Apache-2.0
// Every way in which a .npy file is refused has its own sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "millrace/array.h"
#include "npy_bytes.h"
#include "refusal.h"
#include "scratch_folder.h"

namespace millrace {
namespace {

using ::testing::HasSubstr;
using testing::npy_dict;
using testing::npy_file;
using ::testing::StartsWith;

std::string refused(const std::string& file, std::optional<DType> as = {}) {
  return testing::refusal([&] { testing::parse(file, as); });
}

// The refusal of a well-framed file with this header and no data.
std::string refused_dict(const std::string& dict) { return refused(npy_file(dict, "")); }

std::string refused_type(const std::string& descr, std::optional<DType> as = {}) {
  return refused(npy_file(npy_dict(descr, "(2,)"), "12345678"), as);
}

TEST(NpyRefusal, OfWhatIsNoNpyFile) {
  EXPECT_EQ(refused(""), "x.npy is empty, not a .npy file");
  EXPECT_EQ(refused("hello, world"), "x.npy is not a .npy file: it begins with hello,, not with \\x93NUMPY");
  EXPECT_EQ(refused(std::string("PK\x03\x04\x14\x00", 6)),
            "x.npy is not a .npy file: it begins with PK\\x03\\x04\\x14\\x00, not with \\x93NUMPY (an .npz archive? "
            "save its arrays one by one)");
}

TEST(NpyRefusal, OfOtherFormats) {
  const std::string dict = npy_dict("|u1", "(0,)");
  EXPECT_EQ(refused(npy_file(dict, "", 4)), "x.npy is a .npy file of format 4.0; formats 1.0, 2.0 and 3.0 are read");
  EXPECT_THAT(refused(npy_file(dict, "", 0)), HasSubstr("format 0.0;"));
  EXPECT_THAT(refused(npy_file(dict, "", 1, 1)), HasSubstr("format 1.1;"));
}

TEST(NpyRefusal, OfAFileCutAnywhereInItsHeader) {
  for (const int major : {1, 2}) {
    const std::string file = npy_file(npy_dict("|u1", "(0,)"), "", major);
    for (std::size_t length = 1; length < file.size(); ++length) {
      EXPECT_THAT(refused(file.substr(0, length)), StartsWith("x.npy is cut off inside its header: ")) << length;
    }
    EXPECT_THAT(refused(file.substr(0, 5)), HasSubstr("it has only 5 bytes"));
  }
  EXPECT_EQ(refused(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14)),
            "x.npy is cut off inside its header: that should end at byte 4294967307, the file at byte 14");
}

TEST(NpyRefusal, OfAHeaderThatIsNotTheDictionary) {
  EXPECT_EQ(refused_dict("[1, 2]"),
            "x.npy has a header that is not the dictionary of a .npy file: at its byte 0 there should be '{', not "
            "[1, 2]");
  const struct {
    const char* dict;
    const char* there;
  } headers[] = {
      {"", "byte 0 there should be '{', not its end"},
      {"{'descr': '<f4'", "byte 15 there should be ',' or '}', not its end"},
      {"{'descr' '<f4'}", "byte 9 there should be ':', not '<f4'}"},
      {"{descr: '<f4'}", "byte 1 there should be a key in quotes, not descr"},
      {"{'descr': f4}", "byte 10 there should be the element type in quotes, not f4}"},
      {"{'descr': '<f4}", "byte 10 there should be the element type in quotes, not '<f4}"},
      {"{'descr': '\\x3cf4'}", "byte 10 there should be the element type in quotes"},
      {"{'fortran_order': 0}", "byte 18 there should be True or False, not 0}"},
      {"{'shape': 3}", "byte 10 there should be '(' of the shape, not 3}"},
      {"{'shape': (3)}", "byte 12 there should be ',', not )}"},
      {"{'shape': (3 4)}", "byte 13 there should be ',', not 4)}"},
      {"{'shape': (3, 4 5)}", "byte 16 there should be ',' or ')', not 5)}"},
      {"{'shape': (3L,)}", "byte 12 there should be ',', not L,)}"},
      {"{'shape': (3, x)}", "byte 14 there should be a dimension, not x)}"},
      {"{'shape': (1.5,)}", "byte 12 there should be ','"},
      {"{'shape': (007,)}", "byte 11 there should be a dimension, not 007,)}"},
      {"{'colour': 'red'}", "byte 1 there should be one each of the keys 'descr', 'fortran_order' and 'shape'"},
      {"{'descr': '<f4', 'descr': '<f4'}", "byte 17 there should be one each of the keys"},
      {"{} {}", "byte 3 there should be the end of the header, not {}"},
      {"{\x01", "byte 1 there should be a key in quotes, not \\x01"},
  };
  for (const auto& header : headers) {
    const std::string sentence = refused_dict(header.dict);
    EXPECT_THAT(sentence, StartsWith("x.npy has a header that is not the dictionary")) << header.dict;
    EXPECT_THAT(sentence, HasSubstr(header.there)) << header.dict;
  }
}

TEST(NpyRefusal, OfAHeaderWithoutOneOfItsKeys) {
  EXPECT_EQ(refused_dict("{}"), "x.npy has a header without the key 'descr'");
  EXPECT_EQ(refused_dict("{'descr': '<f4', 'shape': ()}"), "x.npy has a header without the key 'fortran_order'");
  EXPECT_EQ(refused_dict("{'descr': '<f4', 'fortran_order': False}"), "x.npy has a header without the key 'shape'");
}

TEST(NpyRefusal, OfBigEndianFilesWithTheirByteOrder) {
  EXPECT_EQ(refused_type(">f4"), "x.npy is big-endian ('>f4'); little-endian is read: save x.astype('float32')");
  EXPECT_THAT(refused_type(">i2"), HasSubstr("is big-endian ('>i2')"));
}

TEST(NpyRefusal, OfAByteOrderLeftOpen) {
  for (const char* descr : {"=f4", "|f4", "f4"}) {
    EXPECT_THAT(refused_type(descr), HasSubstr("which leaves the byte order open: save x.astype('float32')")) << descr;
  }
}

TEST(NpyRefusal, OfOtherElementTypesSaysWhatTheyAreAndHowToConvertThem) {
  EXPECT_EQ(refused_type("<f8"), "x.npy holds float64 elements ('<f8'), which are not read: save x.astype('float32')");
  const struct {
    const char* descr;
    const char* what;
  } types[] = {
      {">f8", "holds float64 elements ('>f8')"},
      {"<i8", "holds int64 elements ('<i8'), which are not read: save x.astype('int32')"},
      {"<u8", "holds uint64 elements ('<u8'), which are not read: save x.astype('uint32')"},
      {"<f16", "holds extended-precision elements ('<f16')"},
      {"<c8", "holds complex64 elements ('<c8'), which are not read: save x.real.astype('float32')"},
      {"<c16", "holds complex128 elements ('<c16')"},
      {"|O", "holds Python objects ('|O')"},
      {"<U7", "holds strings ('<U7')"},
      {"|S3", "holds byte strings ('|S3')"},
      {"<M8[ns]", "holds dates ('<M8[ns]')"},
      {"<m8[s]", "holds time differences ('<m8[s]')"},
      {"|V1", "holds raw 1-byte elements (as float8 types are saved) ('|V1')"},
      {"|V12", "holds raw bytes ('|V12')"},
      {"<i3", "has the element type '<i3', which is unknown here"},
      {"", "has the element type '', which is unknown here"},
      {"<", "has the element type '<', which is unknown here"},
  };
  for (const auto& type : types) EXPECT_THAT(refused_type(type.descr), HasSubstr(type.what));
}

TEST(NpyRefusal, OfStructuredTypes) {
  EXPECT_EQ(refused_dict("{'descr': [('a', '<f4'), ('b', '<i4')], 'fortran_order': False, 'shape': (2,), }"),
            "x.npy has a structured dtype ([('a', '<f4'), ('b', '<i4')]); arrays of one number type are read: save a "
            "single field, x['field']");
  EXPECT_THAT(refused_dict("{'descr': ('<f4', (2,"), HasSubstr("has a structured dtype (('<f4', (2,)"));
}

TEST(NpyRefusal, OfRawTwoByteElementsUnlessTheyAreNamed) {
  EXPECT_EQ(refused_type("<V2"),
            "x.npy holds raw 2-byte elements ('<V2'), as bfloat16 arrays are saved: read it as bf16, or save "
            "x.astype('float32')");
  EXPECT_THAT(refused_type("<V2", u16), HasSubstr("holds raw bytes ('<V2')"));
}

TEST(NpyRefusal, OfAnotherTypeThanIsAskedFor) {
  EXPECT_EQ(refused_type("<f4", i32), "x.npy holds f32 ('<f4') where i32 is asked for: save x.astype('int32')");
  EXPECT_EQ(refused_type("<f4", bf16),
            "x.npy holds f32 ('<f4') where bf16 is asked for: save "
            "x.astype(ml_dtypes.bfloat16).view('uint16')");
  EXPECT_THAT(refused_type("<u2", f16), HasSubstr("holds u16 ('<u2') where f16 is asked for"));
}

TEST(NpyRefusal, OfFortranOrderWhereItMatters) {
  EXPECT_EQ(refused(npy_file(npy_dict("|u1", "(2, 3)", "True"), "123456")),
            "x.npy is in Fortran order with shape (2, 3); C order is read: save numpy.ascontiguousarray(x)");
}

TEST(NpyRefusal, OfShapesThatCannotBe) {
  const auto shaped = [](const std::string& shape) { return refused(npy_file(npy_dict("<f4", shape), "1234")); };
  EXPECT_EQ(shaped("(2, -3)"), "x.npy has a dimension of -3; dimensions are 0 or more");
  EXPECT_EQ(shaped("(99999999999999999999,)"),
            "x.npy has a dimension of 99999999999999999999, which is more than 2^62");
  EXPECT_THAT(shaped("(4611686018427387905,)"), HasSubstr("which is more than 2^62"));
  EXPECT_EQ(shaped("(4294967296, 4294967296)"),
            "x.npy has shape (4294967296, 4294967296), which needs more than 2^62 bytes");
  EXPECT_THAT(shaped("(4611686018427387904,)"), HasSubstr("which needs more than 2^62 bytes"));
  EXPECT_THAT(shaped("(0, 4611686018427387904, 2)"), HasSubstr("which needs more than 2^62 bytes"));
  std::string deep = "(";
  for (int i = 0; i < 33; ++i) deep += "1,";
  EXPECT_EQ(shaped(deep + ")"), "x.npy has more than 32 dimensions, which is the most that are read");
}

TEST(NpyRefusal, OfFilesShorterOrLongerThanTheirShapeWithBothByteCounts) {
  const std::string dict = npy_dict("<f4", "(3,)");
  const std::string header = std::to_string(10 + dict.size() + 12);
  EXPECT_EQ(refused(npy_file(dict, "1234567")), "x.npy is cut off: its header and f32 elements of shape (3,) take " +
                                                    header + " bytes, the file has " +
                                                    std::to_string(10 + dict.size() + 7));
  EXPECT_EQ(refused(npy_file(dict, "1234567890123")),
            "x.npy is too long: its header and f32 elements of shape (3,) take " + header + " bytes, the file has " +
                std::to_string(10 + dict.size() + 13));
}

TEST(NpyRefusal, OfALyingShapeAllocatesNothing) {
  // 2^60 bytes: were they allocated before the check, this would fail otherwise.
  EXPECT_THAT(refused(npy_file(npy_dict("|u1", "(1152921504606846976,)"), "abc")), HasSubstr("x.npy is cut off"));
}

using NpyFile = testing::ScratchFolder;

TEST_F(NpyFile, IsRefusedLikeItsBytesAndByItsName) {
  const auto path = put("lying.npy", npy_file(npy_dict("<f4", "(1000000, 1000000)"), "1234"));
  EXPECT_THAT(testing::refusal([&] { read_npy(path); }),
              StartsWith(path.string() + " is cut off: its header and f32 elements of shape (1000000, 1000000)"));
  EXPECT_EQ(testing::refusal([&] { read_npy(put("empty.npy", "")); }),
            in_folder("empty.npy").string() + " is empty, not a .npy file");
  EXPECT_EQ(testing::refusal([&] { read_npy(put("short.npy", "\x93NUM")); }),
            in_folder("short.npy").string() + " is cut off inside its header: it has only 4 bytes");
  const auto foreign = put("foreign.npy", npy_file(npy_dict("<f8", "(1,)"), "12345678"));
  EXPECT_THAT(testing::refusal([&] { read_npy(foreign); }), HasSubstr("foreign.npy holds float64 elements"));
}

TEST_F(NpyFile, IsRefusedWhereThereIsNoFile) {
  const auto path = in_folder("none.npy");
  EXPECT_EQ(testing::refusal([&] { read_npy(path); }), path.string() + " does not exist");
  EXPECT_EQ(testing::refusal([&] { read_npy(folder_); }), folder_.string() + " is a directory, not a .npy file");
  const auto below_a_file = put("file", "") / "x.npy";
  EXPECT_EQ(testing::refusal([&] { read_npy(below_a_file); }), below_a_file.string() + " does not exist");
}

TEST_F(NpyFile, IsRefusedWhereReadingItMightNeverEnd) {
  const auto pipe = in_folder("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(testing::refusal([&] { read_npy(pipe); }), pipe.string() + " is not a regular file");
  EXPECT_EQ(testing::refusal([] { read_npy("/dev/zero"); }), "/dev/zero is not a regular file");
}

TEST_F(NpyFile, IsReadAsItsBytesAre) {
  const std::string bytes = npy_file(npy_dict("<i2", "(2, 2)"), std::string("\x01\x00\x02\x00\xff\xff\x04\x00", 8), 3);
  const Array array = read_npy(put("x.npy", bytes));
  EXPECT_TRUE(same_bits(array, testing::parse(bytes)));
  EXPECT_EQ(array.at({1, 0}), -1);
  EXPECT_EQ(read_npy(put("b.npy", npy_file(npy_dict("<u2", "()"), "\x80\x3f")), bf16).flat(0), 1);
}

}  // namespace
}  // namespace millrace
