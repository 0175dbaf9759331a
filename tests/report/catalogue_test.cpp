// SPDX-License-Identifier: Apache-2.0
// The table of ids is whole: what is emitted anywhere is in it, and what it cites exists.
#include "check/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tree.h"

namespace millrace::checkers {
namespace {

std::string read(const std::string& file) {
  std::ifstream in(MILLRACE_SOURCE_DIR "/" + file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Catalogue, EveryRuleIsWhole) {
  const std::string semantics = read("docs/semantics.md");
  std::set<std::string_view> ids;
  for (const Rule& r : rules()) {
    EXPECT_TRUE(ids.insert(r.id).second) << r.id;
    EXPECT_TRUE(std::regex_match(std::string(r.id), std::regex(R"([a-z]+(\.([a-z-]+|\*))?)"))) << r.id;
    EXPECT_NE(semantics.find("**" + std::string(r.clause) + " "), semantics.npos) << r.id << " cites " << r.clause;
    for (const std::string_view text : {r.title, r.meaning, r.mend}) EXPECT_GT(text.size(), 10u) << r.id;
    EXPECT_TRUE(r.meaning.ends_with('.')) << r.id;
    EXPECT_FALSE(r.mend.ends_with('.') || r.title.ends_with('.')) << r.id;
  }
}

TEST(Catalogue, FindsARuleByIdOrFamily) {
  EXPECT_EQ(find_rule("race.read-write")->id, "race.read-write");
  EXPECT_EQ(find_rule("target.semaphore")->id, "target.semaphore");
  EXPECT_EQ(find_rule("target.vmem")->id, "target.*");
  for (const char* none : {"", "race", "race.", "race.x", "target", "target.", "x.target.vmem", "deadlock.x"})
    EXPECT_EQ(find_rule(none), nullptr) << none;
}

TEST(Catalogue, CompletesOnlyWhatACheckerDidNotSay) {
  Finding f;
  f.id = "deadlock";
  complete(f);
  EXPECT_EQ(f.clause, "S4.4");
  EXPECT_EQ(f.hint, find_rule("deadlock")->mend);
  f.hint = "special", f.clause = "S9.9";
  complete(f);
  EXPECT_EQ(f.hint, "special");
  EXPECT_EQ(f.clause, "S9.9");
}

TEST(Catalogue, TheSchemaListsTheSameIds) {
  const auto schema = nlohmann::json::parse(read("docs/schema/finding.schema.json"));
  const auto listed = schema["$defs"]["id"]["anyOf"][0]["enum"].get<std::set<std::string>>();
  std::set<std::string> known;
  for (const Rule& r : rules())
    if (!r.id.starts_with("target.")) known.emplace(r.id);
  EXPECT_EQ(listed, known);
}

TEST(Catalogue, TheMendOfARaceGoesByWhatTheDmaDoes) {
  Finding load, store;
  load.id = store.id = "race.read-write";
  load.first = Side{"DMA write", "a.py:3", 0, 0, 0, {}, ""}, store.first = Side{"DMA read", "a.py:3", 0, 0, 0, {}, ""};
  complete(load), complete(store);
  EXPECT_EQ(load.hint, find_rule("race.read-write")->mend);
  EXPECT_THAT(store.hint, ::testing::HasSubstr("before its source is written again"));
}

// Words in quotes that look like an id: of a family that the table has, or said to be one.
std::set<std::string> ids_in(const std::string& source) {
  std::set<std::string> families, found;
  for (const Rule& r : rules()) families.emplace(r.id.substr(0, r.id.find('.')));
  static const std::regex kWord(R"re((\.id = )?"([a-z]+)((\.[a-z-]+)?)")re");
  for (std::sregex_iterator i(source.begin(), source.end(), kWord), end; i != end; ++i) {
    const bool said = (*i)[1].matched, dotted = (*i)[3].length() > 0;
    if (said || (dotted && families.contains((*i)[2]))) found.insert((*i)[2].str() + (*i)[3].str());
  }
  return found;
}

TEST(Catalogue, HasEveryIdThatTheSourcesName) {
  std::set<std::string> all;
  for (const tidy::File& file : tidy::read_tree(MILLRACE_SOURCE_DIR)) {
    const bool emits = tidy::is_in(file, "src/check") || tidy::is_in(file, "src/api") ||
                       tidy::is_in(file, "src/machine") || tidy::is_in(file, "src/explore");
    if (!emits || !tidy::is_cpp(file)) continue;
    for (const std::string& id : ids_in(file.text)) {
      EXPECT_NE(find_rule(id), nullptr) << file.path << " names " << id;
      all.insert(id);
    }
  }
  // That they were found at all.
  EXPECT_THAT(all, ::testing::IsSupersetOf({"race.write-write", "deadlock", "bounds.block", "assertion.failed"}));
}

TEST(Catalogue, AnIdThatIsMissingWouldBeNoticed) {
  EXPECT_THAT(ids_in(R"(f.id = "novel"; x("race.sideways", "scf.if", "deadlock", "race."))"),
              ::testing::UnorderedElementsAre("novel", "race.sideways"));
}

}  // namespace
}  // namespace millrace::checkers
