// SPDX-License-Identifier: Apache-2.0
#include "machine/choice.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <sstream>

#include "array/splitmix.h"
#include "machine/replay.h"
#include "millrace/error.h"

namespace millrace::machine {

namespace {

class Canonical final : public Choice {
 public:
  Moment moment() const override { return Moment::kWhenBlocked; }
  bool whole() const override { return true; }
  bool oldest_first() const override { return true; }
  std::size_t pick(std::span<const Option> options) override {
    for (std::size_t i = 0; i < options.size(); ++i)
      if (!options[i].partial()) return i;
    return 0;
  }
};

class Eager final : public Choice {
 public:
  Moment moment() const override { return Moment::kWhenIssued; }
  std::size_t pick(std::span<const Option>) override { return 0; }
};

class Lazy final : public Choice {
 public:
  Moment moment() const override { return Moment::kWhenBlocked; }
  bool whole() const override { return true; }
  std::size_t pick(std::span<const Option> options) override {
    if (options[0].kind == Option::Kind::kCore) return 0;
    for (std::size_t i = options.size(); i-- > 0;)
      if (options[i].awaited && !options[i].partial()) return i;
    return 0;
  }
};

class Random final : public Choice {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  Moment moment() const override { return Moment::kAlways; }
  std::size_t pick(std::span<const Option> options) override { return among(options.size()); }
  std::size_t among(std::size_t n) override { return static_cast<std::size_t>(next_splitmix(state_) % n); }

 private:
  std::uint64_t state_;
};

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  if (!file || !(text << file.rdbuf()))
    throw Error(ErrorCode::kUser, fmt::format("the schedule {} cannot be read, or is empty", path));
  return text.str();
}

}  // namespace

std::unique_ptr<Choice> choice_named(const std::string& name) {
  if (name == "canonical") return std::make_unique<Canonical>();
  if (name == "eager") return std::make_unique<Eager>();
  if (name == "lazy") return std::make_unique<Lazy>();
  if (name.starts_with("random:")) {
    std::uint64_t seed = 0;
    const char *first = name.data() + 7, *last = name.data() + name.size();
    auto [end, error] = std::from_chars(first, last, seed);
    if (error == std::errc{} && end == last && first != last) return std::make_unique<Random>(seed);
  }
  if (name.starts_with("replay:")) {
    const std::string file = name.substr(7);
    return replayed(parse_schedule(text_of(file), file), file);
  }
  if (name.starts_with(kScheduleHead)) return replayed(parse_schedule(name, "the schedule"), "the schedule");
  throw Error(ErrorCode::kUser,
              fmt::format("schedule '{}' is unknown: take canonical, eager, lazy, random:SEED (SEED from 0 to 2^64-1) "
                          "or replay:FILE",
                          name));
}

}  // namespace millrace::machine
