// SPDX-License-Identifier: Apache-2.0
// Two schedules of one kernel must give the same bits. Where they do not: which tile, which slot, and who wrote it.
#pragma once

#include <optional>
#include <string>

#include "millrace/array.h"
#include "millrace/run.h"
#include "plan/extent.h"

namespace millrace::lab {

// One side: the logical output, and the results (with track_writers) of the padded run it was cut from.
struct ScheduleResult {
  std::string name;
  const Array& output;
  const Results& results;
};

// Empty where both outputs have the same bits. Otherwise one sentence:
//   first differing tile (1, 2), element [8, 256]: eager has 0.75 (written by the DMA at k.cpp:12, execution 5, from
//   slot 1 of scoped0), lazy has nan (...)
std::optional<std::string> describe_disagreement(const ScheduleResult& a, const ScheduleResult& b, plan::Extent block);

}  // namespace millrace::lab
