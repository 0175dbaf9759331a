// SPDX-License-Identifier: Apache-2.0
// Each rule of tile arithmetic, with a kernel that keeps it and one that breaks it.
#include "mosaic/sample.h"

namespace millrace::mosaic {
namespace {

const std::string kX = "vector<16x128xf32>";
const std::string kN = "vector<16x128xi32>";

std::string apply(const std::string& op, const std::string& operands, const std::string& attributes,
                  const std::string& types, const std::string& result) {
  return "%s = \"tpu." + op + "\"(" + operands + ") {" + attributes + "} : (" + types + ") -> " + result;
}

std::string matmul(const std::string& operands, const std::string& numbers, const std::string& types,
                   const std::string& result = "vector<16x32xf32>") {
  const std::string given = numbers.empty() ? "" : "dimension_numbers = #tpu.dot_dimension_numbers<" + numbers + ">";
  return apply("matmul", operands, given, types, result);
}

TEST(ComputeVerifier, AMatmulAgreesInItsDimensions) {
  const std::string types = kX + ", vector<128x32xf32>, vector<16x32xf32>";
  const std::string usual = "[1], [0], [0], [1], [0, 0, 1, 1], [], []";
  const std::string good = matmul("%x, %y, %z", usual, types);
  check_twin(
      {"contracted", good, matmul("%x, %x, %z", usual, kX + ", " + kX + ", vector<16x32xf32>"), "different sizes"});
  check_twin({"result", good, matmul("%x, %y, %x", usual, kX + ", vector<128x32xf32>, " + kX, kX), "does not give"});
  check_twin({"accumulator", good, matmul("%x, %y, %z", usual, types, kX), "type of its accumulator"});
  check_twin({"roles", good, matmul("%x, %y, %z", "[1], [0], [1], [1], [0, 0, 1, 1], [], []", types), "one role"});
  check_twin({"one contracted", good, matmul("%x, %y, %z", "[1, 0], [0], [], [1], [1, 1], [], []", types),
              "contracts one dimension"});
  check_twin({"in range", good, matmul("%x, %y, %z", "[7], [0], [0], [1], [0, 0, 1, 1], [], []", types), "one role"});
  check_twin({"order", good, matmul("%x, %y, %z", "[1], [0], [0], [1], [1, 1, 0, 0], [], []", types), "in this order"});
  check_twin({"kinds", matmul("%n, %y, %z", usual, kN + ", vector<128x32xf32>, vector<16x32xf32>"),
              "%sums = arith.constant dense<0> : vector<16x32xi32>\n" +
                  matmul("%n, %y, %sums", usual, kN + ", vector<128x32xf32>, vector<16x32xi32>", "vector<16x32xi32>"),
              "floats into f32"});
  check_twin({"precision", good,
              apply("matmul", "%x, %y, %z", "precision = #tpu.reduction_kind<sum>", types, "vector<16x32xf32>"),
              "precision"});
}

TEST(ComputeVerifier, AMatmulWithoutNumbersIsTheUsualOne) {
  const std::string types = kX + ", vector<128x32xf32>, vector<16x32xf32>";
  check_twin({"transposed", matmul("%x, %y, %z", "", types),
              apply("matmul", "%x, %y, %z", "transpose_rhs = true", types, "vector<16x32xf32>"), "different sizes"});
}

TEST(ComputeVerifier, AxesAreInsideTheRankAndNamedOnce) {
  const auto iota = [](const std::string& axes) {
    return apply("iota", "", "dimensions = array<i32" + axes + ">", "", "vector<16x128xi32>");
  };
  check_twin({"iota in range", iota(": 1"), iota(": 2"), "names dimension 2"});
  check_twin({"iota once", iota(": 0, 1"), iota(": 1, 1"), "twice"});
  check_twin({"iota somewhere", iota(": 0"), iota(""), "at least one"});
  const auto index = [](const std::string& axis, const std::string& kind, const std::string& result) {
    return apply("reduce_index", "%x", "axis = " + axis + " : i32, kind = #tpu.reduction_kind<" + kind + ">", kX,
                 result);
  };
  check_twin({"reduce_index axis", index("1", "arg_max", "vector<16xi32>"), index("2", "arg_max", "vector<16xi32>"),
              "dimension 2"});
  check_twin({"reduce_index result", index("1", "arg_max", "vector<16xi32>"), index("1", "arg_max", "vector<128xi32>"),
              "gives"});
  check_twin({"reduce_index kind", index("1", "arg_min", "vector<16xi32>"), index("1", "sum", "vector<16xi32>"),
              "arg_max or"});
}

TEST(ComputeVerifier, MovingElementsKeepsThem) {
  const auto transpose = [](const std::string& p, const std::string& result) {
    return apply("transpose", "%x", "permutation = array<i64: " + p + ">", kX, result);
  };
  check_twin({"transpose", transpose("1, 0", "vector<128x16xf32>"), transpose("1, 0", kX), "gives"});
  check_twin(
      {"permutation", transpose("1, 0", "vector<128x16xf32>"), transpose("1, 1", "vector<128x16xf32>"), "twice"});
  check_twin(
      {"whole", transpose("1, 0", "vector<128x16xf32>"), transpose("1", "vector<128x16xf32>"), "permutation of 1"});
  const auto join = [](const std::string& axis, const std::string& other, const std::string& type,
                       const std::string& result) {
    return apply("concatenate", "%x, " + other, "dimension = " + axis + " : i32", kX + ", " + type, result);
  };
  const std::string joined = join("0", "%x", kX, "vector<32x128xf32>");
  check_twin(
      {"concatenate others", joined, join("0", "%y", "vector<128x32xf32>", "vector<144x128xf32>"), "agree but for"});
  check_twin({"concatenate axis", joined, join("2", "%x", kX, "vector<32x128xf32>"), "dimension 2"});
  check_twin({"concatenate result", joined, join("0", "%x", kX, "vector<48x128xf32>"), "gives"});
  check_twin({"reshape", apply("reshape", "%x", "", kX, "vector<2048xf32>"),
              apply("reshape", "%x", "", kX, "vector<1024xf32>"), "number"});
  const auto repeat = [](const std::string& times) {
    return apply("repeat", "%x", "dimension = 0 : i32, times = " + times + " : i32", kX, "vector<32x128xf32>");
  };
  check_twin({"repeat", repeat("2"), repeat("3"), "gives"});
}

TEST(ComputeVerifier, RotationsNameTheirDimensions) {
  const auto rotate = [](const std::string& rest) { return apply("dynamic_rotate", "%x, %i", rest, kX + ", i32", kX); };
  const std::string good = rotate("dimension = 1 : si32, stride = 1 : si32, stride_dimension = 0 : si32");
  check_twin({"axis", good, rotate("dimension = 2 : si32"), "dimension 2"});
  check_twin({"together", good, rotate("dimension = 1 : si32, stride = 1 : si32"), "together or neither"});
  check_twin({"apart", good, rotate("dimension = 1 : si32, stride = 1 : si32, stride_dimension = 1 : si32"),
              "stride along it"});
  check_twin({"sign", good, rotate("dimension = 1 : i32"), "signed integer"});
  const auto fixed = [](const std::string& axis) {
    return apply("rotate", "%x", "amount = 3 : si32, dimension = " + axis + " : si32", kX, kX);
  };
  check_twin({"rotate", fixed("0"), fixed("2"), "dimension 2"});
}

TEST(ComputeVerifier, AGatherKeepsTheOtherDimensions) {
  const std::string few = "%k = arith.constant dense<0> : vector<8x128xi32>\n";
  const auto gather = [](const std::string& axis, const std::string& indices, const std::string& type,
                         const std::string& result) {
    return apply("dynamic_gather", "%x, " + indices, "dimensions = array<i32: " + axis + ">", kX + ", " + type, result);
  };
  check_twin({"others", few + gather("0", "%k", "vector<8x128xi32>", "vector<8x128xf32>"),
              few + gather("1", "%k", "vector<8x128xi32>", "vector<8x128xf32>"), "differ in dimension 0"});
  check_twin({"result", gather("0", "%n", kN, kX), gather("0", "%n", kN, "vector<8x128xf32>"), "gives"});
}

TEST(ComputeVerifier, BitsArePackedWhole) {
  check_twin({"bitcast", apply("bitcast", "%x", "", kX, "vector<32x128xbf16>"),
              apply("bitcast", "%x", "", kX, "vector<16x256xbf16>"), "second last"});
  const auto pack = [](const std::string& operands, const std::string& types, const std::string& target) {
    return apply("pack_elementwise", operands, "target_type = " + target, types, kN);
  };
  check_twin({"pack number", pack("%x, %x", kX + ", " + kX, "bf16"), pack("%x", kX, "bf16"), "packs 2 vectors"});
  check_twin(
      {"pack kind", pack("%n, %n", kN + ", " + kN, "i16"), pack("%x, %x", kX + ", " + kX, "i16"), "packs vectors of"});
  check_twin({"pack width", pack("%x, %x", kX + ", " + kX, "bf16"), pack("%x", kX, "f32"), "4, 8 or 16 bits"});
  const auto unpack = [](const std::string& index, const std::string& result) {
    return apply("unpack_elementwise", "%n", "index = " + index + " : i32, source_type = i8", kN, result);
  };
  check_twin({"unpack part", unpack("3", kN), unpack("4", kN), "parts 0 to 3"});
  check_twin({"unpack result", unpack("3", kN), unpack("3", kX), "gives"});
}

TEST(ComputeVerifier, ElementwiseOperationsKeepTheShape) {
  const auto weird = [](const std::string& result) { return apply("weird", "%x", "", kX, result); };
  check_twin({"weird", weird("vector<16x128xi1>"), weird("vector<8x128xi1>"), "keeps the shape"});
  const auto reciprocal = [](const std::string& result) {
    return apply("reciprocal", "%x", "approx = false, full_range = true", kX, result);
  };
  check_twin({"reciprocal", reciprocal(kX), reciprocal("vector<8x128xf32>"), "same type"});
  const auto convert = [](const std::string& result) {
    return apply("stochastic_convert", "%x, %n", "", kX + ", " + kN, result);
  };
  check_twin({"convert shape", convert("vector<16x128xbf16>"), convert("vector<8x128xbf16>"), "one shape"});
  check_twin({"convert width", convert("vector<16x128xbf16>"), convert(kX), "8 or 16 bits"});
  const auto assume = [](const std::string& n) {
    return apply("assume_multiple", "%i", "multiple = " + n + " : i32", "i32", "i32");
  };
  check_twin({"assume_multiple", assume("8"), assume("0"), "at least 1"});
}

TEST(ComputeVerifier, LeftAndRightGoIntoTheMatrixUnitAsMatrices) {
  const std::string flat = "%k = arith.constant dense<1.0> : vector<128xf32>\n";
  const std::string push = " {mxu_index = 0 : i32, staging_register = 0 : i32} : ";
  check_twin({"push", "\"tpu.matmul_push_rhs\"(%x)" + push + "(" + kX + ") -> ()",
              flat + "\"tpu.matmul_push_rhs\"(%k)" + push + "(vector<128xf32>) -> ()", "takes a matrix"});
  const std::string lhs = " {acc = 0 : i32, mxu_index = 0 : i32} : ";
  check_twin({"acc", "\"tpu.matmul_acc_lhs\"(%x)" + lhs + "(" + kX + ") -> ()",
              flat + "\"tpu.matmul_acc_lhs\"(%k)" + lhs + "(vector<128xf32>) -> ()", "takes a matrix"});
}

TEST(ComputeVerifier, ALogOfABufferNamesItsDimensions) {
  const auto log = [](const std::string& shape) {
    return "\"tpu.log_buffer\"(%v) {shape = array<i64: " + shape +
           ">, tag = \"x\"} : "
           "(memref<16x128xf32, #tpu.memory_space<vmem>>) -> ()";
  };
  check_twin({"rank", log("16, 128"), log("16"), "prints 1 dimensions"});
}

}  // namespace
}  // namespace millrace::mosaic
