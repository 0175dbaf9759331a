// SPDX-License-Identifier: Apache-2.0
// A kernel laid out in time by a model of a chip: which loads, stores and computations lie under each other, and what
// limits it. Modeled, never measured: docs/timing.md has the formulas and where the figures come from.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "millrace/run.h"

namespace millrace {

struct ModelOptions {
  RunOptions run = {};                         // `chip`: whose figures are taken
  std::map<std::string, double> figures = {};  // in place of the chip's own: {"bandwidth", 820} in GB/s, ...
  std::string title = {};                      // default: the kernel's name
};

class MILLRACE_API ModeledTime {
 public:
  double seconds() const;          // until all cores are through and all DMAs there
  double waiting() const;          // seconds that cores stand still, all together
  double overlap() const;          // of 0 to 1: of computing and moving, the shorter, how much lies under the other
  std::string bounded_by() const;  // "latency of loads", "compute", ...: the largest part of the critical path
  // A step in the middle of the run, simulated and what the theory says it takes at least; 0 where there are no steps.
  double step_seconds() const;
  double step_theory() const;
  std::string step_bounded_by() const;

  std::string text(int columns = 100) const;
  std::string svg(int width = 1000) const;  // self-contained
  std::string json() const;                 // docs/timing.md
  std::string perfetto() const;             // bytes, for ui.perfetto.dev

  struct Data;  // internal
  std::shared_ptr<const Data> data;
};

// Checks `kernel` on `inputs` in the simulator, so that faults stand in the pictures, and lays the run out. Throws what
// check() throws, and Error(kUser) for a figure that is none.
MILLRACE_API ModeledTime modeled_time(const Kernel& kernel, const std::vector<Array>& inputs,
                                      const ModelOptions& options = {});

// Several kernels over one time axis, below each other.
MILLRACE_API std::string svg_of(const std::vector<ModeledTime>& all, const std::string& title, int width = 1000);

}  // namespace millrace
