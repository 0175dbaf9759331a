// SPDX-License-Identifier: Apache-2.0
// README and docs as something that can be tried out. Three kinds of fenced block are looked at:
//
//   ```console   a transcript. A line `$ command` is run (by sh, in a folder that shows the project's files; a line
//                that ends with `\` goes on in the next); the lines up to the next `$` are what it must print, stdout
//                and stderr together. `...` stands for any text within a line, and alone on a line for any lines.
//                `$ make lab` runs `millrace lab`, which is what that target does. The exit code must be 0, or the N of
//                ```console exit=N.
//   ```cpp       compiled, linked with libmillrace and run where it has an `int main`; a ```text block that follows
//                directly is what it must print.
//   any          with the word `no-test` after the language: left alone.
#pragma once

#include <string>
#include <vector>

#include "tree.h"

namespace millrace::tidy {

struct Block {
  std::string language;            // "console", "cpp", ...
  std::vector<std::string> words;  // what follows the language: "no-test", "exit=1"
  std::string text;
  std::size_t line;  // of the opening fence, from 1
  bool follows;      // directly (blank lines aside) after the block before
};

struct Step {
  std::string command;
  std::string expected;  // lines, each with its newline
  std::size_t line;
};

bool has_word(const Block& block, std::string_view word);
int expected_exit(const Block& block);

std::vector<Block> blocks_of(std::string_view markdown);
std::vector<Step> steps_of(const Block& console);

// Whether the text is what the pattern says, `...` standing for anything. Trailing spaces and blank lines do not count.
bool matches(std::string_view text, std::string_view pattern);

}  // namespace millrace::tidy
