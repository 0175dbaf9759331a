// SPDX-License-Identifier: Apache-2.0
// Does what README.md and docs/ tell their reader to do, and compares what comes out with what they say (pages.h).
#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <fstream>

#include "pages.h"
#include "shell.h"

namespace millrace::tidy {
namespace {

namespace fs = std::filesystem;

std::vector<File> pages() {
  std::vector<File> found;
  for (File& file : read_tree(MILLRACE_SOURCE_DIR)) {
    if (file.path == "README.md" || (is_in(file, "docs") && file.path.ends_with(".md")))
      found.push_back(std::move(file));
  }
  return found;
}

// A reader's folder: the project's files by their names, and the program on the PATH.
class Desk {
 public:
  Desk() {
    for (const auto& entry : fs::directory_iterator(MILLRACE_SOURCE_DIR)) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with('.') && !name.starts_with("build")) fs::create_symlink(entry.path(), folder_.path() / name);
    }
  }

  Outcome type(const std::string& command) const {
    const std::string program = command == "make lab" ? "millrace lab" : command;
    return run_shell(folder_.path(), "PATH=" + quoted(MILLRACE_BUILD_DIR "/bin") + ":$PATH\n" + program);
  }

  Outcome compile(const std::string& source) const {
    std::ofstream(folder_.path() / "page.cpp") << source;
    return type(quoted(MILLRACE_CXX) +
                " -std=c++20 -Wall -Wextra -Werror " MILLRACE_CXX_FLAGS " -I include page.cpp -o page -L " +
                quoted(MILLRACE_BUILD_DIR "/lib") + " -lmillrace -Wl,-rpath," + quoted(MILLRACE_BUILD_DIR "/lib"));
  }

 private:
  Scratch folder_;
};

void expect(const Outcome& outcome, int exit_code, const std::string& output, const std::string& place) {
  EXPECT_EQ(outcome.exit_code, exit_code) << place << " printed:\n" << outcome.output;
  EXPECT_TRUE(matches(outcome.output, output)) << place << " printed:\n"
                                               << outcome.output << "and the page says:\n"
                                               << output;
}

void try_transcript(const Desk& desk, const Block& block, const std::string& path) {
  for (const Step& step : steps_of(block)) {
    const std::string place = path + ":" + std::to_string(step.line) + ": " + step.command;
    expect(desk.type(step.command), expected_exit(block), step.expected, place);
  }
}

void try_program(const Desk& desk, const Block& block, const Block* output, const std::string& path) {
  const std::string place = path + ":" + std::to_string(block.line) + ": the program";
  const Outcome compiled = desk.compile(block.text);
  ASSERT_EQ(compiled.exit_code, 0) << place << " does not compile:\n" << compiled.output;
  expect(desk.type("./page"), expected_exit(block), output != nullptr ? output->text : "...", place);
}

void try_page(const File& page) {
  const Desk desk;
  const auto blocks = blocks_of(page.text);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    if (has_word(block, "no-test")) continue;
    const bool answered = i + 1 < blocks.size() && blocks[i + 1].follows && blocks[i + 1].language == "text";
    if (block.language == "console") try_transcript(desk, block, page.path);
    if (block.language == "cpp" && block.text.find("int main") != std::string::npos) {
      try_program(desk, block, answered ? &blocks[i + 1] : nullptr, page.path);
    }
  }
}

class Page : public testing::TestWithParam<File> {};

TEST_P(Page, DoesWhatItSays) { try_page(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, Page, testing::ValuesIn(pages()), [](const auto& info) {
  std::string name = info.param.path;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

TEST(Readme, ShowsTheProgramAtWorkAndAKernelInCpp) {
  std::ifstream in(MILLRACE_SOURCE_DIR "/README.md");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  bool transcript = false, kernel = false;
  for (const Block& block : blocks_of(text)) {
    if (has_word(block, "no-test")) continue;
    transcript |= block.language == "console" && block.text.find("PASS: lab") != std::string::npos;
    kernel |= block.language == "cpp" && block.text.find("int main") != std::string::npos;
  }
  EXPECT_TRUE(transcript) << "README.md shows no ```console block with the lab's `PASS: lab`";
  EXPECT_TRUE(kernel) << "README.md shows no ```cpp block with an `int main`";
}

// What a page says is held against what happens: each of these pages is wrong in one way.
TEST(Readme, AWrongPageIsNoticed) {
  const auto failures = [](const std::string& text) {
    testing::TestPartResultArray results;
    {
      testing::ScopedFakeTestPartResultReporter catcher(
          testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
      try_page({"page.md", text});
    }
    return results.size();
  };
  EXPECT_EQ(failures("```console\n$ echo a\na\n$ ls README.md\nREADME.md\n```\n"), 0);
  EXPECT_EQ(failures("```console\n$ echo a\nb\n```\n"), 1);
  EXPECT_EQ(failures("```console\n$ false\n```\n"), 1);
  EXPECT_EQ(failures("```console exit=1\n$ false\n```\n"), 0);
  EXPECT_EQ(failures("```console no-test\n$ false\n```\n"), 0);
  const std::string program = "```cpp\n#include <cstdio>\nint main() { std::puts(\"a\"); }\n```\n";
  EXPECT_EQ(failures(program), 0);
  EXPECT_EQ(failures(program + "```text\na\n```\n"), 0);
  EXPECT_EQ(failures(program + "```text\nb\n```\n"), 1);
  EXPECT_EQ(failures("```cpp\nint main() { return x; }\n```\n"), 1);
}

}  // namespace
}  // namespace millrace::tidy
