// SPDX-License-Identifier: Apache-2.0
// The drawn part of one timeline: axis, lanes, slots, counters, faults. Internal to the SVG.
#pragma once

#include <string>
#include <vector>

#include "timing/timeline.h"
#include "view/drawing.h"
#include "view/stack.h"

namespace millrace::view {

class Picture {
 public:
  Picture(const timing::Timeline& t, Drawing& d, timing::Time from, timing::Time to);
  void draw();

 private:
  double x(timing::Time at) const;
  bool shown(timing::Time begin, timing::Time end) const { return end >= from_ && begin <= to_; }
  void label(double base, const std::string& name);
  void axis();
  void lanes();
  void grid(double top, double bottom);
  void copy_bar(const timing::Bar& b, double top, const std::string& title);
  void compute_bar(const timing::Bar& b, double top, const std::string& title);
  void wait_bar(const timing::Bar& b, double top, const std::string& title);
  void fit(double x0, double x1, double top, const std::string& text);
  void slots();
  void tenancy(const timing::Tenancy& l, double top);
  void counters();
  void counter(const timing::Counter& c);
  void arrows();
  void faults();
  double middle_of(timing::Index bar) const;
  std::string slot_class(const timing::Bar& b, std::uint32_t& letter) const;

  const timing::Timeline& t_;
  Drawing& d_;
  timing::Time from_, to_;
  double left_, right_;
  Stacked lines_;
  std::vector<double> lane_top_;
};

}  // namespace millrace::view
