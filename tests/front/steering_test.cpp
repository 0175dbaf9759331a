// SPDX-License-Identifier: Apache-2.0
// Which inputs steer: each kernel stands beside a twin in which the same input is only computed with.
#include "front/steering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "front/files.h"
#include "front/module_file.h"

namespace millrace::front {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Inputs: two numbers in SMEM, one output there. %i and %j are the numbers, %c0 and %c1 indices, %one a number.
std::vector<std::string> steering(const std::string& body,
                                  const std::vector<program::Environment::Alias>& aliases = {}) {
  const std::string memory = "memref<1xi32, #tpu.memory_space<smem>>";
  const std::string text = "module {\nfunc.func @main(%x: " + memory + ", %y: " + memory + ", %out: " + memory +
                           ", %sem: memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>) attributes "
                           "{dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 1 : i64} {\n"
                           "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
                           "%one = arith.constant 1 : i32\n%ten = arith.constant 10 : i32\n"
                           "%i = memref.load %x[%c0] : " +
                           memory + "\n%j = memref.load %y[%c0] : " + memory + "\n" +
                           "%small = arith.cmpi slt, %i, %ten : i32\n" + body + "\nreturn\n}\n}\n";
  return steering_inputs(mosaic::read_module(text, "kernel.mlir"), 2, aliases);
}

std::string store(const std::string& value, const std::string& memory = "%out") {
  return "memref.store " + value + ", " + memory + "[%c0] : memref<1xi32, #tpu.memory_space<smem>>\n";
}

TEST(Steering, ABranchDoesAndASelectDoesNot) {
  EXPECT_THAT(steering("scf.if %small {\n" + store("%j") + "}"), ElementsAre("in0"));
  EXPECT_THAT(steering("%s = arith.select %small, %i, %j : i32\n" + store("%s")), IsEmpty());
}

TEST(Steering, TheBoundsOfALoopDoAndWhatItCarriesDoesNot) {
  const auto loop = [](const std::string& bound) {
    return "%r = scf.for %k = %one to " + bound +
           " step %one iter_args(%a = %i) -> (i32) : i32 {\n"
           "%b = arith.addi %a, %j : i32\nscf.yield %b : i32\n}\n" +
           store("%r");
  };
  EXPECT_THAT(steering(loop("%j")), ElementsAre("in1"));
  EXPECT_THAT(steering(loop("%ten")), IsEmpty());
}

// %k counts, %a adds up %j; the twin asks %a.
TEST(Steering, TheConditionOfAWhileDoesAndWhatElseItCarriesDoesNot) {
  const auto loop = [](const std::string& asked) {
    return "%r:2 = scf.while (%k = %one, %a = %i) : (i32, i32) -> (i32, i32) {\n"
           "%more = arith.cmpi slt, " +
           asked +
           ", %ten : i32\nscf.condition(%more) %k, %a : i32, i32\n} do {\n"
           "^bb0(%k: i32, %a: i32):\n%m = arith.addi %k, %one : i32\n%b = arith.addi %a, %j : i32\n"
           "scf.yield %m, %b : i32, i32\n}\n" +
           store("%r#1");
  };
  EXPECT_THAT(steering(loop("%k")), IsEmpty());
  EXPECT_THAT(steering(loop("%a")), ElementsAre("in0", "in1"));
}

TEST(Steering, AnAddressDoes) {
  const std::string at = "%at = arith.index_cast %i : i32 to index\n";
  EXPECT_THAT(steering(at + "%v = memref.load %y[%at] : memref<1xi32, #tpu.memory_space<smem>>\n" + store("%v")),
              ElementsAre("in0"));
  EXPECT_THAT(steering(at + "%v = arith.index_cast %at : index to i32\n" + store("%v")), IsEmpty());
}

TEST(Steering, AnAmountDoes) {
  const auto wait = [](const std::string& amount) {
    return "\"tpu.sem_wait\"(%sem, " + amount +
           ") : (memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>, i32) -> ()";
  };
  EXPECT_THAT(steering(wait("%i")), ElementsAre("in0"));
  EXPECT_THAT(steering(wait("%one")), IsEmpty());
}

TEST(Steering, WhatIsStoredUnderAConditionComesFromIt) {
  const std::string back = "%v = memref.load %out[%c0] : memref<1xi32, #tpu.memory_space<smem>>\n";
  const std::string asked = "%low = arith.cmpi slt, %v, %ten : i32\nscf.if %low {\n" + store("%one") + "}";
  EXPECT_THAT(steering(store("%j") + back + asked), ElementsAre("in1"));
  EXPECT_THAT(steering(store("%one") + back + asked), IsEmpty());
}

TEST(Steering, GoesThroughTheOtherNameOfAnArray) {
  const std::string back =
      "%v = memref.load %out[%c0] : memref<1xi32, #tpu.memory_space<smem>>\n"
      "%low = arith.cmpi slt, %v, %ten : i32\nscf.if %low {\n" +
      store("%one") + "}";
  EXPECT_THAT(steering(store("%j", "%x") + back, {{0, 0}}), ElementsAre("in0", "in1"));
  EXPECT_THAT(steering(store("%j", "%x") + back), IsEmpty());
}

std::vector<std::string> of_case(const std::string& name, std::size_t inputs) {
  return steering_inputs(read_kernel_file(test::data("cases/kernels_small/" + name + "/kernel.mlirbc")).module, inputs,
                         {});
}

TEST(Steering, OfRealKernels) {
  EXPECT_THAT(of_case("prefetch_gather", 2), ElementsAre("in0"));  // an index map reads it
  EXPECT_THAT(of_case("bounded_slice_rows", 3), ElementsAre("in0", "in1"));
  for (const char* name : {"argmax_ties", "matvec_row"}) EXPECT_THAT(of_case(name, 1), IsEmpty()) << name;
}

}  // namespace
}  // namespace millrace::front
