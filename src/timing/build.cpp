// SPDX-License-Identifier: Apache-2.0
#include "timing/build.h"

namespace millrace::timing {

Timeline make_timeline(const Trace& trace, const Times& times, const Costs& costs,
                       const std::vector<Finding>& findings) {
  Timeline t;
  t.chip = costs.chip, t.parameters = costs.parameters;
  t.end = times.end;
  t.devices = trace.devices, t.cores = trace.cores_of_device;
  t.places = trace.places, t.blocks = trace.blocks, t.steps = trace.steps;
  t.cut = trace.cut;
  BarOf of;
  add_bars(trace, times, t, of);
  add_lives(trace, times, t, of);
  add_counters(trace, times, t);
  add_overlap(trace, times, t);
  add_path(trace, times, t, of);
  add_steady(trace, times, costs, t);
  add_faults(trace, times, findings, t, of);
  return t;
}

}  // namespace millrace::timing
