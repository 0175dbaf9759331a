// SPDX-License-Identifier: Apache-2.0
#include "lab/compiled_for.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lab/on_tpu.h"

namespace millrace::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr Extent kBlocks[] = {{8, 128}, {16, 128}, {16, 256}, {64, 512}, {256, 1024}};
constexpr const char* kBoundary =
    "Compiled, not run: bundles of a static schedule. DMA stalls are not in them, and they are no run time.";

const target::BundleLoop* step_of(const target::Compiled& c) {
  return c.dumps.bundles ? target::main_loop(*c.dumps.bundles) : nullptr;
}

// "87 x 2048, 24576", or why there is no such figure.
std::string cell(const target::Compiled& c) {
  if (c.verdict != target::Verdict::kAccepted) return std::string(name_of(c.verdict));
  const auto* step = step_of(c);
  const std::string passes = step && step->trips ? fmt::format("{}", *step->trips) : std::string("?");
  const std::string vmem = c.dumps.vmem ? fmt::format("{}", c.dumps.vmem->total) : std::string("?");
  return fmt::format("{} x {}, {}", step ? fmt::format("{}", step->bundles) : std::string("?"), passes, vmem);
}

}  // namespace

CompiledPanel compile_lesson(const target::Library& library, const target::Worker& worker,
                             const std::vector<std::string>& chips) {
  CompiledPanel panel{library.version, chips, {}};
  const target::Tensor tensor{mosaic::Element::kF32, {kCompiledMatrix.rows, kCompiledMatrix.columns}};
  for (const Extent block : kBlocks) {
    Configuration c;
    c.block = block;
    CompiledRow row{block, (2 * c.input_slots + c.output_slots) * block.rows * block.columns * 4, {}};
    const target::KernelCall call{"axpy", axpy_module(c, DType::f32, kCompiledMatrix), {tensor, tensor}, {tensor}};
    for (const std::string& chip : chips) row.compiled.push_back(target::compile({library, chip, call, worker}));
    panel.rows.push_back(std::move(row));
  }
  return panel;
}

std::string to_text(const CompiledPanel& panel) {
  std::string text = fmt::format(
      "Compiled for (libtpu {}): the pipelined axpy of 1024x2048 f32, two slots\n"
      "bundles a step x passes, VMEM bytes\n\n{:<10}{:>10}",
      panel.libtpu.empty() ? "of unknown version" : panel.libtpu, "tile", "modeled");
  for (const std::string& chip : panel.chips) text += fmt::format("{:>24}", chip);
  text += '\n';
  for (const CompiledRow& row : panel.rows) {
    text += fmt::format("{:<10}{:>10}", to_string(row.block), row.modeled_vmem);
    for (const target::Compiled& c : row.compiled) text += fmt::format("{:>24}", cell(c));
    text += '\n';
  }
  return text + fmt::format("\n{}\n", kBoundary);
}

Json to_json(const CompiledPanel& panel) {
  Json tiles = Json::array();
  for (const CompiledRow& row : panel.rows) {
    Json chips = Json::array();
    for (const target::Compiled& c : row.compiled) {
      const auto* step = step_of(c);
      chips.push_back({{"compiled_for", c.chip},
                       {"verdict", name_of(c.verdict)},
                       {"reason", c.diagnosis.reason.empty() ? Json() : Json(c.diagnosis.reason)},
                       {"step_bundles", step ? Json(step->bundles) : Json()},
                       {"trips", step && step->trips ? Json(*step->trips) : Json()},
                       {"vmem", c.dumps.vmem ? Json(c.dumps.vmem->total) : Json()},
                       {"modeled_vmem", row.modeled_vmem}});
    }
    tiles.push_back({{"name", to_string(row.block)},
                     {"block", {row.block.rows, row.block.columns}},
                     {"modeled_vmem", row.modeled_vmem},
                     {"chips", chips}});
  }
  return {{"schema", 1},
          {"execution", "compiled"},
          {"device", nullptr},
          {"libtpu", panel.libtpu.empty() ? Json() : Json(panel.libtpu)},
          {"of", "the pipelined axpy of 1024x2048 f32, two slots, by tile"},
          {"shape", {kCompiledMatrix.rows, kCompiledMatrix.columns}},
          {"dtype", "f32"},
          {"tiles", tiles},
          {"boundary", kBoundary}};
}

}  // namespace millrace::lab
