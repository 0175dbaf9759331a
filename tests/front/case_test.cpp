// SPDX-License-Identifier: Apache-2.0
// Case folders: those of the project as they are, and spoiled copies of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "front/case_compare.h"
#include "front/case_run.h"
#include "front/files.h"

namespace millrace::front {
namespace {

using test::data;
using test::error_of;
using test::Folder;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using Json = nlohmann::json;

Array floats(const std::vector<float>& values) {
  return Array::from(values, {static_cast<std::int64_t>(values.size())});
}

TEST(CompareArrays, HoldsBitsUpToTheSignOfZeroAndNaN) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(compare_arrays(floats({0, nan}), floats({-0.0f, -nan}), 0, 0), "");
  EXPECT_EQ(compare_arrays(floats({1, 2, 3}), floats({1, 2.5f, 4}), 0, 0),
            "2 of 3 elements differ, the first at (1,): 2, expected 2.5");
  EXPECT_NE(compare_arrays(floats({nan}), floats({1}), 1, 1), "");
  EXPECT_NE(compare_arrays(floats({1}), floats({nan}), 1, 1), "");
}

TEST(CompareArrays, TakesTheTolerance) {
  EXPECT_EQ(compare_arrays(floats({100.5f}), floats({100}), 0.005, 0), "");
  EXPECT_NE(compare_arrays(floats({100.6f}), floats({100}), 0.005, 0), "");
  EXPECT_EQ(compare_arrays(floats({0.01f}), floats({0}), 0, 0.02), "");
  const float infinite = std::numeric_limits<float>::infinity();
  EXPECT_NE(compare_arrays(floats({1}), floats({infinite}), 1, 1), "");
  EXPECT_EQ(compare_arrays(floats({infinite}), floats({infinite}), 1, 1), "");
}

Finding race() {
  Finding f;
  f.id = "race.read-write", f.memory = "scratch0", f.schedules = "all";
  f.first = Side{"DMA write", "a.py:3", 0, 0, 0, {}, ""};
  f.second = Side{"core read", "a.py:5", 2, 0, 0, {}, ""};
  f.box = {{0, 8, 1}};
  return f;
}

Json expected_race() {
  return Json::parse(R"([{"id": "race.read-write", "memory": "scratch0", "schedules": "all", "box": [[0, 8]],
    "first": {"access": "DMA write", "at": "a.py:3", "nth": 0},
    "second": {"access": "core read", "at": "a.py:5", "nth": 2}}])");
}

TEST(CompareFindings, MatchesOneToOne) {
  EXPECT_THAT(compare_findings({race()}, expected_race()).wrong, IsEmpty());
  EXPECT_THAT(compare_findings({}, expected_race()).wrong, ElementsAre(HasSubstr("not reported: race.read-write")));
  EXPECT_THAT(compare_findings({race(), race()}, expected_race()).wrong,
              ElementsAre(HasSubstr("reported, not expected: race.read-write of scratch0")));
  EXPECT_THAT(compare_findings({race()}, Json::array()).wrong, ElementsAre(HasSubstr("reported, not expected")));
}

TEST(CompareFindings, NeedsPlacesSidesAndSchedules) {
  for (const char* change : {"id", "memory", "schedules", "access", "at"}) {
    Json expected = expected_race();
    Json& target = expected[0].contains(change) ? expected[0][change] : expected[0]["second"][change];
    target = "another";
    EXPECT_FALSE(compare_findings({race()}, expected).wrong.empty()) << change;
  }
  Json expected = expected_race();
  expected[0]["memory"] = "in0", expected[0]["same_memory"] = {"in0", "scratch0"};
  EXPECT_THAT(compare_findings({race()}, expected).wrong, IsEmpty());
}

TEST(CompareFindings, HoldACoreOnlyWhereTheCaseNamesOne) {
  Finding there = race();
  there.second->core = 1;
  EXPECT_THAT(compare_findings({there}, expected_race()).wrong, IsEmpty());
  Json expected = expected_race();
  expected[0]["second"]["core"] = 1;
  EXPECT_THAT(compare_findings({there}, expected).wrong, IsEmpty());
  EXPECT_FALSE(compare_findings({race()}, expected).wrong.empty());
}

