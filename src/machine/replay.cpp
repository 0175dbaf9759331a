// SPDX-License-Identifier: Apache-2.0
#include "machine/replay.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <set>

#include "millrace/error.h"

namespace millrace::machine {

namespace {

using Core = std::pair<int, int>;

constexpr std::array<std::string_view, 6> kStages = {"", "read", "write", "progress", "signal", "send-progress"};

class Replay final : public Choice, public event::Observer {
 public:
  Replay(std::vector<Move> moves, std::string name) : moves_(std::move(moves)), name_(std::move(name)) {
    for (const Move& m : moves_)
      if (m.kind != Move::Kind::kCore) named_.insert({m.core, m.number});
    std::erase_if(moves_, [](const Move& m) { return m.kind == Move::Kind::kHold; });
  }

  Moment moment() const override { return Moment::kAlways; }
  bool to_the_end() const override { return true; }
  event::Observer* observer() override { return this; }

  std::size_t pick(std::span<const Option> options) override {
    while (at_ < moves_.size() && moves_[at_].kind == Move::Kind::kCore && reached(moves_[at_])) ++at_;
    if (at_ == moves_.size()) return as_canonical(options);
    const Move& next = moves_[at_];
    if (next.kind == Move::Kind::kCore) return go_on(options, next.core);
    for (std::size_t i = 0; i < options.size(); ++i)
      if (options[i].kind == kind_of(next) && dmas_.at(options[i].dma) == Named{next.core, next.number}) {
        ++at_;
        return i;
      }
    stale(fmt::format("DMA {} of core {} cannot {} there", next.number, next.core.second, kStages[index(next.kind)]));
  }

  void ended() override {
    while (at_ < moves_.size() && moves_[at_].kind == Move::Kind::kCore && reached(moves_[at_])) ++at_;
    if (at_ < moves_.size()) stale("the kernel was over before it");
  }

  void on(const event::RunBegan& e) override { cores_ = e.cores; }
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
    constexpr std::array kinds = {Option::Kind::kCore,     Option::Kind::kRead,   Option::Kind::kWrite,
                                  Option::Kind::kProgress, Option::Kind::kSignal, Option::Kind::kSendProgress};
    return kinds[index(m.kind)];
  }

  bool reached(const Move& m) const {
    const auto done = done_.find(m.core);
    return done != done_.end() && done->second >= m.number;
  }

  // This core, or where it is blocked the oldest DMA that the file does not name.
  std::size_t go_on(std::span<const Option> options, const Core& core) const {
    for (std::size_t i = 0; i < options.size(); ++i) {
      const Option& o = options[i];
      const auto number = static_cast<int>(o.core);
      if (o.kind == Option::Kind::kCore && core == Core{number / cores_, number % cores_}) return i;
      if (o.kind == Option::Kind::kCore || o.partial()) continue;
      if (!named_.contains(dmas_.at(o.dma))) return i;
    }
    stale(fmt::format("core {} is blocked before it, or through", core.second));
  }

  static std::size_t as_canonical(std::span<const Option> options) {
    for (std::size_t i = 0; i < options.size(); ++i)
      if (!options[i].partial()) return i;
    return 0;
  }

  [[noreturn]] void stale(const std::string& why) const {
    throw Error(ErrorCode::kUser, fmt::format("{}, line {}: {}; the schedule was written for another kernel, other "
                                              "inputs or another version of them",
                                              name_, moves_[at_].line, why));
  }

  std::vector<Move> moves_;
  std::string name_;
  std::size_t at_ = 0;
  int cores_ = 1;  // of each device
  std::map<Core, std::uint64_t> done_, started_;
  std::map<event::DmaId, Named> dmas_;
  std::set<Named> named_;  // DMAs that move only as the file says, to its end
};

}  // namespace

std::unique_ptr<Choice> replayed(std::vector<Move> moves, std::string name) {
  return std::make_unique<Replay>(std::move(moves), std::move(name));
}

}  // namespace millrace::machine
