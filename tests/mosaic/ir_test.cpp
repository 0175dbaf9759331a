// SPDX-License-Identifier: Apache-2.0
// The plain tree: types as text, look-ups, and what counts as the same module.
#include "mosaic/ir.h"

#include "mosaic/sample.h"

namespace millrace::mosaic {
namespace {

TEST(Ir, TypesPrintAsMlirPrintsThem) {
  EXPECT_EQ(to_string(Type::scalar(Element::kI32)), "i32");
  EXPECT_EQ(to_string(Type::vector(Element::kBF16, {8, 128})), "vector<8x128xbf16>");
  EXPECT_EQ(to_string(Type::vector(Element::kF32, {})), "vector<f32>");
  EXPECT_EQ(to_string(Type::memref(Element::kF32, {8, kDynamic}, MemorySpace::kAny)),
            "memref<8x?xf32, #tpu.memory_space<any>>");
  EXPECT_EQ(to_string(Type::memref(Element::kDmaSemaphore, {}, MemorySpace::kSemaphore)),
            "memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>");
}

TEST(Ir, ElementsTakeWholeBytes) {
  EXPECT_EQ(size_in_bytes(Element::kI1), 1);
  EXPECT_EQ(size_in_bytes(Element::kI4), 1);
  EXPECT_EQ(size_in_bytes(Element::kBF16), 2);
  EXPECT_EQ(size_in_bytes(Element::kIndex), 8);
  EXPECT_THROW(size_in_bytes(Element::kSemaphore), Error);
}

TEST(Ir, ShorthandsGiveNullForOtherKinds) {
  const Attribute integer{IntegerAttr{3, Element::kI32}}, text{StringAttr{"x"}};
  EXPECT_EQ(*as_integer(&integer), 3);
  EXPECT_EQ(*as_string(&text), "x");
  EXPECT_EQ(as_integer(&text), nullptr);
  EXPECT_EQ(as_string(&integer), nullptr);
  EXPECT_EQ(as_integers(&integer), nullptr);
  EXPECT_EQ(as_dialect(nullptr), nullptr);
}

TEST(Ir, ConstantsHoldTheirBits) {
  const Module module =
      read_module(kernel_text("%a = arith.constant 0xFF800000 : f32\n%d = arith.constant -1 : i8\n%e = arith.constant "
                              "dense<[[1, 2], [3, 4]]> : "
                              "vector<2x2xi16>\n%f = arith.constant dense<[true, false, true]> : vector<3xi1>"),
                  "sample.mlir");
  const auto value = [&](std::size_t i) -> const Attribute& {
    const auto& ops = module.kernel()->body.ops;
    return *ops[ops.size() - 5 + i].find("value");
  };
  EXPECT_EQ(std::get<FloatAttr>(value(0).value).bits, 0xFF800000u);
  EXPECT_EQ(*as_integer(&value(1)), -1);
  const auto& matrix = std::get<DenseElementsAttr>(value(2).value);
  EXPECT_FALSE(matrix.splat);
  EXPECT_EQ(matrix.data, (std::vector<std::byte>{std::byte{1}, std::byte{0}, std::byte{2}, std::byte{0}, std::byte{3},
                                                 std::byte{0}, std::byte{4}, std::byte{0}}));
  const auto& bits = std::get<DenseElementsAttr>(value(3).value);
  EXPECT_FALSE(bits.splat);
  EXPECT_EQ(bits.data, (std::vector<std::byte>{std::byte{1}, std::byte{0}, std::byte{1}}));
  EXPECT_TRUE(same(module, read_module(write_module(module), "again")));
}

TEST(Ir, ModulesDifferByAnyNameTypeOperandOrAttribute) {
  const Module a = read_module(sample_file("add_2d.mlirbc"), "sample");
  EXPECT_TRUE(same(a, a));
  const auto differs = [&](const auto& change) {
    Module b = a;
    change(b.functions.front());
    return !same(a, b, false);
  };
  EXPECT_TRUE(differs([](Function& f) { f.name = "other"; }));
  EXPECT_TRUE(differs([](Function& f) { f.values.front() = Type::scalar(Element::kI1); }));
  EXPECT_TRUE(differs([](Function& f) { f.body.ops.front().name = "other"; }));
  EXPECT_TRUE(differs([](Function& f) { f.body.ops.back().operands.push_back(0); }));
  EXPECT_TRUE(differs([](Function& f) { f.body.ops.front().attributes.front().second = {UnitAttr{}}; }));
  EXPECT_TRUE(differs([](Function& f) { f.body.ops.pop_back(); }));
  EXPECT_FALSE(differs([](Function& f) { f.body.ops.front().location = 0; }));
}

}  // namespace
}  // namespace millrace::mosaic