TEST(CompareFindings, TakeListsOfBoxesForTheElementsThatTheyHold) {
  Finding f;
  f.id = "uncovered.output", f.memory = "out0", f.schedules = "all", f.boxes = {{{5, 22, 8}, {0, 4, 1}}};
  Json right = Json::parse(R"([{"id": "uncovered.output", "memory": "out0", "schedules": "all",
    "boxes": [[[5, 6], [0, 4]], [[13, 14], [0, 4]], [[21, 22], [0, 4]]]}])");
  EXPECT_THAT(compare_findings({f}, right).inexact, IsEmpty());
  for (const char* other : {"[[[5, 6], [0, 4]], [[13, 14], [0, 4]]]", "[[[5, 22], [0, 4]]]", "[[[5, 22, 8]]]",
                            "[[[5, 6], [0, 4]], [[13, 14], [0, 4]], [[21, 22], [0, 5]]]"}) {
    right[0]["boxes"] = Json::parse(other);
    EXPECT_EQ(compare_findings({f}, right).inexact.size(), 1u) << other;
  }
}

TEST(CompareFindings, CallsDetailsInexact) {
  Json nth = expected_race(), box = expected_race();
  nth[0]["second"]["nth"] = 3, box[0]["box"] = Json::parse("[[0, 4]]");
  for (const Json& expected : {nth, box}) {
    const Comparison c = compare_findings({race()}, expected);
    EXPECT_THAT(c.wrong, IsEmpty());
    EXPECT_EQ(c.inexact.size(), 1u);
  }
}

// A finding without sides goes by what it has instead; the rest are details.
TEST(CompareFindings, HoldsTheFieldsOfFindingsWithoutSides) {
  Finding f;
  f.id = "alias.hazard", f.memory = "in0", f.output = "out0", f.schedules = "all";
  f.block = {1, 0}, f.grid_step = {2}, f.written_in = {1};
  const Json right = Json::parse(R"([{"id": "alias.hazard", "memory": "in0", "output": "out0", "schedules": "all",
    "block": [1, 0], "grid_step": [2], "written_in": [1]}])");
  EXPECT_THAT(compare_findings({f}, right).wrong, IsEmpty());
  EXPECT_THAT(compare_findings({f}, right).inexact, IsEmpty());
  for (const char* field : {"block", "grid_step", "memory", "schedules"}) {
    Json wrong = right;
    wrong[0][field] = right[0][field].is_string() ? Json("x") : Json::array({7});
    EXPECT_FALSE(compare_findings({f}, wrong).wrong.empty()) << field;
  }
  for (const char* field : {"output", "written_in"}) {
    Json other = right;
    other[0][field] = right[0][field].is_string() ? Json("x") : Json::array({7});
    EXPECT_THAT(compare_findings({f}, other).wrong, IsEmpty()) << field;
    EXPECT_EQ(compare_findings({f}, other).inexact.size(), 1u) << field;
  }
}

TEST(CompareFindings, HoldsSemaphoresPlacesAndAmounts) {
  Finding f;
  f.id = "leftover.semaphore", f.semaphore = "scratch0", f.at = "k.py:3", f.count = 2, f.schedules = "all";
  Json right = Json::parse(R"([{"id": "leftover.semaphore", "semaphore": "scratch0", "at": "k.py:3", "count": 2,
    "schedules": "all"}])");
  EXPECT_THAT(compare_findings({f}, right).wrong, IsEmpty());
  right[0]["count"] = 3;
  EXPECT_THAT(compare_findings({f}, right).inexact, ElementsAre(HasSubstr("another count than 3")));
  right[0]["at"] = "k.py:4";
  EXPECT_FALSE(compare_findings({f}, right).wrong.empty());
  right[0]["at"] = 4;
  EXPECT_THAT(compare_findings({}, right).wrong, ElementsAre(HasSubstr("case.json: findings: ")));
}

TEST(CompareFindings, AllowUndefinedElementsThatAnExpectedRaceTouchesAndWarnings) {
  Finding undefined, warning;
  undefined.id = "uninitialized.read", undefined.memory = "scratch0", undefined.box = {{0, 8, 1}};
  undefined.second = Side{"core read", "a.py:5", 0, 0, 0, {}, ""};
  warning.id = "target.semaphore", warning.severity = Severity::kWarning;
  EXPECT_THAT(compare_findings({race(), undefined, warning}, expected_race()).wrong, IsEmpty());
  undefined.memory = "scratch1";
  EXPECT_EQ(compare_findings({race(), undefined}, expected_race()).wrong.size(), 1u);
}

TEST(CompareFindings, SaysWhatIsNotCheckedYet) {
  EXPECT_THAT(compare_findings({}, Json::parse(R"([{"id": "some.rule"}])")).wrong,
              ElementsAre("not checked yet: some.rule"));
}

