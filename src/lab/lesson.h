// SPDX-License-Identifier: Apache-2.0
// The lesson's comparisons and experiments, one function each in lesson.cpp and lesson_limits.cpp.
#pragma once

#include "lab/bench.h"
#include "lab/report.h"

namespace millrace::lab {

// All of them, in order: their inputs, runs, claims and the tile table are added to the report.
void add_lesson(LabReport& report, const Course& course);

// The experiments at the edges of what the kernels take. Each returns what it found.
Experiment one_tile(const NamedPair& input, const Course& course);
Experiment other_shape_and_dtype(const NamedPair& in_f32, const NamedPair& in_bf16, const Course& course);
Experiment refused_tile(const NamedPair& input, const Course& course);
Experiment plain_blocks(const NamedPair& input, const Course& course);

}  // namespace millrace::lab
