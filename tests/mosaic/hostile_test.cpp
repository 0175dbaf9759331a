// SPDX-License-Identifier: Apache-2.0
// Input that nobody's compiler wrote: deep, cut, and at random.
#include <fstream>
#include <random>

#include "mosaic/sample.h"

namespace millrace::mosaic {
namespace {

std::string repeated(const std::string& part, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += part;
  return result;
}

std::string nested_regions(int depth) {
  return kernel_text(repeated("\"tpu.region\"() ({\n", depth) +
                     repeated("\"tpu.yield\"() : () -> () }) : () -> ()\n", depth));
}

// A Module or an Error; anything else, a crash included, fails the test.
void expect_answer(const std::string& bytes) {
  try {
    write_module(read_module(bytes, "hostile"));
  } catch (const Error& error) {
    EXPECT_NE(error.code(), ErrorCode::kInternal) << error.what();
  }
}

// One of the inputs that a fuzzer found.
std::string refusal_of(const std::string& name) {
  std::ifstream stream(std::string(MILLRACE_SOURCE_DIR) + "/tests/fuzz/corpus/bytecode/" + name, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  try {
    read_module(bytes, "hostile");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUser);
    return error.what();
  }
  return "nothing was refused";
}

TEST(Hostile, AnAttributeOfTheWrongTypeIsRefusedInBytecodeAsInText) {
  EXPECT_NE(refusal_of("default_of_the_wrong_type").find("'tpu.enqueue_dma' op has an attribute of the wrong type"),
            std::string::npos)
      << refusal_of("default_of_the_wrong_type");
}

// MLIR's verifier lets a group of operands be empty that must have one.
TEST(Hostile, GroupsOfOperandsHaveTheirSizes) {
  EXPECT_NE(refusal_of("signal_of_no_amount").find("'tpu.sem_signal' op has operandSegmentSizes that do not fit"),
            std::string::npos)
      << refusal_of("signal_of_no_amount");
}

TEST(Hostile, AModuleHasOneBlockWithoutArguments) {
  EXPECT_NE(refusal_of("arguments_of_the_outermost_block").find("the file's own block has arguments"),
            std::string::npos)
      << refusal_of("arguments_of_the_outermost_block");
  for (const std::string body : {"", "^bb0(%a: i32):", "^bb0: ^bb1:"}) {
    try {
      read_module("\"builtin.module\"() ({ " + body + " }) : () -> ()", "hostile");
      FAIL() << body;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUser) << error.what();
    }
  }
}

TEST(Hostile, RegionsNestTo256AndNoDeeper) {
  EXPECT_NO_THROW(read_module(nested_regions(255), "deep"));  // the function's is one
  for (const int depth : {256, 300, 1000, 100000}) {
    try {
      read_module(nested_regions(depth), "deep");
      FAIL() << depth;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUser);
      EXPECT_NE(std::string(error.what()).find("deeper"), std::string::npos) << error.what();
    }
  }
}

// 8,000 lines, 25 regions deep, more than a megabyte: what production kernels come to. (A quadratic step would take
// minutes here.)
TEST(Hostile, LongModulesAreRead) {
  std::string body;
  for (int depth = 0; depth < 25; ++depth) body += "\"tpu.region\"() ({\n";
  for (int line = 0; line < 8000; ++line) {
    const std::string value = std::to_string(line), last = line == 0 ? "%x" : "%v" + std::to_string(line - 1);
    body += "%v" + value + " = \"arith.addf\"(" + last +
            ", %x) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, " +
            "vector<16x128xf32>) -> vector<16x128xf32> loc(\"jit(f)/while/body\"(\"kernel.py\":" + value + ":3))\n";
  }
  for (int depth = 0; depth < 25; ++depth) body += "\"tpu.yield\"() : () -> () }) : () -> ()\n";
  const Module module = read_module(kernel_text(body), "long.mlir");
  const std::string bytecode = write_module(module);
  EXPECT_TRUE(same(read_module(bytecode, "long.mlirbc"), module));
  const Region* inner = &module.kernel()->body;
  for (int depth = 0; depth < 25; ++depth) {
    const auto at = std::ranges::find(inner->ops, "tpu.region", &Op::name);
    ASSERT_NE(at, inner->ops.end());
    inner = &at->regions.front();
  }
  EXPECT_EQ(inner->ops.size(), 8001u);
  EXPECT_EQ(module.locations.at(inner->ops[4321].location).line, 4321);
}

