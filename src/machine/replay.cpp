// SPDX-License-Identifier: Apache-2.0
#include "machine/replay.h"

#include <fmt/format.h>

#include <array>
#include <map>

#include "millrace/error.h"

namespace millrace::machine {

namespace {

using Core = std::pair<int, int>;

constexpr std::array<std::string_view, 5> kStages = {"", "read", "write", "progress", "signal"};

class Replay final : public Choice, public event::Observer {
 public:
  Replay(std::vector<Move> moves, std::string name) : moves_(std::move(moves)), name_(std::move(name)) {
    for (const Move& m : moves_)
      if (m.kind != Move::Kind::kCore) ++to_come_[{m.core, m.number}];
  }

  Moment moment() const override { return Moment::kAlways; }
  bool to_the_end() const override { return true; }
  event::Observer* observer() override { return this; }

  std::size_t pick(std::span<const Option> options) override {
    while (at_ < moves_.size() && moves_[at_].kind == Move::Kind::kCore && reached(moves_[at_])) ++at_;
    if (at_ == moves_.size()) return otherwise(options);
    const Move& next = moves_[at_];
    if (next.kind == Move::Kind::kCore) return otherwise(options);
    for (std::size_t i = 0; i < options.size(); ++i)
      if (options[i].kind == kind_of(next) && dmas_.at(options[i].dma) == Named{next.core, next.number}) {
        ++at_, --to_come_[{next.core, next.number}];
        return i;
      }
    stale(fmt::format("DMA {} of core {} cannot {} there", next.number, next.core.second, kStages[index(next.kind)]));
  }

  void ended() override {
    while (at_ < moves_.size() && moves_[at_].kind == Move::Kind::kCore && reached(moves_[at_])) ++at_;
    if (at_ < moves_.size()) stale("the kernel was over before it");
  }

  void on(const event::Access& e) override { ++done_[of(e.who)]; }
  void on(const event::Signalled& e) override { ++done_[of(e.who)]; }
  void on(const event::Waited& e) override { ++done_[of(e.who)]; }
  void on(const event::DmaIssued& e) override {
    ++done_[of(e.by)];
    dmas_[e.dma] = {of(e.by), started_[of(e.by)]++};
  }

 private:
  using Named = std::pair<Core, std::uint64_t>;  // a DMA by the core that started it, and its number there

  static Core of(const event::Agent& who) { return {who.device, who.core}; }
  static std::size_t index(Move::Kind kind) { return static_cast<std::size_t>(kind); }
  static Option::Kind kind_of(const Move& m) {
    constexpr std::array kinds = {Option::Kind::kCore, Option::Kind::kRead, Option::Kind::kWrite,
                                  Option::Kind::kProgress, Option::Kind::kSignal};
    return kinds[index(m.kind)];
  }

  bool reached(const Move& m) const {
    const auto done = done_.find(m.core);
    return done != done_.end() && done->second >= m.number;
  }

  // The core, or where it is blocked the oldest DMA of which the file has no more to say.
  std::size_t otherwise(std::span<const Option> options) const {
    for (std::size_t i = 0; i < options.size(); ++i) {
      const Option& o = options[i];
      if (o.kind == Option::Kind::kCore) return i;
      if (o.kind == Option::Kind::kProgress) continue;
      const auto left = to_come_.find(dmas_.at(o.dma));
      if (left == to_come_.end() || left->second == 0) return i;
    }
    stale("the core is blocked before it");
  }

  [[noreturn]] void stale(const std::string& why) const {
    throw Error(ErrorCode::kUser, fmt::format("{}, line {}: {}; the schedule was written for another kernel, other "
                                              "inputs or another version of them",
                                              name_, moves_[at_].line, why));
  }

  std::vector<Move> moves_;
  std::string name_;
  std::size_t at_ = 0;
  std::map<Core, std::uint64_t> done_, started_;
  std::map<event::DmaId, Named> dmas_;
  std::map<Named, std::uint64_t> to_come_;  // moves that the file still has for a DMA
};

}  // namespace

std::unique_ptr<Choice> replayed(std::vector<Move> moves, std::string name) {
  return std::make_unique<Replay>(std::move(moves), std::move(name));
}

}  // namespace millrace::machine