// A copy of a case, to be spoiled.
class Spoiled {
 public:
  explicit Spoiled(const std::string& name) {
    for (const auto& file : std::filesystem::directory_iterator(data("cases/kernels_small/" + name)))
      std::filesystem::copy(file.path(), folder_.path());
    json = Json::parse(test::text_of(folder_ / "case.json"));
  }
  CaseResult run(const CaseOptions& options = {}) {
    std::ofstream(folder_ / "case.json") << json;
    return run_case(folder_.path(), options);
  }
  const Folder& folder() const { return folder_; }
  Json json;

 private:
  Folder folder_;
};

TEST(Case, PassesAsItIs) {
  for (const char* name : {"alias_in_place", "dynamic_grid_two", "bool_arrays", "threefry_bits"}) {
    const CaseResult r = Spoiled(name).run();
    EXPECT_TRUE(r.passed) << name << ": " << r.reasons.at(0);
  }
}

TEST(Case, FailsWhereAnOutputDiffers) {
  Spoiled c("alias_in_place");
  Array out = read_npy(c.folder() / "out0.npy");
  out.as<float>()[5] += 1;
  write_npy(c.folder() / "out0.npy", out);
  EXPECT_THAT(c.run().reasons, ElementsAre(HasSubstr("out0: 1 of 4096 elements differ, the first at (0, 5)")));
}

TEST(Case, FailsWhereTheVerdictDiffers) {
  Spoiled c("alias_in_place");
  c.json["verdict"] = "faulty";
  EXPECT_THAT(c.run().reasons, ElementsAre("case.json says faulty, but names no finding"));
  c.json["findings"] = Json::parse(R"([{"id": "deadlock", "waiters": []}])");
  EXPECT_THAT(c.run().reasons, ElementsAre(HasSubstr("not reported: deadlock")));
}

TEST(Case, ComparesTheClassesOfAllSchedulesWhereTheyAreExplored) {
  CaseOptions explored;
  explored.explore = true;
  Spoiled c("alias_in_place");
  EXPECT_THAT(c.run(explored).reasons, IsEmpty());  // a clean kernel has one
  c.json["classes"] = 3, c.json["classes_deadlocked"] = 1;
  EXPECT_THAT(c.run().reasons, IsEmpty());
  EXPECT_THAT(c.run(explored).reasons, ElementsAre("classes 1, expected 3", "classes_deadlocked 0, expected 1"));
}

TEST(Case, SaysThatTheBoundOfClassesWasReached) {
  Spoiled c("../random_small/r0048");
  for (Json& input : c.json["inputs"]) input.erase("file");
  CaseOptions explored;
  explored.explore = true;
  const auto reasons = c.run(explored).reasons;
  EXPECT_THAT(reasons, Not(Contains(HasSubstr("classes"))));
  explored.max_classes = 4;
  EXPECT_THAT(c.run(explored).reasons,
              IsSupersetOf({std::string("classes at least 4, expected 6"),
                            std::string("not all schedules were explored: stopped after 4 classes")}));
}

TEST(Case, NamesWhatIsNotSupported) {
  Spoiled c("alias_in_place");
  c.json["inputs"][0]["dtype"] = "f64";
  EXPECT_THAT(c.run().reasons, ElementsAre(HasSubstr("unsupported: ")));
}

TEST(Case, RefusesMachinesOfASizeThatThereIsNot) {
  Spoiled c("alias_in_place");
  c.json["cores"] = 65;
  EXPECT_THAT(c.run().reasons, ElementsAre("--cores 65: take 1 to 64"));
  c.json["cores"] = 1, c.json["devices"] = 0;
  EXPECT_THAT(c.run().reasons, ElementsAre("--devices 0: take 1 to 256"));
}

// Where no case.json says otherwise, all devices have the same arrays, and all must come out right.
TEST(Case, RunsOnSeveralDevicesWithTheFilesOfEach) {
  Spoiled c("alias_in_place");
  c.json["devices"] = 2;
  EXPECT_THAT(c.run().reasons, testing::IsEmpty());
  c.json["outputs"][0].erase("file");
  c.json["outputs"][0]["files"] = {"out0.npy", "other.npy"};
  Array out = read_npy(c.folder() / "out0.npy");
  out.as<float>()[5] += 1;
  write_npy(c.folder() / "other.npy", out);
  EXPECT_THAT(c.run().reasons, ElementsAre(HasSubstr("out0 of device 1: 1 of 4096 elements differ")));
  c.json["outputs"][0]["files"] = {"out0.npy", "other.npy", "other.npy"};
  EXPECT_THAT(c.run().reasons, ElementsAre(HasSubstr("3 files for 2 devices")));
}

