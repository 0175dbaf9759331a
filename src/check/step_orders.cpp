// SPDX-License-Identifier: Apache-2.0
#include "check/step_orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "check/catalogue.h"
#include "check/window_rules.h"

namespace millrace::checkers {

namespace {

using Position = AnyOrder::Position;
using Pair = std::pair<Position, Position>;  // the step that reads, the step that has written

bool meet(const std::vector<Position>& a, const std::vector<Position>& b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) return true;
    ++(a[i] < b[j] ? i : j);
  }
  return false;
}

// In this order: a block is fetched where its steps begin, after the steps of another ended, which were written.
std::optional<Pair> fetched_after(const std::vector<Position>& order, const std::vector<Position>& reads,
                                  const std::vector<Position>& writes) {
  const auto in = [](const std::vector<Position>& set, Position p) { return std::ranges::binary_search(set, p); };
  std::optional<Position> written;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const Position before = order[i - 1], now = order[i];
    if (!written && in(writes, before) && !in(writes, now)) written = before;
    if (written && in(reads, now) && !in(reads, before)) return Pair{now, *written};
  }
  return {};
}

std::optional<Pair> fetched_after_in_some(const AnyOrder& orders, const std::vector<Position>& reads,
                                          const std::vector<Position>& writes) {
  if (!orders.split(reads) && !orders.split(writes)) {
    if (meet(reads, writes) || !orders.may_precede(writes.front(), reads.front())) return {};
    return Pair{reads.front(), writes.front()};
  }
  std::optional<Pair> found;
  orders.each(StepOrders::kMostOrders / std::max<std::size_t>(orders.size(), 1), [&](const auto& order) {
    found = fetched_after(order, reads, writes);
    return !found;
  });
  return found;
}

// Whether each block lies where its number times its size says: then blocks of one size overlap where they are one.
bool on_grid(const std::map<std::vector<std::int64_t>, event::Box>& boxes, const Shape& size) {
  return std::ranges::all_of(boxes, [&](const auto& entry) {
    const auto& [block, box] = entry;
    for (std::size_t d = 0; d < block.size(); ++d)
      if (d >= size.size() || block[d] * size[d] != box.ranges[d].begin) return false;
    return block.size() == size.size();
  });
}

}  // namespace

StepOrders::StepOrders(std::vector<bool> parallel)
    : parallel_(std::move(parallel)), any_parallel_(std::ranges::any_of(parallel_, std::identity())) {}

void StepOrders::on(const event::WindowBound& e) {
  if (any_parallel_) cores_[{e.who.device, e.who.core}].windows[e.window].bound = e;
}

void StepOrders::on(const event::StepBegan& e) {
  if (!any_parallel_) return;
  Core& core = cores_[{e.who.device, e.who.core}];
  if (core.steps.size() <= kMostSteps) core.steps.emplace_back(e.index.begin(), e.index.end());
}

void StepOrders::on(const event::WindowEntered& e) {
  if (!any_parallel_) return;
  Core& core = cores_[{e.who.device, e.who.core}];
  if (core.steps.size() <= kMostSteps) core.windows[e.window].entered.emplace_back(core.steps.size() - 1, e.block);
}

void StepOrders::moved(const event::DmaIssued& e) {
  Window& window = cores_[{e.by.device, e.by.core}].windows[e.window->window];
  window.boxes.try_emplace(e.window->block, e.window->out ? e.target.box : e.source.box);
}

std::vector<Finding> StepOrders::findings() const {
  std::vector<Finding> all;
  for (const auto& [name, core] : cores_)
    if (core.steps.size() <= kMostSteps) judge(core, all);
  return all;
}

void StepOrders::judge(const Core& core, std::vector<Finding>& findings) const {
  std::vector<std::size_t> order(core.steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) -> const Block& { return core.steps[i]; });
  std::vector<Block> points;
  std::vector<Position> position(order.size());  // by step of the run
  for (std::size_t i : order) position[i] = static_cast<Position>(points.size()), points.push_back(core.steps[i]);
  const AnyOrder orders(parallel_, std::move(points));
  std::map<std::uint32_t, std::map<Block, Set>> shown;
  for (const auto& [index, window] : core.windows) {
    for (std::size_t k = 0; k < window.entered.size(); ++k) {
      const std::size_t end = k + 1 < window.entered.size() ? window.entered[k + 1].first : core.steps.size();
      Set& set = shown[index][window.entered[k].second];
      for (std::size_t step = window.entered[k].first; step < end; ++step) set.push_back(position[step]);
    }
    for (auto& [block, set] : shown[index]) std::ranges::sort(set);
  }
  for (const auto& [index, window] : core.windows) {
    if (window.bound.output && !window.bound.reload)
      if (auto f = revisited(orders, window, shown[index])) findings.push_back(std::move(*f));
    if (!window.bound.input) continue;
    for (const auto& [other, out] : core.windows) {
      if (other == index || !out.bound.output || out.bound.array != window.bound.array) continue;
      auto f = replaced(orders, window, shown[index], out, shown[other]);
      if (!f) continue;
      findings.push_back(std::move(*f));
      break;
    }
  }
}

std::optional<Finding> StepOrders::revisited(const AnyOrder& orders, const Window& out,
                                             const std::map<Block, Set>& shown) {
  for (const auto& [block, set] : shown)
    if (const auto s = orders.split(set)) {
      Finding f = revisit(out.bound.name, block, orders.point(s->again), orders.point(s->left));
      f.schedules = "some";
      f.message += fmt::format("; so in the orders of the parallel axes in which step {} comes between",
                               to_string(orders.point(s->between)));
      return f;
    }
  return {};
}

std::optional<Finding> StepOrders::replaced(const AnyOrder& orders, const Window& in, const std::map<Block, Set>& reads,
                                            const Window& out, const std::map<Block, Set>& writes) {
  const auto judged = [&](const Block& block, const Set& read, const Set& written) -> std::optional<Finding> {
    const auto found = fetched_after_in_some(orders, read, written);
    if (!found) return {};
    Finding f = hazard(in.bound.name, out.bound.name, block, orders.point(found->first), orders.point(found->second));
    f.schedules = "some";
    f.message += "; so in the orders of the parallel axes in which it comes first";
    return f;
  };
  if (in.bound.block == out.bound.block && on_grid(in.boxes, in.bound.block) && on_grid(out.boxes, out.bound.block)) {
    for (const auto& [block, read] : reads) {
      const auto written = writes.find(block);
      if (written == writes.end() || !in.boxes.contains(block) || !out.boxes.contains(block)) continue;
      if (auto f = judged(block, read, written->second)) return f;
    }
    return {};
  }
  if (reads.size() > kMostPairs / std::max<std::size_t>(writes.size(), 1)) return {};
  for (const auto& [block, read] : reads)
    for (const auto& [other, written] : writes) {
      const auto a = in.boxes.find(block);
      const auto b = out.boxes.find(other);
      if (a == in.boxes.end() || b == out.boxes.end() || !event::overlap(a->second, b->second)) continue;
      if (auto f = judged(block, read, written)) return f;
    }
  return {};
}

}  // namespace millrace::checkers
