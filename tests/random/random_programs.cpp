// SPDX-License-Identifier: Apache-2.0
// Judges many random programs:
//   random_programs COUNT [FIRST_SEED]
// Exit 1 at the first that is judged differently by two checkers; it prints the seed and a small program.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "judge.h"

namespace {

using namespace millrace::programs;

// Both at once: what must agree of one program.
Judged everything(const Program& p, std::uint64_t seed) {
  Judged judged = judge_races(p, seed);
  if (!judged.fault.empty()) return judged;
  return judge_schedules(p, seed, seed % 4 == 0);
}

void add(Tally& sum, const Tally& t) {
  sum.programs += t.programs, sum.racy += t.racy, sum.clean += t.clean, sum.deadlocked += t.deadlocked;
  sum.several += t.several, sum.several_racy += t.several_racy, sum.several_clean += t.several_clean;
  sum.claimed += t.claimed, sum.explored += t.explored;
  sum.fault = t.fault;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fputs("usage: random_programs COUNT [FIRST_SEED]\n", stderr), 2;
  constexpr int kPiece = 5000;
  const int count = std::max(std::atoi(argv[1]), 0);
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  Tally sum;
  for (int done = 0; done < count && sum.fault.empty(); done += kPiece) {
    add(sum, judge_all(first + static_cast<std::uint64_t>(done), std::min(kPiece, count - done), everything));
    fmt::print(stderr, "{}\n", to_string(sum));
  }
  fmt::print("{}\n", sum.fault.empty() ? to_string(sum) : sum.fault);
  return sum.fault.empty() ? 0 : 1;
}
