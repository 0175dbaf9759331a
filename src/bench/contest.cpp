// SPDX-License-Identifier: Apache-2.0
#include "bench/contest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "millrace/native.h"
#include "target/cpu/calibrate.h"
#include "target/cpu/matmul.h"

namespace millrace::bench {

namespace {

using target::Contestant;
using target::Spread;
using target::Together;

constexpr double kEnough = 4;  // times the length of a sample: then it ends, however few its runs
constexpr int kRestMs = 20;    // before each turn

double milliseconds_of(const std::function<void()>& run) {
  const auto before = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - before).count();
}

double least_of_three(const std::function<void()>& run) {
  double least = milliseconds_of(run);
  for (int i = 0; i < 2; ++i) least = std::min(least, milliseconds_of(run));
  return least;
}

// Everybody, set up and found right; turns are taken afterwards.
class Field {
 public:
  Field(const CpuRow& row, Together& threads, const ContestSettings& settings)
      : row_(row), threads_(threads), settings_(settings) {
    out_.name = row.name, out_.words = row.words, out_.threads = threads.threads();
    out_.unit = row.flops > 0 ? "GFLOP/s" : "GB/s";
    out_.work = row.flops;
    if (row.flops > 0) return;
    out_.work = static_cast<double>(row.like.bytes());
    for (const std::size_t i : row.streamed) out_.work += static_cast<double>(row.inputs[i].bytes());
  }

  void millrace() {
    try {
      kernel_ = std::make_unique<NativeKernel>(row_.kernel, row_.inputs, NativeOptions{threads_.threads()});
      kernel_->run_into(row_.inputs, native_);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUnsupported) throw;
      kernel_.reset();
      out_.refused = error.what();
      return;
    }
    out_.movement = kernel_->movement();
    enter("Millrace", native_.at(0), [this] { kernel_->run_into(row_.inputs, native_); });
    entrants_.back().timing.compile_seconds = kernel_->compile_seconds();
  }

  void in_cpp(const std::string& name,
              const std::function<void(const std::vector<Array>&, Array&, Together&)>& compute) {
    const auto array = std::make_shared<Array>(Array::unset(row_.like.dtype(), row_.like.shape()));
    compute(row_.inputs, *array, threads_);
    enter(name, *array, [this, array, compute] { compute(row_.inputs, *array, threads_); });
  }

  void of_peer(Peer& peer, const std::string& who) {
    const std::string name = who + ":" + row_.name;
    const auto before = std::chrono::steady_clock::now();
    const Array result = peer.prepare(name, 1, row_.inputs, row_.like.dtype());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
    enter(who, result, {});
    entrants_.back().timing.compile_seconds = took.count();
    double one = peer.milliseconds(name, 1);
    one = std::min(one, peer.milliseconds(name, 1));
    const int runs = target::runs_for(one, settings_.sample_ms);
    contestants_.back().milliseconds = [&peer, name, runs] { return peer.milliseconds(name, runs); };
  }

  // The loop that bounds the kernel, its time made that of the kernel's work.
  void calibration() {
    std::function<void()> loop;
    if (row_.flops > 0) {
      fma_ = std::make_unique<target::FmaLoop>(threads_);
      loop = [this] { fma_->run(); };
      scale_ = row_.flops / fma_->flops();
      out_.calibration.what = fma_->variant();
    } else {
      written_ = Array::unset(row_.like.dtype(), row_.like.shape());
      target::Streams streams{{}, written_.data(), row_.like.bytes()};
      for (const std::size_t i : row_.streamed) streams.reads.push_back(row_.inputs[i].data());
      mix_ = std::make_unique<target::MixLoop>(streams, threads_);
      loop = [this] { mix_->run(); };
      out_.calibration.what = fmt::format("{} read, 1 written, {}", row_.streamed.size(), mix_->variant());
    }
    contestants_.push_back({"calibration",
                            loop,
                            {},
                            target::runs_for(least_of_three(loop), settings_.sample_ms),
                            kEnough * settings_.sample_ms});
  }

  Contest ended() {
    const int fits = target::runs_for(round_ms(), settings_.most_ms, settings_.samples);
    const int samples_each = std::max(target::kLeastSamples, fits);
    const target::Samples samples = target::take_turns(contestants_, settings_.warm_ups, samples_each, kRestMs);
    for (std::size_t i = 0; i < entrants_.size(); ++i) {
      Entrant& e = entrants_[i];
      e.timing.warm_ups = samples.warm_ups, e.timing.milliseconds = samples.milliseconds[i];
      e.rate = rate(target::spread_of(e.timing.milliseconds).median);
      if (kernel_ && i > 0) e.ratio = ratio(samples.milliseconds[0], samples.milliseconds[i]);
    }
    calibrate(samples);
    if (kernel_) out_.millrace = entrants_.front(), entrants_.erase(entrants_.begin());
    out_.others = std::move(entrants_);
    return std::move(out_);
  }

 private:
  void enter(const std::string& name, const Array& result, const std::function<void()>& run) {
    const Judged judged = judge(row_, result);
    if (!judged.passed)
      throw Error(ErrorCode::kInternal, fmt::format("{}: {} does not compute what it should: max |error| {:.3g}",
                                                    row_.name, name, judged.max_abs_error));
    entrants_.push_back({name, {name, 0, 0, {}}, 0, judged.max_abs_error, {}});
    contestants_.push_back({name,
                            run,
                            {},
                            run ? target::runs_for(least_of_three(run), settings_.sample_ms) : 1,
                            kEnough * settings_.sample_ms});
  }