TEST(Hostile, BracketsInStringsAndCommentsDoNotNest) {
  const std::string message(2000, '(');
  EXPECT_NO_THROW(read_module(
      kernel_text("\"tpu.trace_start\"() {level = 1 : i32, message = \"" + message + "\"} : () -> () // " + message),
      "strings"));
}

TEST(Hostile, AttributesNestWithoutEnd) {
  expect_answer(
      kernel_text("\"tpu.trace_stop\"() {a = " + std::string(100, '[') + std::string(100, ']') + "} : () -> ()"));
  expect_answer(kernel_text("\"tpu.trace_stop\"() {a = " + std::string(100000, '[') + "} : () -> ()"));
  expect_answer("#m = affine_map<(d0) -> (" + std::string(100000, '-') + "d0)>\nmodule attributes {m = #m} {}");
}

TEST(Hostile, ArraysOfIndexValuesAreRefused) {
  expect_refused(kernel_text("\"tpu.trace_stop\"() {a = array<index: 1>} : () -> ()"), "stated width", kBodyLine);
  EXPECT_NO_THROW(read_module(kernel_text("\"tpu.trace_stop\"() {a = array<i64: 1>} : () -> ()"), "array"));
}

TEST(Hostile, SharedAttributesDoNotMultiply) {
  std::string text = "#a0 = [1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 12; ++i)
    text += "#a" + std::to_string(i) + " = [" + repeated("#a" + std::to_string(i - 1) + ", ", 7) + "#a" +
            std::to_string(i - 1) + "]\n";
  try {
    read_module(text + kernel_text("\"tpu.trace_stop\"() {a = #a11} : () -> ()"), "shared");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("memory"), std::string::npos) << error.what();
  }
}

TEST(Hostile, EmptyAndForeignInputIsRefused) {
  for (const std::string& bytes :
       {std::string(), std::string("\x93NUMPY"), std::string(100, '\0'), std::string("ML\xefR")}) {
    EXPECT_THROW(read_module(bytes, "hostile"), Error);
  }
}

TEST(Hostile, BytecodeOfOtherFormatsIsUnsupported) {
  std::string bytes = sample_file("add_2d.mlirbc");
  ASSERT_EQ(bytes[4], 1);  // a variable-length 0
  bytes[4] = 13;           // and 6
  try {
    read_module(bytes, "newer");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_NE(std::string(error.what()).find("format version 6"), std::string::npos) << error.what();
  }
}

TEST(Hostile, CutBytecodeIsRefused) {
  const std::string bytes = sample_file("add_2d.mlirbc");
  for (std::size_t length = 0; length < bytes.size(); length += 7) {
    EXPECT_THROW(read_module(bytes.substr(0, length), "cut"), Error) << length;
  }
}

std::string mutated(std::string bytes, std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (std::size_t changes = 1 + below(3); changes > 0 && !bytes.empty(); --changes) {
    const std::size_t at = below(bytes.size());
    switch (below(4)) {
      case 0: bytes[at] = static_cast<char>(random()); break;
      case 1: bytes.erase(at, 1 + below(8)); break;
      case 2: bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(16))); break;
      default: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8))); break;
    }
  }
  return bytes;
}

TEST(Hostile, AThousandChangedTextsAreReadOrRefused) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE(i);
    expect_answer(mutated(sample_file(kSamples[static_cast<std::size_t>(i) % kSamples.size()] + ".mlir"), random));
  }
}

TEST(Hostile, AThousandChangedBytecodesAreReadOrRefused) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE(i);
    expect_answer(mutated(sample_file(kSamples[static_cast<std::size_t>(i) % kSamples.size()] + ".mlirbc"), random));
  }
}

}  // namespace
}  // namespace millrace::mosaic
