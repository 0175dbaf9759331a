// SPDX-License-Identifier: Apache-2.0
// What the tests of the rooms between module and verdict share: a kernel as text or as C++, run once under a schedule,
// with its event stream kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "event/event.h"
#include "machine/machine.h"
#include "millrace/language.h"
#include "mosaic/ir.h"
#include "program/program.h"

namespace millrace::test {

struct Ran {
  machine::Outcome outcome;
  std::string stream;  // the event stream as text, one line an event

  const Array& out(std::size_t i = 0) const { return outcome.outputs.at(i); }
  // How many lines of the stream begin with, or hold, these words.
  std::size_t lines_with(std::string_view words) const;
};

struct How {
  std::string schedule = "canonical";
  std::vector<event::Observer*> observers = {};
  std::uint64_t max_steps = 1'000'000;
  program::Environment environment = {};
  bool definedness = false;
};

// The module of a text in MLIR's form, verified. Its places are "kernel.mlir:LINE" unless the text says otherwise.
mosaic::Module module_of(const std::string& text);
// Around `body`: a module with one kernel of these arguments, of which the last `scratch` are scratch.
std::string kernel_text(const std::string& arguments, const std::string& body, int scratch = 0);

std::vector<program::OperandSpec> specs_of(const std::vector<Array>& arrays);
// The inputs are those of device 0, then those of device 1, ...
Ran run(const mosaic::Module& module, const std::vector<Array>& inputs,
        const std::vector<program::OperandSpec>& outputs, const How& how = {});
Ran run(const Kernel& kernel, const std::vector<Array>& inputs, const How& how = {});

// canonical, eager, lazy and random:1 ... random:`randoms`.
std::vector<std::string> schedules(int randoms);

// The error that this action ends with: "user: sentence", "unsupported: sentence", ...; "no error" where there is none.
std::string error_of(const std::function<void()>& action);

Array counted(DType dtype, const Shape& shape, double first = 0);  // first, first + 1, ... in row-major order
bool is_nan(const Array& array, std::int64_t flat);

}  // namespace millrace::test
