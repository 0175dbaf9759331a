// SPDX-License-Identifier: Apache-2.0
#include "runs.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "dsl/trace.h"
#include "event/stream_text.h"
#include "mosaic/io.h"
#include "program/lower.h"

namespace millrace::test {

std::size_t Ran::lines_with(std::string_view words) const {
  std::size_t count = 0, at = 0;
  while (at < stream.size()) {
    const std::size_t end = stream.find('\n', at);
    if (std::string_view(stream).substr(at, end - at).find(words) != std::string_view::npos) ++count;
    at = end + 1;
  }
  return count;
}

mosaic::Module module_of(const std::string& text) { return mosaic::read_module(text, "kernel.mlir"); }

std::string kernel_text(const std::string& arguments, const std::string& body, int scratch) {
  return fmt::format(
      "module {{\nfunc.func @main({}) attributes {{dimension_semantics = [], scalar_prefetch = 0 : i64, "
      "scratch_operands = {} : i64}} {{\n{}\nreturn\n}}\n}}\n",
      arguments, scratch, body);
}

std::vector<program::OperandSpec> specs_of(const std::vector<Array>& arrays) {
  std::vector<program::OperandSpec> specs;
  for (const Array& a : arrays) specs.push_back({a.dtype(), a.shape()});
  return specs;
}

namespace {

// Whether two runs came out the same.
bool same_outcome(const machine::Outcome& alone, const machine::Outcome& watched) {
  bool same = alone.work.steps == watched.work.steps && alone.work.dmas == watched.work.dmas &&
              alone.work.dma_bytes == watched.work.dma_bytes && alone.waiter_names == watched.waiter_names &&
              alone.fault.has_value() == watched.fault.has_value() && alone.outputs.size() == watched.outputs.size();
  if (same && alone.fault)
    same = alone.fault->id == watched.fault->id && alone.fault->message == watched.fault->message &&
           alone.fault->at == watched.fault->at && alone.fault->box == watched.fault->box;
  for (std::size_t i = 0; same && i < alone.outputs.size(); ++i) same = same_bits(alone.outputs[i], watched.outputs[i]);
  return same;
}

// Where nobody watches, the machine takes shorter ways. What comes out must be the same.
void require_same_unwatched(const machine::Linked& linked, const std::vector<Array>& inputs,
                            const std::vector<program::OperandSpec>& outputs, const How& how,
                            const machine::Outcome& watched) {
  const auto choice = machine::choice_named(how.schedule);
  if (!same_outcome(machine::execute(linked, {inputs, outputs, choice.get(), {}, how.max_steps}), watched))
    throw std::logic_error("a run that nobody watches went another way than one that somebody watches");
}

// Views whose sizes are known are worked out when a program is linked. Where they are not, and each is resolved as the
// run comes to it, what comes out and all that is told must be the same.
void require_same_without_located(machine::Linked linked, const std::vector<Array>& inputs,
                                  const std::vector<program::OperandSpec>& outputs, const How& how, const Ran& ran) {
  for (machine::LocatedAccess& a : linked.accesses) a.at.known = false;
  for (machine::LocatedDma& d : linked.dmas) d.known = d.semaphore.known = false;
  for (machine::LocatedWait& w : linked.dma_waits) w.known = w.semaphore.known = false;
  for (machine::Located& s : linked.semaphores) s.known = false;
  const auto choice = machine::choice_named(how.schedule);
  event::StreamText stream;
  event::Observer* const observer = &stream;
  const machine::Outcome outcome = machine::execute(
      linked,
      {inputs, outputs, choice.get(), {&observer, 1}, how.max_steps, {}, event::kDmaGranule, false, how.definedness});
  if (!same_outcome(outcome, ran.outcome) || stream.text() != ran.stream)
    throw std::logic_error("a run of views that were worked out before went another way than one that resolves each");
}

}  // namespace

Ran run(const mosaic::Module& module, const std::vector<Array>& inputs,
        const std::vector<program::OperandSpec>& outputs, const How& how) {
  std::vector<program::OperandSpec> specs = specs_of(inputs);
  specs.resize(specs.size() / static_cast<std::size_t>(how.environment.devices));
  const program::Program program = program::lower(module, specs, outputs, how.environment);
  const machine::Linked linked = machine::link(program);
  const auto choice = machine::choice_named(how.schedule);
  event::StreamText stream;
  std::vector<event::Observer*> observers = how.observers;
  observers.push_back(&stream);
  Ran ran;
  ran.outcome = machine::execute(
      linked,
      {inputs, outputs, choice.get(), observers, how.max_steps, {}, event::kDmaGranule, false, how.definedness});
  ran.stream = stream.text();
  if (!how.definedness) require_same_unwatched(linked, inputs, outputs, how, ran.outcome);
  require_same_without_located(linked, inputs, outputs, how, ran);
  return ran;
}

Ran run(const Kernel& kernel, const std::vector<Array>& inputs, const How& how) {
  std::vector<dsl::Operand> operands;
  for (const Array& a : inputs) operands.push_back({a.dtype(), a.shape()});
  const dsl::Traced traced = dsl::trace(kernel, operands);
  mosaic::verify_module(*traced.module);
  std::vector<program::OperandSpec> outputs;
  for (const auto& o : traced.outputs) outputs.push_back({o.dtype, o.shape});
  return run(*traced.module, inputs, outputs, how);
}

std::vector<std::string> schedules(int randoms) {
  std::vector<std::string> names = {"canonical", "eager", "lazy"};
  for (int seed = 1; seed <= randoms; ++seed) names.push_back(fmt::format("random:{}", seed));
  return names;
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    const char* kind = error.code() == ErrorCode::kUser          ? "user"
                       : error.code() == ErrorCode::kUnsupported ? "unsupported"
                       : error.code() == ErrorCode::kFinding     ? "finding"
                                                                 : "internal";
    return fmt::format("{}: {}", kind, error.what());
  }
  return "no error";
}

Array counted(DType dtype, const Shape& shape, double first) {
  Array numbers(f32, shape);
  for (std::int64_t i = 0; i < numbers.size(); ++i)
    numbers.as<float>()[static_cast<std::size_t>(i)] = static_cast<float>(first + static_cast<double>(i));
  return numbers.cast(dtype);
}

bool is_nan(const Array& array, std::int64_t flat) { return std::isnan(array.flat(flat)); }

}  // namespace millrace::test
