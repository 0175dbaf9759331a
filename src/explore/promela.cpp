// SPDX-License-Identifier: Apache-2.0
#include "explore/promela.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace millrace::explore {

namespace {

class Model {
 public:
  Model(const Skeleton& s, std::size_t number, bool whole) : s_(s), number_(number), whole_(whole) {
    for (std::uint32_t c = 0; c < s.cores.size(); ++c)
      for (std::uint32_t i = 0; i < s.cores[c].ops.size(); ++i) number_steps(c, i);
    for (std::size_t b = 1; b < steps_.size(); ++b)
      for (std::size_t a = 0; a < b; ++a)
        if (conflict(s, steps_[a], steps_[b])) pairs_.push_back({a, b});
  }

  std::size_t steps() const { return steps_.size(); }
  std::size_t pairs() const { return pairs_.size(); }

  std::string processes() const {
    std::string text;
    for (std::uint32_t c = 0; c < s_.cores.size(); ++c) text += core(c);
    for (std::uint32_t d = 0; d < s_.dmas.size(); ++d) text += dma(d) + (early(s_.dmas[d]) > 0 ? progress(d) : "");
    return text;
  }

  // How the initial process begins and ends with this model.
  std::string beginning() const {
    std::string text = fmt::format("    :: model = {};", number_);
    for (std::size_t c = 0; c < s_.cores.size(); ++c) text += fmt::format(" run core_{}_{}();", number_, c);
    for (std::size_t d = 0; d < s_.dmas.size(); ++d) {
      text += fmt::format(" run dma_{}_{}();", number_, d);
      if (early(s_.dmas[d]) > 0) text += fmt::format(" run progress_{}_{}();", number_, d);
    }
    return text + "\n";
  }
  std::string ending() const {
    std::string text = fmt::format("    :: model == {} ->\n      if\n", number_);
    text += fmt::format("      :: finished == {} -> printf(\"FINAL {} ended\")\n", s_.cores.size(), number_);
    text += fmt::format("      :: else -> printf(\"FINAL {} blocked\")\n      fi;\n", number_);
    for (std::size_t p = 0; p < pairs_.size(); ++p)
      text += fmt::format("      printf(\" %d\", (ran[{}] && ran[{}] -> first[{}] : 0));\n", pairs_[p].first,
                          pairs_[p].second, p);
    return text + "      printf(\"\\n\")\n";
  }

 private:
  void number_steps(std::uint32_t core, std::uint32_t i) {
    const Op& op = s_.cores[core].ops[i];
    const auto add = [&](const Step& step) { of_[step] = steps_.size(), steps_.push_back(step); };
    if (op.kind == Op::Kind::kRead || op.kind == Op::Kind::kWrite) add({Step::Kind::kCore, core, i});
    if (op.kind != Op::Kind::kStart) return;
    add({Step::Kind::kDmaRead, core, op.what});
    add({Step::Kind::kDmaWrite, core, op.what});
  }

  // What an access leaves behind: that it ran, and of each of its pairs whether it was the first.
  std::string access(const Step& step) const {
    const std::size_t me = of_.at(step);
    std::string text = fmt::format("ran[{}] = 1", me);
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      if (pairs_[p].first != me && pairs_[p].second != me) continue;
      text += fmt::format("; if :: first[{0}] == 0 -> first[{0}] = {1} :: else fi", p, pairs_[p].first == me ? 1 : 2);
    }
    return text;
  }

  std::string core(std::uint32_t c) const {
    std::string text = fmt::format("proctype core_{}_{}() {{\n", number_, c);
    for (std::uint32_t i = 0; i < s_.cores[c].ops.size(); ++i) {
      const Op& op = s_.cores[c].ops[i];
      switch (op.kind) {
        case Op::Kind::kRead:
        case Op::Kind::kWrite: text += fmt::format("  atomic {{ {} }};\n", access({Step::Kind::kCore, c, i})); break;
        case Op::Kind::kStart: text += fmt::format("  started[{}] = 1;\n", op.what); break;
        case Op::Kind::kSignal: text += fmt::format("  count[{0}] = count[{0}] + {1};\n", op.what, op.amount); break;
        case Op::Kind::kWait:
          text +=
              fmt::format("  atomic {{ count[{0}] >= {1} -> count[{0}] = count[{0}] - {1} }};\n", op.what, op.amount);
          break;
      }
    }
    return text + "  finished = finished + 1\n}\n";
  }

