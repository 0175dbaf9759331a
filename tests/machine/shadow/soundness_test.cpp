// SPDX-License-Identifier: Apache-2.0
// Random programs on tiles, run twice with other data in an input that counts as unwritten: an element of the output
// that comes out otherwise must be told undefined. One seed is one program.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "tile_kernels.h"

namespace millrace::test {
namespace {

const std::string kVector = "vector<4x8xi32>", kFloat = "vector<4x8xf32>", kTruth = "vector<4x8xi1>";
constexpr std::int64_t kElements = 32;

// Undefined elements of the one output.
class UndefinedElements final : public event::Observer {
 public:
  void on(const event::RegionAllocated& e) override {
    if (e.name == "out0") out_ = e.memory;
  }
  void on(const event::UndefinedUsed& e) override {
    if (e.use == event::Use::kOutput && e.memory == out_)
      for (const event::Box& b : e.boxes) add(b);
  }
  std::vector<bool> elements = std::vector<bool>(kElements);

 private:
  void add(const event::Box& b) {
    for (std::int64_t r = b.ranges[0].begin; r < b.ranges[0].end; r += b.ranges[0].stride)
      for (std::int64_t c = b.ranges[1].begin; c < b.ranges[1].end; c += b.ranges[1].stride)
        elements[static_cast<std::size_t>(8 * r + c)] = true;
  }
  event::MemoryId out_ = 0;
};

class Program {
 public:
  explicit Program(std::uint64_t seed) : random_(seed) {
    line("%c0 = arith.constant 0 : index\n%c2 = arith.constant 2 : index\n%one = arith.constant 1 : i32");
    tiles_ = {load("%x"), load("%p")};
    const std::string top = fresh();
    line("{} = vector.load %p[%c2, %c0] : REF, vector<2x8xi32>", top);
    line("vector.store {}, %t[%c0, %c0] : REF, VEC", tiles_[0]);
    line("vector.store {}, %t[%c2, %c0] : REF, vector<2x8xi32>", top);
    tiles_.push_back(load("%t"));
    for (int i = 0; i < 8; ++i) tiles_.push_back(step());
    line("vector.store {}, %o[%c0, %c0] : REF, VEC", tiles_.back());
  }

