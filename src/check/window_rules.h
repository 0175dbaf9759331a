// SPDX-License-Identifier: Apache-2.0
// Faults of the blocks that a grid's windows show, step by step (S5.12 to S5.15): an output block that is entered again
// after it was left, and an input block that an earlier step has replaced.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "event/event.h"

namespace millrace::checkers {

using Numbers = std::vector<std::int64_t>;

// "step (2,) enters block (0,) of out0 again", and "step (1,) reads block (3,) of in0, which step (0,) has replaced".
Finding revisit(const std::string& output, const Numbers& block, const Numbers& step, const Numbers& left_after);
Finding hazard(const std::string& input, const std::string& output, const Numbers& block, const Numbers& step,
               const Numbers& written_in);

// The blocks of one array that steps have written back, each with the first step that did.
class WrittenBlocks {
 public:
  struct Write {
    event::Box box;
    std::uint64_t order;  // of the step
    Numbers step;
  };
  WrittenBlocks() = default;
  explicit WrittenBlocks(Shape block) : block_(std::move(block)) {}
  void add(const Numbers& block, Write write);
  // The earliest that overlaps.
  const Write* find(const event::Box& box) const;

 private:
  bool on_grid(const Numbers& block, const event::Box& box) const;
  const Write* find_on_grid(const event::Box& box) const;

  Shape block_;
  std::map<Numbers, Write> grid_;    // by number of the block
  std::vector<Write> off_the_grid_;  // of element windows
};

class WindowRules final : public event::Observer {
 public:
  void on(const event::WindowBound& e) override;
  void on(const event::WindowEntered& e) override;
  void on(const event::StepBegan& e) override;
  void on(const event::DmaIssued& e) override;

  // Each once a window: the first step that breaks the rule.
  const std::vector<Finding>& findings() const { return findings_; }

 private:
  using Core = std::pair<int, int>;  // device and core
  using Key = std::tuple<int, int, std::uint32_t>;
  struct Steps {
    std::uint64_t begun = 0;
    Numbers now, before;
  };
  struct Fetch {
    std::uint32_t slot;
    Numbers block;
    event::Box box;
  };
  struct Window {
    event::WindowBound bound;
    std::uint32_t slot = 0;
    std::optional<Numbers> block;     // that it shows
    std::map<Numbers, Numbers> left;  // of an output that is not read back: blocks it has left, and after which step
    std::vector<Key> writers;         // of an input: the windows that write its array
    std::optional<Fetch> ahead;       // of an input: for the next step
    WrittenBlocks written;            // of an output with an input on its array
    bool read_elsewhere = false, reported = false;
  };

  void enter(Window& window, const Steps& steps, const Numbers& block);
  void judge(Window& window, const Steps& steps, const Fetch& fetch);

  std::map<Key, Window> windows_;
  std::map<Core, Steps> steps_;
  std::vector<Finding> findings_;
};

}  // namespace millrace::checkers
