// SPDX-License-Identifier: Apache-2.0
// Greedy: whatever can go without the fault going too, goes.
#include <utility>

#include "judge.h"

namespace millrace::programs {

namespace {

using Kind = Step::Kind;
using Change = std::function<bool(std::vector<Step>&, std::size_t)>;  // false: there is nothing to change

// Applies `change` at the n-th spot of the tree; false where there is no such spot, or nothing to change there.
bool at_spot(std::vector<Step>& steps, std::size_t& n, const Change& change) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (n-- == 0) return change(steps, i);
    if (n < count(steps[i].body)) return at_spot(steps[i].body, n, change);
    n -= count(steps[i].body);
  }
  return false;
}

bool drop(std::vector<Step>& in, std::size_t i) {
  in.erase(in.begin() + static_cast<std::ptrdiff_t>(i));
  return true;
}

bool unwrap(std::vector<Step>& in, std::size_t i) {
  if (in[i].kind != Kind::kLoop && in[i].kind != Kind::kIf && in[i].kind != Kind::kScope) return false;
  const std::vector<Step> body = std::move(in[i].body);
  const auto here = in.erase(in.begin() + static_cast<std::ptrdiff_t>(i));
  in.insert(here, body.begin(), body.end());
  return true;
}

bool simplify(std::vector<Step>& in, std::size_t i) {
  Step& s = in[i];
  bool changed = false;
  for (Number* n : {&s.from.row, &s.from.slot, &s.to.row, &s.to.slot, &s.on.slot, &s.sends.slot})
    changed |= std::exchange(n->step, 0) != 0;
  changed |= std::exchange(s.from.comb, false);
  changed |= std::exchange(s.to.comb, false);
  return changed;
}

bool once(std::vector<Step>& in, std::size_t i) { return in[i].times > 1 && --in[i].times; }

}  // namespace

Program minimised(Program program, const std::function<bool(const Program&)>& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const Change& change : {Change(drop), Change(unwrap), Change(once), Change(simplify)})
      for (std::size_t spot = 0; spot < count(program.steps);) {
        Program tried = program;
        std::size_t n = spot;
        if (at_spot(tried.steps, n, change) && fails(tried))
          program = std::move(tried), smaller = true;
        else
          ++spot;
      }
  }
  return program;
}

}  // namespace millrace::programs