  // What one turn of everybody takes, about.
  double round_ms() const {
    double sum = 0;
    for (const Contestant& c : contestants_)
      sum += c.milliseconds ? c.milliseconds() : std::max(settings_.sample_ms, milliseconds_of(c.run));
    return sum;
  }

  double rate(double ms) const { return out_.work / ms / 1e6; }

  static Spread ratio(const std::vector<double>& ours, const std::vector<double>& theirs) {
    std::vector<double> all;
    for (std::size_t i = 0; i < ours.size(); ++i) all.push_back(ours[i] / theirs[i]);
    return target::spread_of(all);
  }

  void calibrate(const target::Samples& samples) {
    target::Calibration& c = out_.calibration;
    std::vector<double> series = samples.milliseconds.back();
    for (double& ms : series) ms *= scale_;
    c.unit = out_.unit;
    c.best = rate(target::spread_of(series).min);
    if (kernel_) c.share = entrants_.front().rate / c.best;
    c.timing = {"calibration", 0, samples.warm_ups, std::move(series)};
    out_.noise = target::noise_in(c.timing.milliseconds);
  }

  const CpuRow& row_;
  Together& threads_;
  const ContestSettings& settings_;
  Contest out_;
  std::vector<Entrant> entrants_;
  std::vector<Contestant> contestants_;  // the entrants, then the calibration
  std::unique_ptr<NativeKernel> kernel_;
  std::vector<Array> native_;
  std::unique_ptr<target::MixLoop> mix_;
  std::unique_ptr<target::FmaLoop> fma_;
  Array written_;
  double scale_ = 1;
};

nlohmann::ordered_json json_of(const Entrant& e, bool against) {
  nlohmann::ordered_json json = target::json_of(e.timing);
  json["rate"] = e.rate, json["max_abs_error"] = e.max_abs_error;
  if (against) json["ratio"] = {{"min", e.ratio.min}, {"median", e.ratio.median}, {"max", e.ratio.max}};
  return json;
}

std::string line(const Entrant& e, const std::string& unit, const std::string& more) {
  const Spread s = target::spread_of(e.timing.milliseconds);
  return fmt::format("  {:<12} {:10.4f} ms, p90 {:.4f}, min {:.4f}: {:7.1f} {}{}\n", e.name, s.median, s.p90, s.min,
                     e.rate, unit, more);
}

}  // namespace

Contest contest(const CpuRow& row, Together& threads, Peer* peer, const ContestSettings& settings) {
  Field field(row, threads, settings);
  field.millrace();
  field.in_cpp("plain C++", row.plain);
  if (row.library) field.in_cpp(target::matmul_library(), row.library);
  if (peer) {
    if (row.like.dtype() == DType::f32) field.of_peer(*peer, "numpy");  // numpy has no bf16
    field.of_peer(*peer, "jax");
  }
  field.calibration();
  return field.ended();
}

std::string to_text(const Contest& c) {
  std::string text = fmt::format("{}: {}, {} thread{}\n", c.name, c.words, c.threads, c.threads == 1 ? "" : "s");
  if (c.millrace)
    text += line(*c.millrace, c.unit, fmt::format(", {:.0f} % of the best calibration", 100 * c.calibration.share));
  else
    text += fmt::format("  Millrace took no part: {}\n", c.refused);
  for (const Entrant& e : c.others) {
    const std::string against = c.millrace ? fmt::format("; Millrace takes {:.2f} [{:.2f}, {:.2f}] of it",
                                                         e.ratio.median, e.ratio.min, e.ratio.max)
                                           : "";
    text += line(e, c.unit, against);
  }
  const Spread s = target::spread_of(c.calibration.timing.milliseconds);
  text += fmt::format("  {:<12} {:10.4f} ms, p90 {:.4f}, min {:.4f}: {:7.1f} {} at best: {}\n", "calibration", s.median,
                      s.p90, s.min, c.calibration.best, c.unit, c.calibration.what);
  text += fmt::format("  {} warm-ups, {} samples of each in turn", c.calibration.timing.warm_ups,
                      c.calibration.timing.milliseconds.size());
  if (c.millrace) text += fmt::format("; compiled in {:.3f} s before", c.millrace->timing.compile_seconds);
  text += "\n";
  if (!c.noise.empty()) text += "  NOISY: of the calibration, " + c.noise + "\n";
  return text;
}

nlohmann::ordered_json to_json(const Contest& c) {
  using Json = nlohmann::ordered_json;
  Json json{{"name", c.name}, {"words", c.words}, {"threads", c.threads}, {"unit", c.unit}, {"work", c.work}};
  json["refused"] = c.millrace ? Json() : Json(c.refused);
  json["millrace"] = c.millrace ? json_of(*c.millrace, false) : Json();
  json["movement"] = c.movement;
  json["baselines"] = Json::array();
  for (const Entrant& e : c.others) json["baselines"].push_back(json_of(e, c.millrace.has_value()));
  json["calibration"] = target::json_of(c.calibration);
  json["noise"] = c.noise.empty() ? Json() : Json(c.noise);
  return json;
}

}  // namespace millrace::bench