  mosaic::Module module() const {
    std::string text = text_;
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"REF", vmem_type("4x8xi32")}, {"VEC", kVector}})
      for (std::size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), to);
    return module_of(kernel_text(fmt::format("%x: {0}, %p: {0}, %o: {0}, %t: {0}", vmem_type("4x8xi32")), text, 1));
  }

 private:
  std::uint64_t pick(std::uint64_t n) { return random_() % n; }
  std::string fresh() { return fmt::format("%v{}", next_++); }
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  const std::string& tile() { return tiles_[pick(tiles_.size())]; }
  std::string load(const std::string& from) {
    const std::string v = fresh();
    line("{} = vector.load {}[%c0, %c0] : REF, VEC", v, from);
    return v;
  }
  template <class... Args>
  std::string made(fmt::format_string<Args...> format, Args&&... args) {
    const std::string v = fresh();
    text_ += v + " = " + fmt::format(format, std::forward<Args>(args)...) + "\n";
    return v;
  }
  std::string scalar() { return made("vector.extract {}[{}, {}] : i32 from VEC", tile(), pick(4), pick(8)); }
  std::string truth() { return made("arith.cmpi {}, {}, {} : VEC", pick(2) ? "slt" : "eq", tile(), tile()); }
  std::string constant() {
    static const char* const kNumbers[] = {"0", "-1", "8", "16", "65535", "-65536", "24"};
    return made("arith.constant dense<{}> : VEC", kNumbers[pick(7)]);
  }
  std::string rows(const std::string& of, std::uint64_t first) {
    return made(
        "vector.extract_strided_slice {} {{offsets = [{}, 0], sizes = [2, 8], strides = [1, 1]}} : VEC to "
        "vector<2x8xi32>",
        of, first);
  }

  std::string step() {
    switch (pick(10)) {
      case 0:
      case 1:
      case 2: return integers();
      case 3: return made("arith.select {}, {}, {} : {}, VEC", truth(), tile(), tile(), kTruth);
      case 4: return bits();
      case 5: return floats();
      case 6: return folds();
      case 7: return through_memory();
      default: return moves();
    }
  }

  std::string integers() {
    static const char* const kOps[] = {"addi",  "subi",  "muli",  "andi",  "ori",   "xori",  "shli",
                                       "shrui", "shrsi", "maxsi", "minui", "divsi", "remsi", "remui"};
    const std::string left = tile(), right = pick(2) ? constant() : tile();
    return made("arith.{} {}, {} : VEC", kOps[pick(std::size(kOps))], left, right);
  }

  std::string bits() {
    switch (pick(3)) {
      case 0: {
        const std::string narrow = made("arith.trunci {} : VEC to vector<4x8xi16>", tile());
        return made("arith.ext{} {} : vector<4x8xi16> to VEC", pick(2) ? "si" : "ui", narrow);
      }
      case 1: {
        const std::string wide = tile();
        const std::string half = made("\"tpu.bitcast\"({}) : (VEC) -> vector<8x8xi16>", wide);
        const std::string turned = made(
            "\"tpu.dynamic_rotate\"({}, %one) {{dimension = 0 : si32}} : (vector<8x8xi16>, i32) -> vector<8x8xi16>",
            half);
        return made("\"tpu.bitcast\"({}) : (vector<8x8xi16>) -> VEC", turned);
      }
      default: {
        const std::string truths = made("arith.{} {}, {} : {}", pick(2) ? "andi" : "ori", truth(), truth(), kTruth);
        return made("arith.extui {} : {} to VEC", truths, kTruth);
      }
    }
  }

  std::string floats() {
    static const char* const kOps[] = {"addf", "mulf", "subf", "maximumf", "divf"};
    const std::string a = made("arith.sitofp {} : VEC to {}", tile(), kFloat);
    const std::string b = made("arith.sitofp {} : VEC to {}", pick(2) ? tile() : constant(), kFloat);
    const std::string c = made("arith.{} {}, {} : {}", kOps[pick(5)], a, b, kFloat);
    return pick(2) ? made("arith.bitcast {} : {} to VEC", c, kFloat) : made("arith.fptosi {} : {} to VEC", c, kFloat);
  }

  std::string folds() {
    if (pick(2)) {
      const bool along = pick(2) != 0;
      const std::string shape = along ? "vector<4xi32>" : "vector<8xi32>",
                        wide = along ? "vector<4x1xi32>" : "vector<1x8xi32>";
      const std::string zero = made("arith.constant dense<0> : {}", shape);
      const std::string sum =
          made("vector.multi_reduction <add>, {}, {} [{}] : VEC to {}", tile(), zero, along ? 1 : 0, shape);
      const std::string row = made("vector.shape_cast {} : {} to {}", sum, shape, wide);
      return made("vector.broadcast {} : {} to VEC", row, wide);
    }
    const std::string zero = made("arith.constant dense<0> : vector<4x4xi32>");
    const std::string product = made(
        "\"tpu.matmul\"({}, {}, {}) {{transpose_lhs = false, transpose_rhs = true}} : (VEC, VEC, "
        "vector<4x4xi32>) -> vector<4x4xi32>",
        tile(), pick(2) ? constant() : tile(), zero);
    return made("\"tpu.repeat\"({}) {{dimension = 1 : i32, times = 2 : i32}} : (vector<4x4xi32>) -> VEC", product);
  }

  std::string through_memory() {
    const std::string stored = tile();
    switch (pick(3)) {
      case 0: {
        const std::string mask = truth();
        line(
            "\"tpu.vector_store\"({}, %t, %c0, %c0, {}) {{add = false, operandSegmentSizes = array<i32: 1, 1, 2, 1>, "
            "strides = array<i32>}} : (VEC, REF, index, index, {}) -> ()",
            stored, mask, kTruth);
        return load("%t");
      }
      case 1: {
        line(
            "\"tpu.strided_store\"({}, %t, %c0, %c0) {{strides = array<i32: 2, 1>}} : (vector<2x8xi32>, REF, index, "
            "index) -> ()",
            rows(stored, pick(3)));
        return load("%t");
      }
      default: {
        line("vector.store {}, %t[%c2, %c0] : REF, vector<2x8xi32>", rows(stored, pick(3)));
        const std::string half = made(
            "\"tpu.strided_load\"(%t, %c0, %c0) {{strides = array<i32: 2, 1>}} : (REF, index, index) -> "
            "vector<2x8xi32>");
        return made("\"tpu.concatenate\"({}, {}) {{dimension = 0 : i32}} : (vector<2x8xi32>, vector<2x8xi32>) -> VEC",
                    half, half);
      }
    }
  }

  std::string moves() {
    switch (pick(4)) {
      case 0:
        return made("\"tpu.dynamic_rotate\"({}, {}) {{dimension = {} : si32}} : (VEC, i32) -> VEC", tile(),
                    pick(2) ? "%one" : scalar(), pick(2));
      case 1:
        return made("\"tpu.dynamic_gather\"({}, {}) {{dimensions = array<i32: {}>}} : (VEC, VEC) -> VEC", tile(),
                    tile(), pick(2));
      case 2: return made("vector.broadcast {} : i32 to VEC", scalar());
      default: {
        const std::string a = rows(tile(), pick(3)), b = rows(tile(), pick(3));
        return made("\"tpu.concatenate\"({}, {}) {{dimension = 0 : i32}} : (vector<2x8xi32>, vector<2x8xi32>) -> VEC",
                    a, b);
      }
    }
  }

  std::mt19937_64 random_;
  std::string text_;
  std::vector<std::string> tiles_;
  int next_ = 0;
};

Array numbers(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Array a(i32, {4, 8});
  for (std::int32_t& v : a.as<std::int32_t>()) v = static_cast<std::int32_t>(random() % 2 ? random() : random() % 16);
  return a;
}

TEST(Soundness, WhatDependsOnUndefinedDataIsToldUndefined) {
  int changed = 0, defined = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const mosaic::Module module = Program(seed).module();
    const Array x = numbers(seed);
    std::vector<std::vector<bool>> undefined;
    std::vector<Array> outs;
    for (std::uint64_t poison = 1; poison <= 4; ++poison) {
      UndefinedElements told;
      outs.push_back(run(module, {x, numbers(1000 * seed + poison)}, {{i32, {4, 8}}},
                         {.observers = {&told}, .environment = {.unwritten = {1}}, .definedness = true})
                         .out());
      undefined.push_back(told.elements);
    }
    for (std::size_t e = 0; e < kElements; ++e) {
      defined += !undefined[0][e];
      for (std::size_t k = 1; k < outs.size(); ++k) {
        if (outs[k].as<std::int32_t>()[e] == outs[0].as<std::int32_t>()[e]) continue;
        ++changed;
        ASSERT_TRUE(undefined[0][e]) << "seed " << seed << ", element " << e;
      }
    }
  }
  EXPECT_GT(changed, 5000);  // or the programs say little
  EXPECT_GT(defined, 1000);
}

}  // namespace
}  // namespace millrace::test
