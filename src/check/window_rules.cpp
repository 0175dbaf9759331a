// SPDX-License-Identifier: Apache-2.0
#include "check/window_rules.h"

#include <fmt/format.h>

#include <utility>

#include "check/catalogue.h"

namespace millrace::checkers {

namespace {

std::tuple<int, int, std::uint32_t> key_of(const event::Agent& who, std::uint32_t window) {
  return {who.device, who.core, window};
}

}  // namespace

Finding revisit(const std::string& output, const Numbers& block, const Numbers& step, const Numbers& left_after) {
  Finding f;
  f.id = "revisit.output";
  f.memory = output, f.block = block, f.grid_step = step, f.left_after = left_after;
  f.schedules = "all";
  f.message = fmt::format("step {} enters block {} of {} again, which was left after step {}: what it held is gone",
                          to_string(step), to_string(block), output, to_string(left_after));
  f.hint = "let the grid axes over which an output block stays be the last ones, or ask for revisit_mode any";
  complete(f);
  return f;
}

Finding hazard(const std::string& input, const std::string& output, const Numbers& block, const Numbers& step,
               const Numbers& written_in) {
  Finding f;
  f.id = "alias.hazard";
  f.memory = input, f.output = output, f.block = block, f.grid_step = step, f.written_in = written_in;
  f.schedules = "all";
  f.message = fmt::format("step {} reads block {} of {}, which step {} has replaced: {} is the same array",
                          to_string(step), to_string(block), input, to_string(written_in), output);
  f.hint = "read each block in the step that replaces it or before, or give the output an array of its own";
  complete(f);
  return f;
}

bool WrittenBlocks::on_grid(const Numbers& block, const event::Box& box) const {
  for (std::size_t d = 0; d < block_.size(); ++d)
    if (block_[d] < 1 || block[d] * block_[d] != box.ranges[d].begin) return false;
  return block.size() == block_.size();
}

void WrittenBlocks::add(const Numbers& block, Write write) {
  if (on_grid(block, write.box))
    grid_.try_emplace(block, std::move(write));
  else
    off_the_grid_.push_back(std::move(write));
}

const WrittenBlocks::Write* WrittenBlocks::find(const event::Box& box) const {
  const Write* first = grid_.empty() ? nullptr : find_on_grid(box);
  for (const Write& w : off_the_grid_)
    if ((!first || w.order < first->order) && event::overlap(w.box, box)) first = &w;
  return first;
}

// Looks at the blocks that the box touches, or at all there are where those are fewer.
const WrittenBlocks::Write* WrittenBlocks::find_on_grid(const event::Box& box) const {
  const Write* first = nullptr;
  auto look = [&](const Write& w) {
    if ((!first || w.order < first->order) && event::overlap(w.box, box)) first = &w;
  };
  Numbers low, high;
  double touched = 1;
  for (std::size_t d = 0; d < block_.size(); ++d) {
    low.push_back(box.ranges[d].begin / block_[d]);
    high.push_back((box.ranges[d].end - 1) / block_[d]);
    touched *= static_cast<double>(high[d] - low[d] + 1);
  }
  if (touched > static_cast<double>(grid_.size())) {
    for (const auto& [block, write] : grid_) look(write);
    return first;
  }
  for (Numbers at = low;;) {
    if (const auto found = grid_.find(at); found != grid_.end()) look(found->second);
    std::size_t d = at.size();
    while (d > 0 && at[d - 1] == high[d - 1]) --d, at[d] = low[d];
    if (d == 0) return first;
    ++at[d - 1];
  }
}

// Windows of one core that share an array: the one reads what the other writes.
void WindowRules::on(const event::WindowBound& e) {
  const Key key = key_of(e.who, e.window);
  Window& window = windows_.insert_or_assign(key, Window{}).first->second;
  window.bound = e;
  window.written = WrittenBlocks(e.block);
  for (auto& [other_key, other] : windows_) {
    const bool same_core = std::get<0>(other_key) == e.who.device && std::get<1>(other_key) == e.who.core;
    if (other_key == key || !same_core || other.bound.array != e.array) continue;
    if (e.input && other.bound.output) window.writers.push_back(other_key), other.read_elsewhere = true;
    if (e.output && other.bound.input) other.writers.push_back(key), window.read_elsewhere = true;
  }
}

void WindowRules::on(const event::StepBegan& e) {
  Steps& steps = steps_[{e.who.device, e.who.core}];
  ++steps.begun;
  steps.before = std::exchange(steps.now, Numbers(e.index.begin(), e.index.end()));
}

void WindowRules::on(const event::WindowEntered& e) {
  const auto found = windows_.find(key_of(e.who, e.window));
  if (found == windows_.end()) return;
  Window& window = found->second;
  const Steps& steps = steps_[{e.who.device, e.who.core}];
  if (window.bound.output && !window.bound.reload && !window.reported) enter(window, steps, e.block);
  window.slot = e.slot;
  window.block = e.block;
  const auto ahead = std::exchange(window.ahead, {});
  if (ahead && ahead->slot == e.slot && ahead->block == e.block) judge(window, steps, *ahead);
}

void WindowRules::enter(Window& window, const Steps& steps, const Numbers& block) {
  if (window.block) window.left.insert_or_assign(*window.block, steps.before);
  const auto left = window.left.find(block);
  if (left == window.left.end()) return;
  findings_.push_back(revisit(window.bound.name, block, steps.now, left->second));
  window.reported = true;
  window.left.clear();
}

// A block is fetched for the step that shows it, be that this one or the next.
void WindowRules::on(const event::DmaIssued& e) {
  if (!e.window) return;
  const auto found = windows_.find(key_of(e.by, e.window->window));
  if (found == windows_.end()) return;
  Window& window = found->second;
  const Steps& steps = steps_[{e.by.device, e.by.core}];
  if (e.window->out) {
    if (window.read_elsewhere) window.written.add(e.window->block, {e.target.box, steps.begun, steps.now});
    return;
  }
  if (window.writers.empty() || window.reported) return;
  Fetch fetch{e.window->slot, e.window->block, e.source.box};
  if (window.block == fetch.block && window.slot == fetch.slot)
    judge(window, steps, fetch);
  else
    window.ahead = std::move(fetch);
}

void WindowRules::judge(Window& window, const Steps& steps, const Fetch& fetch) {
  for (const Key& key : window.writers) {
    const Window& writer = windows_.at(key);
    const WrittenBlocks::Write* write = writer.written.find(fetch.box);
    if (!write || window.reported) continue;
    findings_.push_back(hazard(window.bound.name, writer.bound.name, fetch.block, steps.now, write->step));
    window.reported = true;
  }
}

}  // namespace millrace::checkers
