// SPDX-License-Identifier: Apache-2.0
// What a module alone tells of its arrays, held against the arrays that JAX called it with.
#include "front/signature.h"

#include <gtest/gtest.h>

#include "front/case_folder.h"
#include "front/files.h"

namespace millrace::front {
namespace {

using test::data;
using test::error_of;

// Shapes of all operands as the module alone gives them; an empty text where it gives none.
std::vector<std::string> derived(const std::string& name, const std::vector<std::int64_t>& bounds = {}) {
  const Kernel kernel = read_kernel_file(data("cases/kernels_small/" + name + "/kernel.mlirbc"));
  const Signature signature = signature_of(kernel.module);
  std::vector<std::string> shapes;
  for (const Operand& o : signature.operands) {
    const auto shape = derived_shape(o, bounded_grid(signature, bounds));
    shapes.push_back(shape ? to_string(*shape) : "");
  }
  return shapes;
}

std::vector<std::string> stated(const std::string& name) {
  const CaseFolder c = read_case_folder(data("cases/kernels_small/" + name));
  std::vector<std::string> shapes;
  for (std::size_t i = c.bounds; i < c.inputs.size(); ++i) shapes.push_back(to_string(c.inputs[i].tensor.shape));
  for (const CaseOperand& o : c.outputs) shapes.push_back(to_string(o.tensor.shape));
  return shapes;
}

TEST(Signature, GivesTheShapesOfArraysThatBlocksDivide) {
  for (const char* name : {"several_outputs", "bool_arrays", "vmapped_call", "smem_windows_grid", "no_inputs",
                           "f32_one_tile", "loop_over_grid_ids"}) {
    EXPECT_EQ(derived(name), stated(name)) << name;
  }
}

TEST(Signature, OfArraysWithRaggedEdgesGivesWhatTheBlocksCover) {
  const auto covered = derived("edge_2d");
  EXPECT_NE(covered, stated("edge_2d"));
  EXPECT_EQ(covered.size(), stated("edge_2d").size());
  // And of an array that its blocks do not reach to the end, no more than they reach.
  EXPECT_EQ(derived("alias_in_place"), (std::vector<std::string>{"(24, 128)", "(24, 128)"}));
  EXPECT_EQ(stated("alias_in_place"), (std::vector<std::string>{"(32, 128)", "(32, 128)"}));
}

TEST(Signature, KnowsNoShapeThatHangsOnData) {
  const auto shapes = derived("prefetch_gather");
  EXPECT_NE(shapes[0], "");  // the scalars themselves
  EXPECT_EQ(shapes[1], "");
}

TEST(Signature, DoesNotFollowMapsThroughAGridWithoutEnd) {
  EXPECT_NE(derived("dynamic_grid_two", {500, 500})[0], "");
  for (const std::string& shape : derived("dynamic_grid_two", {std::int64_t{1} << 40, 2}))  // would take days
    EXPECT_EQ(shape, "");
  mosaic::Op nothing;
  nothing.name = "arith.constant";
  Kernel kernel = read_kernel_file(data("cases/kernels_small/dynamic_grid_two/kernel.mlirbc"));
  for (mosaic::Function& f : kernel.module.functions)
    if (f.name.starts_with("transform")) f.body.ops.insert(f.body.ops.begin(), 1000, nothing);
  const Signature longer = signature_of(kernel.module);
  EXPECT_FALSE(derived_shape(longer.operands[0], {500, 500}));
}

TEST(Signature, TakesAsManyBoundsAsTheGridLeavesOpen) {
  const Kernel kernel = read_kernel_file(data("cases/kernels_small/dynamic_grid_two/kernel.mlirbc"));
  const Signature signature = signature_of(kernel.module);
  EXPECT_EQ(signature.dynamic_bounds(), 2u);
  EXPECT_EQ(bounded_grid(signature, {4, 2}), (std::vector<std::int64_t>{4, 2}));
  EXPECT_EQ(error_of([&] { bounded_grid(signature, {4}); }),
            "user: the grid has 2 dynamic bounds, but 1 were given (--grid-bound N, once for each)");
  EXPECT_EQ(error_of([&] { bounded_grid(signature, {4, -1}); }), "user: a grid bound of -1; bounds are 0 or more");
}

TEST(Signature, RefusesElementsThatNoArrayHas) {
  EXPECT_EQ(array_dtype(mosaic::Element::kBF16, "in0"), bf16);
  EXPECT_EQ(error_of([] { array_dtype(mosaic::Element::kF64, "in0"); }).substr(0, 36),
            "unsupported: in0 has the type f64; a");
}

}  // namespace
}  // namespace millrace::front
