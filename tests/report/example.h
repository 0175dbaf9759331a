// SPDX-License-Identifier: Apache-2.0
// Findings to print.
#pragma once

#include <string>

#include "report/checked.h"

namespace millrace::report {

inline Finding race(const std::string& at = "ring.py:31") {
  Finding f;
  f.id = "race.read-write", f.memory = "scratch0", f.schedules = "all";
  f.message = "scratch0[1, 0:8] is read while a load may still be writing it";
  f.hint = "one semaphore for each slot", f.clause = "S4.2";
  f.first = Side{"DMA write", "ring.py:24", 0, 0, 0, {}, "ring.py:24"};
  f.second = Side{"core read", at, 2, 0, 0, {}, at};
  f.box = {{1, 2, 1}, {0, 8, 1}};
  return f;
}

inline Finding deadlock() {
  Finding f;
  f.id = "deadlock", f.clause = "S4.4", f.message = "core 0 waits for ever", f.hint = "start it first";
  f.waiters = {{"scratch1[0]", "ring.py:40", 1, 0, 0, 4096, 0}};
  return f;
}

inline Finding in_scope() {
  Finding f = race("ep_copy_out/dma_start");
  f.second->where = "ep_copy_out/dma_start at pipe.py:12";
  return f;
}

inline Finding warning() {
  Finding f;
  f.id = "target.vmem", f.severity = Severity::kWarning, f.clause = "S1.1", f.message = "too much VMEM: 17 MiB of 16";
  return f;
}

inline Checked checked(std::vector<Finding> findings) {
  Checked c;
  c.module = "kernels/ring.mlirbc", c.kernel = "ring";
  c.findings = std::move(findings);
  for (const Finding& f : c.findings)
    if (f.severity == Severity::kError) c.verdict = Verdict::kFaulty;
  return c;
}

}  // namespace millrace::report