  std::int64_t early(const Dma& d) const { return whole_ ? 0 : d.amount - d.last; }

  static std::string raise(SemaphoreId s, const std::string& by) {
    return fmt::format("count[{0}] = count[{0}] + {1}", s, by);
  }
  static std::string rest(const char* ahead, std::uint32_t dma, std::int64_t amount, std::int64_t early) {
    return fmt::format("({}[{}] -> {} : {})", ahead, dma, amount - early, amount);
  }

  std::string dma(std::uint32_t i) const {
    const Dma& d = s_.dmas[i];
    std::string text = fmt::format("proctype dma_{}_{}() {{\n  started[{}] == 1;\n", number_, i, i);
    text += fmt::format("  atomic {{ {}; has_read[{}] = 1", access({Step::Kind::kDmaRead, d.core, i}), i);
    if (d.sends) text += "; " + raise(*d.sends, rest("sent_ahead", i, d.amount, early(d)));
    text += fmt::format(" }};\n  atomic {{ {} }};\n", access({Step::Kind::kDmaWrite, d.core, i}));
    text += fmt::format("  atomic {{ {}; dma_done[{}] = 1 }}\n}}\n",
                        raise(d.raises, rest("raised_ahead", i, d.amount, early(d))), i);
    return text;
  }

  // At any time after the start, as long as the rest is to come: all but the last granule.
  std::string progress(std::uint32_t i) const {
    const Dma& d = s_.dmas[i];
    std::string text = fmt::format("proctype progress_{}_{}() {{\n  started[{}] == 1;\n", number_, i, i);
    const std::string amount = std::to_string(early(d));
    if (d.sends)
      text += fmt::format("  atomic {{ if :: !has_read[{0}] -> {1}; sent_ahead[{0}] = 1 :: else fi }};\n", i,
                          raise(*d.sends, amount));
    text += fmt::format("  atomic {{ if :: !dma_done[{0}] -> {1}; raised_ahead[{0}] = 1 :: else fi }}\n}}\n", i,
                        raise(d.raises, amount));
    return text;
  }

  const Skeleton& s_;
  std::size_t number_;
  bool whole_;
  std::vector<Step> steps_;
  std::map<Step, std::size_t> of_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
};

}  // namespace

std::string promela_of(std::span<const Skeleton> skeletons, bool whole_signals) {
  std::size_t steps = 1, pairs = 1, dmas = 1, semaphores = 1;
  std::string processes, beginnings, endings;
  for (std::size_t k = 0; k < skeletons.size(); ++k) {
    const Model model(skeletons[k], k, whole_signals);
    processes += model.processes(), beginnings += model.beginning(), endings += model.ending();
    steps = std::max(steps, model.steps()), pairs = std::max(pairs, model.pairs());
    dmas = std::max(dmas, skeletons[k].dmas.size());
    semaphores = std::max(semaphores, skeletons[k].semaphores.size());
  }
  std::string text = fmt::format("short model;\nbyte finished;\nint count[{}];\n", semaphores);
  text += fmt::format("byte ran[{}];\nbyte first[{}];\n", steps, pairs);
  for (const char* name : {"started", "has_read", "dma_done", "raised_ahead", "sent_ahead"})
    text += fmt::format("bit {}[{}];\n", name, dmas);
  return text + processes + "init {\n  atomic {\n    if\n" + beginnings +
         "    fi\n  };\n  atomic {\n    timeout ->\n    if\n" + endings + "    fi\n  }\n}\n";
}

}  // namespace millrace::explore
