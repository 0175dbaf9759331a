// SPDX-License-Identifier: Apache-2.0
// SPIN's opinion: all final states of small programs, against the explorer's classes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "explore/explore.h"
#include "explore/promela.h"
#include "sketch.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;

// A folder that goes away with it.
struct Scratch {
  fs::path path;
  Scratch() {
    std::string name = (fs::temp_directory_path() / "millrace_spin_XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Scratch() { fs::remove_all(path); }
};

bool works(const std::string& command) { return std::system(command.c_str()) == 0; }

// By model, the final states that SPIN reaches: "ended 1 2 0".
std::vector<std::set<std::string>> final_states(const std::vector<explore::Skeleton>& skeletons, bool whole) {
  const Scratch folder;
  std::ofstream(folder.path / "model.pml") << explore::promela_of(skeletons, whole);
  const std::string in = "cd " + folder.path.string() + " && ";
  EXPECT_TRUE(works(in + "spin -a model.pml >spin.txt 2>&1"));
  EXPECT_TRUE(works(in + "${CC:-cc} -w -DPRINTF -DNOREDUCE -DVECTORSZ=4096 -o pan pan.c >cc.txt 2>&1"));
  EXPECT_TRUE(works(in + "./pan -E -m100000 >out.txt 2>&1"));
  std::ifstream out(folder.path / "out.txt");
  std::vector<std::set<std::string>> states(skeletons.size());
  std::string line;
  bool all = false;
  while (std::getline(out, line)) {
    all |= line.find("errors: 0") != std::string::npos;
    if (!line.starts_with("FINAL ")) continue;
    std::istringstream words(line.substr(6));
    std::size_t model = 0;
    words >> model;
    std::string rest;
    std::getline(words, rest);
    states.at(model).insert(rest.substr(1));
  }
  EXPECT_TRUE(all) << "SPIN did not look at everything";
  return states;
}

// Of one core and of two, with one consumer a semaphore and with two; none with too many states for a quick look.
std::vector<Sketch> programs() {
  std::vector<Sketch> all;
  const auto add = [&](bool dead, int count, int cores, int acts, bool contended) {
    for (std::uint64_t seed = 1; count > 0; ++seed) {
      Sketch s = sketch_of(random_genome(seed, cores, acts), contended);
      const AllRuns runs = all_runs(s, false, 300);
      if (!runs.all || skeleton_of(s).dmas.empty() || runs.deadlocked.empty() == dead) continue;
      all.push_back(std::move(s)), --count;
    }
  };
  add(false, 12, 1, 7, false), add(false, 6, 2, 4, false), add(false, 6, 2, 4, true);
  add(true, 8, 1, 7, false), add(true, 4, 2, 4, false), add(true, 4, 2, 4, true);
  return all;
}

TEST(Promela, SpinReachesTheFinalStatesThatTheExplorerCounts) {
  if (!works("command -v spin >/dev/null 2>&1")) GTEST_SKIP() << "spin is not installed (Debian's package spin)";
  const std::vector<Sketch> sketches = programs();
  int racy = 0, deadlocked = 0, clean = 0;
  for (const bool whole : {false, true}) {
    std::vector<explore::Skeleton> skeletons;
    for (const Sketch& s : sketches) skeletons.push_back(skeleton_of(s));
    const auto states = final_states(skeletons, whole);
    for (std::size_t k = 0; k < sketches.size(); ++k) {
      explore::Options options;
      options.whole_signals = whole;
      const explore::Result r = explore::explore(skeletons[k], options);
      const auto ended = static_cast<std::uint64_t>(std::count_if(
          states[k].begin(), states[k].end(), [](const std::string& s) { return s.starts_with("ended"); }));
      EXPECT_EQ(r.classes, ended) << to_string(sketches[k]);
      EXPECT_EQ(r.classes_deadlocked, states[k].size() - ended)
          << to_string(sketches[k]) << testing::PrintToString(states[k]);
      racy += ended > 1, deadlocked += states[k].size() > ended, clean += ended == 1;
    }
  }
  EXPECT_GT(racy, 5);
  EXPECT_GT(deadlocked, 5);
  EXPECT_GT(clean, 5);
}

}  // namespace
}  // namespace millrace::test
