// SPDX-License-Identifier: Apache-2.0
#include "report/waits.h"

#include <fmt/format.h>

#include "report/place.h"

namespace millrace::report {

namespace {

std::string times(std::uint64_t n) { return n == 1 ? "once" : n == 2 ? "twice" : fmt::format("{} times", n); }

std::string amount_of(const checkers::WaitSite& w) {
  const std::string unit = w.bytes ? " bytes" : "";
  return w.least == w.most ? fmt::format("{}{}", w.most, unit) : fmt::format("{} to {}{}", w.least, w.most, unit);
}

std::string dmas(std::uint64_t n) { return fmt::format("{} DMA{}", n, n == 1 ? "" : "s"); }

std::string place(const std::string& at, const std::string& where) { return to_string(location_of(at, where)); }

std::string proof_of(const checkers::WaitedDmas& d, const checkers::WaitSite& w) {
  const std::string when = d.waits == w.waits ? "" : fmt::format(", in {} of {} waits", d.waits, w.waits);
  return fmt::format("   proves  {} started at {}{}\n", dmas(d.dmas), place(d.at, d.where), when);
}

std::string gap_of(const checkers::WaitedDmas& d, const checkers::WaitSite& w) {
  return fmt::format(
      "   leaves  DMAs started at {} open in {} of {} waits; first: the {} wait does not prove the {} start\n",
      place(d.at, d.where), d.waits, w.waits, ordinal(d.first_wait), ordinal(d.first_dma));
}

}  // namespace

std::string waits_text(const std::vector<checkers::WaitSite>& waits) {
  if (waits.empty()) return "The kernel itself waits for nothing.\n";
  std::string text;
  for (const checkers::WaitSite& w : waits) {
    text += fmt::format("wait at {}: {} of {}, {}\n", place(w.at, w.where), amount_of(w), w.semaphore, times(w.waits));
    for (const checkers::WaitedDmas& d : w.proved) text += proof_of(d, w);
    if (w.proved.empty() && w.open.empty())
      text += "   proves  no DMA; what it waits for came from signals\n";
    else if (w.proved_none > 0)
      text += fmt::format("   proves  nothing in {} of {} waits; the {} is the first\n", w.proved_none, w.waits,
                          ordinal(w.first_without_proof));
    for (const checkers::WaitedDmas& d : w.open) text += gap_of(d, w);
  }
  return text;
}

}  // namespace millrace::report