TEST(Case, RefusesDamagedFoldersWithASentence) {
  Spoiled c("alias_in_place");
  c.json["outputs"][0]["shape"] = {32, 129};
  EXPECT_EQ(c.run().reasons.size(), 1u);
  c.json["inputs"][0]["dtype"] = "f99";
  EXPECT_THAT(c.run().reasons, ElementsAre(HasSubstr("arrays of f99 are not supported")));
  c.json.erase("inputs");
  EXPECT_THAT(c.run().reasons, ElementsAre(HasSubstr("key 'inputs' not found")));
  c.json = Json::array();
  EXPECT_THAT(c.run().reasons, ElementsAre(HasSubstr("is no JSON object")));
}

TEST(Case, RefusesFindingsThatAreNone) {
  Spoiled c("alias_in_place");
  for (const char* findings : {"5", "[5]", "[[]]", R"([{"id": 5}])", R"([{"id": "deadlock", "waiters": [7]}])",
                               R"([{"id": "bounds.dma", "first": "x"}])", R"([{"id": "bounds.dma", "memory": []}])"}) {
    c.json["findings"] = Json::parse(findings);
    EXPECT_THAT(c.run().reasons,
                ElementsAre(testing::AllOf(HasSubstr("case.json: findings"), testing::Not(HasSubstr("internal")))))
        << findings;
  }
}

TEST(Case, TakesWholeNumbersWhereThoseAreDue) {
  for (const char* wrong : {"1e30", "1.5", "-1", "\"8\"", "18446744073709551615", "null"}) {
    const Json number = Json::parse(wrong);
    Spoiled dimension("alias_in_place"), alias("alias_in_place"), cores("alias_in_place");
    dimension.json["inputs"][0]["shape"][0] = number;
    EXPECT_THAT(dimension.run().reasons, ElementsAre(HasSubstr("a dimension is")));
    alias.json["aliases"]["0"] = number;
    EXPECT_THAT(alias.run().reasons, ElementsAre(HasSubstr("an alias is")));
    cores.json["cores"] = number;
    EXPECT_THAT(cores.run().reasons, ElementsAre(HasSubstr("cores is")));
  }
  Spoiled finding("alias_in_place");
  finding.json["findings"] = Json::parse(R"([{"id": "deadlock", "waiters": [{"has": 1e30}]}])");
  EXPECT_THAT(finding.run().reasons, ElementsAre(HasSubstr("which is not whole")));
}

TEST(Case, MakesNoArrayThatDoesNotFit) {
  Spoiled c("alias_in_place");
  c.json["inputs"][0].erase("file");
  c.json["inputs"][0]["shape"] = {std::int64_t{1} << 50};
  EXPECT_THAT(c.run().reasons, ElementsAre(HasSubstr("of memory")));
}

TEST(Case, RefusesDeepNesting) {
  Spoiled c("alias_in_place");
  c.json["what"] = Json::parse(std::string(50, '[') + std::string(50, ']'));
  EXPECT_THAT(c.run().reasons, IsEmpty());
  c.json["what"] = Json::parse(std::string(70, '[') + std::string(70, ']'));
  EXPECT_THAT(c.run().reasons, ElementsAre(HasSubstr("case.json nests deeper than 64")));
  c.json["what"] = std::string(70, '[');
  EXPECT_THAT(c.run().reasons, IsEmpty());
}

TEST(Case, FaultyKernelsAreFoundFaulty) {
  const CaseResult r = run_case(data("cases/faults_small/columns_overlap"), {});
  EXPECT_TRUE(r.passed) << r.reasons.at(0);
  EXPECT_THAT(r.inexact, IsEmpty());
}

TEST(Cases, AreFoundBelowAFolderAndRunOnSeveralThreads) {
  const auto folders = case_folders({data("cases/kernels_small").string()});
  EXPECT_GT(folders.size(), 40u);
  const std::vector<std::filesystem::path> some(folders.begin(), folders.begin() + 8);
  const auto one = run_cases(some, {}, 1), three = run_cases(some, {}, 3);
  for (std::size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(one[i].name, three[i].name);
    EXPECT_EQ(one[i].reasons, three[i].reasons);
  }
}

TEST(Cases, RefuseFoldersWithoutOne) {
  const Folder folder;
  EXPECT_THAT(error_of([&] { case_folders({folder.path().string()}); }), HasSubstr("holds no case"));
  EXPECT_THAT(error_of([&] { case_folders({(folder / "x").string()}); }), HasSubstr("is no folder"));
}

}  // namespace
}  // namespace millrace::front
