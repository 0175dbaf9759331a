// SPDX-License-Identifier: Apache-2.0
// What a run tells of undefined data, in short words.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "runs.h"

namespace millrace::test {

// "out0[4:8, 0:128] <- scratch0", "branch <- scratch1", "never out0[0:8, 0:128]"; of a window, the slot's name.
class Uses final : public event::Observer {
 public:
  void on(const event::RegionAllocated& e) override { names_[e.memory] = e.name; }
  void on(const event::UndefinedRead& e) override { origins_[e.origin] = names_[e.memory]; }
  void on(const event::UndefinedUsed& e) override {
    static const char* const kWords[] = {"output", "branch", "address", "amount"};
    std::string line = kWords[static_cast<int>(e.use)];
    if (e.use == event::Use::kOutput) line = names_[e.memory] + text(e.boxes);
    line += " <-";
    for (const event::UndefinedSource& s : e.sources) line += " " + origins_[s.origin] + (s.folded_at ? " folded" : "");
    add(line);
  }
  void on(const event::NeverWritten& e) override { add("never " + names_[e.memory] + text(e.boxes)); }

  std::string all() const {
    std::string lines;
    for (const std::string& l : lines_) lines += (lines.empty() ? "" : "; ") + l;
    return lines;
  }

 private:
  static std::string text(const std::vector<event::Box>& boxes) {
    std::string all;
    for (const event::Box& b : boxes) all += event::to_string(b);
    return all;
  }
  void add(const std::string& line) {
    if (std::find(lines_.begin(), lines_.end(), line) == lines_.end()) lines_.push_back(line);
  }

  std::map<event::MemoryId, std::string> names_;
  std::map<event::OriginId, std::string> origins_;
  std::vector<std::string> lines_;
};

}  // namespace millrace::test
