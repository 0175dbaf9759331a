// SPDX-License-Identifier: Apache-2.0
// The drawn part of one timeline: axis, lanes, slots, counters, faults. Internal to the SVG.
#pragma once

#include <map>
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
  static constexpr double kLine = 20, kBar = 16, kFont = 11;
  static constexpr double kInset = 9;   // from the names to time 0: room for marks that stand out
  static constexpr double kBadge = 14;  // from one number of a finding to the next

  double x(timing::Time at) const;
  bool shown(timing::Time begin, timing::Time end) const { return end >= from_ && begin <= to_; }
  void label(double base, const std::string& name);
  std::string owned(const std::string& name, int device, int core) const;
  void axis();
  void lanes();
  void grid(double top, double bottom);
  void copy_bar(timing::Index bar, double top, const std::string& title);
  void compute_bar(const timing::Bar& b, double top, const std::string& title);
  void wait_bar(const timing::Bar& b, double top, const std::string& title);
  void fit(double x0, double x1, double top, const std::vector<std::string>& texts, bool must = false);
  void slots();
  void slot_names();
  void tenancy(const timing::Tenancy& l, double top);
  void counters();
  void counter(const timing::Counter& c);
  void arrows();
  void marks();
  void mark_texts(const std::vector<Mark>& line, double top);
  void faults();
  struct Spot {
    double x0, x1, top;
  };
  void link(const Spot& one, const Spot& other);
  Spot spot_of(const timing::Moment& m) const;
  void frame(std::size_t fault, std::size_t i);
  void badge(std::size_t fault, const timing::Moment& m);
  double badge_of(double x, double top);
  timing::Time held_until() const;
  double middle_of(timing::Index bar) const;
  std::string slot_class(const timing::Bar& b, std::uint32_t& letter) const;

  const timing::Timeline& t_;
  Drawing& d_;
  timing::Time from_, to_;
  double left_, right_;
  Stacked lines_;
  StackedSlots slot_lines_;
  std::vector<double> lane_top_;
  std::vector<std::vector<double>> slot_top_;     // by row and slot
  std::map<double, std::vector<double>> badges_;  // those in the picture: by height, from left to right
  std::map<timing::Index, int> findings_of_;      // how many findings speak of a bar
};

}  // namespace millrace::view
