// SPDX-License-Identifier: Apache-2.0
#include "lab/contract.h"

#include <fmt/format.h>

#include "millrace/error.h"

namespace millrace::lab {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::kUser, sentence); }

void require_matrix(const Array& array, std::string_view name) {
  const Shape& shape = array.shape();
  if (shape.size() != 2) {
    refuse(fmt::format("{} has shape {}; the lab takes matrices (rows, columns), both at least 1", name,
                       to_string(shape)));
  }
  if (array.size() == 0) {
    refuse(fmt::format("{} is empty (shape {}); the lab takes at least 1 row and 1 column", name, to_string(shape)));
  }
}

void require_float(const Array& array, std::string_view name) {
  if (array.dtype() == DType::f32 || array.dtype() == DType::bf16) return;
  const std::string_view hint = array.dtype() == DType::u16 ? "; a bf16 matrix stored as u16 needs `--dtype bf16`" : "";
  refuse(fmt::format("{} is {}; the lab takes f32 and bf16{}", name, name_of(array.dtype()), hint));
}

}  // namespace

Program program_named(std::string_view name) {
  if (name == "pipelined") return Program::kPipelined;
  if (name == "blocked") return Program::kBlocked;
  refuse(fmt::format("program `{}` is not one of the lab's: pipelined, blocked", name));
}

Mode mode_named(std::string_view name) {
  if (name == "simulate") return Mode::kSimulate;
  if (name == "tpu") return Mode::kTpu;
  refuse(fmt::format("mode `{}` is not one of the lab's: simulate, tpu", name));
}

DType lab_dtype_named(std::string_view name) {
  if (name == "f32") return DType::f32;
  if (name == "bf16") return DType::bf16;
  refuse(fmt::format("dtype `{}` is not one of the lab's: f32, bf16", name));
}

std::string_view name_of(Program program) { return program == Program::kPipelined ? "pipelined" : "blocked"; }

std::string_view name_of(Mode mode) { return mode == Mode::kSimulate ? "simulate" : "tpu"; }

std::string describe(const Configuration& c) {
  if (c.program == Program::kBlocked) return fmt::format("blocked {}", to_string(c.block));
  return fmt::format("pipelined {}, {} input slots, {}", to_string(c.block), c.input_slots,
                     c.synchronous ? "synchronous" : "buffered");
}

void require_pair(const Array& x, const Array& y) {
  require_matrix(x, "x");
  require_matrix(y, "y");
  if (x.shape() != y.shape()) {
    refuse(fmt::format("x has shape {} and y {}; the lab adds matrices of the same shape", to_string(x.shape()),
                       to_string(y.shape())));
  }
  require_float(x, "x");
  require_float(y, "y");
  if (x.dtype() != y.dtype()) {
    refuse(fmt::format("x is {} and y is {}; the lab takes two matrices of the same dtype", name_of(x.dtype()),
                       name_of(y.dtype())));
  }
}

void require_configuration(const Configuration& c) {
  if (c.block.rows < 1 || c.block.columns < 1) {
    refuse(fmt::format("block {} is not a tile: rows and columns must both be at least 1", to_string(c.block)));
  }
  if (c.program == Program::kBlocked) {
    if (!c.synchronous && c.input_slots == 2) return;
    refuse(
        "the blocked program leaves its windows to the grid; input slots other than 2 and a synchronous schedule "
        "belong to `--program pipelined`");
  }
  if (c.block.rows % kPipelinedBlock.rows != 0 || c.block.columns % kPipelinedBlock.columns != 0) {
    refuse(
        fmt::format("block {} cannot be pipelined: rows must be a multiple of 8 and columns of 128 (try 8x128); "
                    "`--program blocked` takes any block",
                    to_string(c.block)));
  }
  if (c.input_slots != 2 && c.input_slots != 3) {
    refuse(fmt::format("{} input slots: the lab pipelines with 2 or 3", c.input_slots));
  }
  if (c.output_slots != 2) {
    refuse(
        fmt::format("{} output slots: the lab keeps exactly 2, since an output is awaited one step after it was sent",
                    c.output_slots));
  }
}

void require_target(Mode mode) {
  if (mode == Mode::kSimulate) return;
  throw Error(ErrorCode::kUnsupported,
              "no TPU here (this build has no TPU target); nothing was run and no receipt written. "
              "`--mode simulate` runs the same kernel in the simulator, and says so");
}

}  // namespace millrace::lab
