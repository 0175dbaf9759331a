// SPDX-License-Identifier: Apache-2.0
// What the lab accepts. Every breach is an Error(kUser) with a sentence of its own; the TPU that is not there is the
// one Error(kUnsupported).
#pragma once

#include <string>
#include <string_view>

#include "millrace/array.h"
#include "plan/extent.h"

namespace millrace::lab {

using plan::Extent;

enum class Program { kPipelined, kBlocked };
enum class Mode { kSimulate, kTpu };

inline constexpr Extent kPipelinedBlock{8, 128};  // and the unit that pipelined blocks are multiples of
inline constexpr Extent kBlockedBlock{2, 4};

struct Configuration {
  Program program = Program::kPipelined;
  Extent block = kPipelinedBlock;
  int input_slots = 2;       // 2 or 3, of each input window
  int output_slots = 2;      // 2
  bool synchronous = false;  // every copy is awaited before anything else happens
  Mode mode = Mode::kSimulate;
};

Program program_named(std::string_view name);  // "pipelined", "blocked"
Mode mode_named(std::string_view name);        // "simulate", "tpu"
DType lab_dtype_named(std::string_view name);  // "f32", "bf16"

std::string_view name_of(Program program);
std::string_view name_of(Mode mode);
std::string describe(const Configuration& c);  // "pipelined 8x128, 2 input slots, synchronous"

// Matrices (rows, columns), neither empty, of equal shape and of the same dtype, f32 or bf16.
void require_pair(const Array& x, const Array& y);

// Block, slots and schedule that the program can take. Does not look at the mode.
void require_configuration(const Configuration& c);

// Throws Error(kUnsupported) for Mode::kTpu: there is no TPU target, and the simulator never stands in for one.
void require_target(Mode mode);

}  // namespace millrace::lab
