// SPDX-License-Identifier: Apache-2.0
// The corpus, and mutants of the seeds under fixed seeds: a slice of what the fuzzers do, without libFuzzer, so that
// every compiler and the sanitizers run it. MILLRACE_FUZZ_RUNS mutants a target from MILLRACE_FUZZ_SEED on; the input
// that a process died of stays in a file.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "bytecode_frame.h"
#include "millrace/error.h"
#include "mosaic/bytecode_guard.h"
#include "mosaic/io.h"
#include "mutate.h"
#include "seeds.h"
#include "targets.h"
#include "try_module.h"
#include "words.h"

namespace millrace::fuzz {
namespace {

std::uint64_t given(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Left behind where the process dies in it.
std::string last_input() {
  static const std::string path =
      std::filesystem::temp_directory_path() / fmt::format("millrace-fuzz-last-input-{}", ::getpid());
  return path;
}

void run_kept(const Target& target, const std::string& bytes) {
  std::ofstream(last_input(), std::ios::binary) << bytes;
  target.run(bytes);
}

class RemovesTheLastInput : public testing::Environment {
  void TearDown() override {
    std::error_code ignored;
    if (testing::UnitTest::GetInstance()->Passed()) std::filesystem::remove(last_input(), ignored);
  }
};
const testing::Environment* const kRemover = testing::AddGlobalTestEnvironment(new RemovesTheLastInput);

class EveryTarget : public testing::TestWithParam<std::string> {};

TEST_P(EveryTarget, AnswersItsSeedsAndCorpus) {
  const std::vector<Seed> seeds = seeds_of(GetParam());
  ASSERT_GE(seeds.size(), 3u);
  for (const Seed& seed : seeds) {
    SCOPED_TRACE(seed.name);
    EXPECT_NO_THROW(run_kept(target_named(GetParam()), seed.bytes));
  }
}

TEST_P(EveryTarget, AnswersMutants) {
  const Target& target = target_named(GetParam());
  const std::vector<Seed> seeds = seeds_of(GetParam());
  const std::uint64_t runs = given("MILLRACE_FUZZ_RUNS", 200), seed = given("MILLRACE_FUZZ_SEED", 1);
  for (std::uint64_t i = 0; i < runs; ++i) {
    SCOPED_TRACE(i);
    Random random(seed << 32 | i);
    const std::string mutant = target.mutate(random.of(seeds).bytes, random.of(seeds).bytes, random);
    EXPECT_NO_THROW(run_kept(target, mutant)) << "the input is in " << last_input();
    if (HasFailure()) return;
  }
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const Target& target : targets()) result.push_back(target.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Fuzz, EveryTarget, testing::ValuesIn(names()), [](const auto& name) { return name.param; });

// Each word of MLIR's in each place where a text has an attribute or a type.
TEST(Words, AreAnsweredInText) {
  const auto kernel = [](const std::string& body) {
    return "module { func.func @main() attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, "
           "scratch_operands = 0 : i64} { " +
           body + " return } }";
  };
  for (const std::string_view word : attribute_words()) {
    SCOPED_TRACE(word);
    const std::string attribute(word);
    EXPECT_NO_THROW(run_kept(target_named("text"), kernel("\"tpu.trace_stop\"() {a = " + attribute + "} : () -> ()")));
    EXPECT_NO_THROW(
        run_kept(target_named("text"), kernel("%0 = \"arith.constant\"() {value = " + attribute + "} : () -> i32")));
    EXPECT_NO_THROW(run_kept(target_named("text"), "#a = " + attribute + "\nmodule attributes {a = #a} {}"));
  }
  for (const std::string_view word : type_words()) {
    SCOPED_TRACE(word);
    const std::string type(word);
    EXPECT_NO_THROW(
        run_kept(target_named("text"), kernel("%0 = \"arith.constant\"() {value = 0 : " + type + "} : () -> " + type)));
    EXPECT_NO_THROW(run_kept(target_named("text"), kernel("%0 = \"tpu.region\"() ({}) : () -> " + type)));
    EXPECT_NO_THROW(
        run_kept(target_named("text"),
                 "module attributes {stable_mosaic.version = 9 : i64} { %0 = \"stable_mosaic.func.func\"() ({ "
                 "^bb0(%a: " +
                     type + "): }) {function_type = (" + type +
                     ") -> (), sym_name = \"main\"} : "
                     "() -> () }"));
  }
}

// ... and for each attribute and type of a bytecode file.
TEST(Words, AreAnsweredInBytecode) {
  std::vector<Seed> seeds = seeds_of("bytecode");
  std::ranges::sort(seeds, {}, [](const Seed& seed) { return seed.bytes.size(); });
  auto frame = take_apart(seeds.front().bytes);
  ASSERT_TRUE(frame) << seeds.front().name;
  for (const bool types : {false, true}) {
    for (TableEntry& entry : types ? frame->types : frame->attributes) {
      const TableEntry kept = entry;
      for (const std::string_view word : types ? type_words() : attribute_words()) {
        entry.coded = false, entry.bytes = std::string(word) + '\0';
        EXPECT_NO_THROW(run_kept(target_named("bytecode"), put_together(*frame))) << word;
      }
      entry = kept;
    }
  }
}

TEST(BytecodeFrame, IsPutTogetherAsItWas) {
  const std::vector<Seed> seeds = seeds_of("bytecode");
  const std::size_t bent = corpus_of("bytecode").size();  // the first ones
  ASSERT_GT(seeds.size(), bent);
  for (std::size_t i = bent; i < seeds.size(); ++i) {
    SCOPED_TRACE(seeds[i].name);
    const auto frame = take_apart(seeds[i].bytes);
    ASSERT_TRUE(frame);
    EXPECT_EQ(put_together(*frame), seeds[i].bytes);
  }
  EXPECT_FALSE(take_apart("module {}"));
  EXPECT_FALSE(
      take_apart("ML\xefR\x01"
                 "cut"));
}

TEST(Mutators, KeepMostModulesReadable) {
  const std::vector<Seed> seeds = seeds_of("bytecode");
  std::size_t framed = 0, read = 0, changed = 0;
  for (std::size_t i = 0; i < 200; ++i) {
    Random random(i);
    const std::string& seed = random.of(seeds).bytes;
    const std::string mutant = mutate_module(seed, random.of(seeds).bytes, random);
    changed += mutant != seed;
    framed += answered([&] { mosaic::check_bytecode(mutant, "mutant"); });
    read += answered([&] { mosaic::read_module(mutant, "mutant"); });
  }
  EXPECT_GT(changed, 150u);
  EXPECT_GT(framed, 80u);
  EXPECT_GT(read, 8u);
}

TEST(Mutators, ChangeTreesThatStillVerify) {
  const std::vector<Seed> seeds = seeds_of("bytecode");
  std::size_t changed = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    Random random(i);
    const std::string& seed = random.of(seeds).bytes;
    if (!answered([&] { mosaic::read_module(seed, "seed"); })) continue;  // of the corpus
    const std::string mutant = mutate_tree(seed, random);
    EXPECT_NO_THROW(changed +=
                    !mosaic::same(mosaic::read_module(mutant, "mutant"), mosaic::read_module(seed, "seed"), false));
  }
  EXPECT_GT(changed, 20u);
}

TEST(Mutators, FollowTheirSeed) {
  const std::vector<Seed> seeds = seeds_of("text");
  Random one(7), two(7), three(8);
  const std::string first = mutate_text(seeds[1].bytes, seeds[0].bytes, one);
  EXPECT_EQ(first, mutate_text(seeds[1].bytes, seeds[0].bytes, two));
  EXPECT_NE(first, mutate_text(seeds[1].bytes, seeds[0].bytes, three));
}

TEST(Targets, TellABugFromARefusal) {
  EXPECT_FALSE(answered([] { throw Error(ErrorCode::kUser, "a sentence"); }));
  EXPECT_FALSE(answered([] { throw Error(ErrorCode::kUnsupported, "a sentence"); }));
  EXPECT_THROW(answered([] { throw Error(ErrorCode::kInternal, "a bug"); }), Error);
  EXPECT_THROW(answered([] { throw std::out_of_range("a bug"); }), std::out_of_range);
}

}  // namespace
}  // namespace millrace::fuzz
