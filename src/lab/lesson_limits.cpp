// SPDX-License-Identifier: Apache-2.0
// The lesson's edges: a single tile, ragged matrices of both types, a tile that is refused, blocks of any size.
#include <fmt/format.h>

#include <algorithm>

#include "lab/bench.h"
#include "lab/lesson.h"
#include "millrace/error.h"

namespace millrace::lab {
namespace {

// Synchronous, two slots, three slots: each against the oracle, all the same bits.
void three_schedules(Bench& bench, const std::string& prefix, const NamedPair& input) {
  const LabRun* synchronous = bench.run(prefix + "synchronous", {.synchronous = true}, input);
  const LabRun* two = bench.run(prefix + "two slots", {}, input);
  const LabRun* three = bench.run(prefix + "three slots", {.input_slots = 3}, input);
  bench.claim_same_bits(synchronous, two, input);
  bench.claim_same_bits(two, three, input);
}

}  // namespace

Experiment one_tile(const NamedPair& input, const Course& course) {
  Experiment experiment{.id = "one-tile",
                        .title = "A pipeline of one tile",
                        .question = "With a single tile, what is left to overlap with its load?",
                        .prediction = "Nothing: there is no next tile to fetch; the numbers are right all the same.",
                        .choices = {"nothing", "the load of the next tile", "its own computation"}};
  Bench bench(course, experiment);
  three_schedules(bench, "", input);
  // A copy more than one for each of the three operands would be a second tile's.
  const bool alone = std::ranges::all_of(experiment.runs, [](const LabRun& run) { return run.work.dmas == 3; });
  experiment.outcome = experiment.choices[alone ? 0 : 1];
  for (const LabRun& run : experiment.runs) {
    experiment.answer += fmt::format("{}{}: {} copies", experiment.answer.empty() ? "" : "; ", run.name, run.work.dmas);
  }
  experiment.answer += alone ? ". No copy of a second tile was there to overlap." : ": more than its three.";
  return experiment;
}

Experiment other_shape_and_dtype(const NamedPair& in_f32, const NamedPair& in_bf16, const Course& course) {
  Experiment experiment{.id = "other-shape-and-dtype", .title = "(9, 129) at random, in f32 and bf16"};
  Bench bench(course, experiment);
  three_schedules(bench, "f32 ", in_f32);
  three_schedules(bench, "bf16 ", in_bf16);
  return experiment;
}

Experiment refused_tile(const NamedPair& input, const Course& course) {
  Experiment experiment{.id = "refused-tile",
                        .title = "A tile of 3x5",
                        .question = "Does the pipelined program take a tile that is no multiple of 8x128?",
                        .prediction = "No, and nothing runs in its place; the blocked program takes any block.",
                        .choices = {"no", "yes"}};
  Bench bench(course, experiment);
  const Extent block{3, 5};
  bool refused = false;
  try {
    course.simulator({.block = block}, input.pair, RunOptions{.detect_races = true});
  } catch (const Error& error) {
    refused = error.code() == ErrorCode::kUser;
    experiment.notes.push_back(fmt::format("refused: {}", error.what()));
  }
  bench.claim("the pipelined program refuses 3x5", refused, "it was accepted");
  bench.run("blocked 3x5", {.program = Program::kBlocked, .block = block}, input);
  experiment.outcome = refused ? "no" : "yes";
  experiment.answer = refused ? "It was refused; the blocked program ran it." : "It was accepted, and that is a fault.";
  return experiment;
}

Experiment plain_blocks(const NamedPair& input, const Course& course) {
  Experiment experiment{.id = "plain-blocks", .title = "The same arithmetic, blocks moved by the grid"};
  Bench bench(course, experiment);
  const LabRun* run = bench.run("blocked 2x4", {.program = Program::kBlocked, .block = kBlockedBlock}, input);
  if (!run) return experiment;
  const Shape& shape = input.pair.x.shape();
  const plan::TilePlan plan = plan::plan_tiles({shape[0], shape[1]}, kBlockedBlock);
  bench.claim(fmt::format("blocked 2x4 took {} grid steps for {} programs", run->work.grid_steps, plan.programs),
              run->work.grid_steps == static_cast<std::uint64_t>(plan.programs));
  return experiment;
}

}  // namespace millrace::lab
