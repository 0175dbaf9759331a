// SPDX-License-Identifier: Apache-2.0
#include "lab/lesson.h"

#include <fmt/format.h>

#include <algorithm>

#include "lab/bench.h"
#include "lab/modeled.h"
#include "plan/bars.h"

namespace millrace::lab {
namespace {

// Three schedules of one kernel, and the slowest and fastest order of events that each allows.
Experiment schedules(const NamedPair& input, const Course& course, LabReport& report) {
  Experiment experiment{.id = "schedules",
                        .title = "One kernel, synchronous and buffered",
                        .question = "May a schedule, or the moment at which a copy moves, change a number?",
                        .prediction = "No: the arithmetic is the same, and every tile is awaited before it is read.",
                        .choices = {"no", "yes"}};
  Bench bench(course, experiment);
  const LabRun* synchronous = bench.run("synchronous", {.synchronous = true}, input);
  const LabRun* buffered = bench.run("buffered", {}, input);
  bench.claim_same_bits(synchronous, buffered, input);
  bool same = synchronous && buffered && same_bits(synchronous->output, buffered->output);
  for (const std::string order : {"eager", "lazy"}) {
    const LabRun* moved = bench.run(fmt::format("buffered ({})", order), {}, input, order);
    bench.claim_same_bits(buffered, moved, input);
    same = same && moved && same_bits(moved->output, buffered->output);
  }
  experiment.outcome = same ? "no" : "yes";
  experiment.answer = same ? "It did not: all outputs have the same bits." : "It did, and that is a fault.";
  if (!buffered) return experiment;
  report.endpoints = {buffered->output.flat(0), buffered->output.flat(buffered->output.size() - 1)};
  experiment.notes.push_back(fmt::format("endpoints: {} {}", report.endpoints->first, report.endpoints->second));
  bench.claim("the endpoints are -1.75 and 2.25", *report.endpoints == std::pair(-1.75, 2.25), experiment.notes.back());
  return experiment;
}

// The three windows move every block of the padded matrix once each.
void claim_moved_as_planned(Bench& bench, const LabRun& run, const plan::TilePlan& plan) {
  const std::int64_t copies = 3 * plan.programs;
  const std::int64_t bytes = 3 * plan.padded_elements * plan.buffers.bytes_per_element;
  const auto& work = run.work;
  bench.claim(fmt::format("{} moved {} blocks for {} programs, {} bytes for {} padded elements", run.name, work.dmas,
                          plan.programs, work.dma_bytes, plan.padded_elements),
              work.dmas == static_cast<std::uint64_t>(copies) && work.dma_bytes == static_cast<std::uint64_t>(bytes),
              fmt::format("{} blocks and {} bytes were planned", copies, bytes));
}

std::vector<std::string> shapes_of(const plan::TileTable& table) {
  std::vector<std::string> shapes;
  for (const auto& row : table.rows) shapes.push_back(to_string(row.block));
  return shapes;
}

template <typename Figure>
std::string least_of(const plan::TileTable& table, Figure figure) {
  return to_string(
      std::ranges::min_element(table.rows, {}, [&](const auto& row) { return figure(row.plans.front()); })->block);
}

std::string who_is_least(const plan::TileTable& table) {
  return fmt::format("Fewest programs: {}; fewest padded elements: {}; fewest modeled bytes: {}.",
                     least_of(table, [](const plan::TilePlan& p) { return p.programs; }),
                     least_of(table, [](const plan::TilePlan& p) { return p.padded_elements; }),
                     least_of(table, [](const plan::TilePlan& p) { return p.modeled_bytes; }));
}

Experiment tiles(const NamedPair& input, const Course& course, const plan::TileTable& table) {
  Experiment experiment{.id = "tiles",
                        .title = "Three tile shapes",
                        .question = "Which tile shape has the least padding?",
                        .prediction = "The smallest: the less a tile holds, the less of it hangs over the edges.",
                        .choices = shapes_of(table)};
  Bench bench(course, experiment);
  for (const plan::TileTable::Row& row : table.rows) {
    const LabRun* run = bench.run(to_string(row.block), {.block = row.block}, input);
    if (run) claim_moved_as_planned(bench, *run, row.plans.front());
  }
  experiment.outcome = least_of(table, [](const plan::TilePlan& p) { return p.padded_elements; });
  experiment.answer = who_is_least(table) + " Which is fastest, only a real TPU could say.";
  experiment.picture = plan::to_bar_text(table);
  return experiment;
}

Experiment third_slot(const NamedPair& input, const Course& course, const plan::TileTable& table) {
  Experiment experiment{.id = "third-slot",
                        .title = "A third slot for each input",
                        .question = "Can a third slot for each input change the answer, and what does it cost?",
                        .prediction = "The bits stay; the modeled bytes go from 2 * 2 + 2 blocks to 2 * 3 + 2.",
                        .choices = {"no, but it costs memory", "no, and it is free", "yes"}};
  Bench bench(course, experiment);
  bool same = true, dearer = true;
  for (const plan::TileTable::Row& row : table.rows) {
    const std::string block = to_string(row.block);
    const LabRun* two = bench.run(block + " two slots", {.block = row.block}, input);
    const LabRun* three = bench.run(block + " three slots", {.block = row.block, .input_slots = 3}, input);
    bench.claim_same_bits(two, three, input);
    same = same && two && three && same_bits(two->output, three->output);
    const plan::TilePlan& less = row.plans.front();
    const plan::TilePlan& more = row.plans.back();
    const std::string price = fmt::format("{}: {} -> {} modeled bytes, ratio {}", block, less.modeled_bytes,
                                          more.modeled_bytes, to_string(bytes_ratio(more, less)));
    experiment.notes.push_back(price);
    dearer = dearer && more.modeled_bytes > less.modeled_bytes;
    bench.claim(fmt::format("{} costs a third more in the model", block), bytes_ratio(more, less) == plan::Ratio{4, 3},
                price);
  }
  experiment.outcome = experiment.choices[same ? (dearer ? 0 : 1) : 2];
  const bool held = std::all_of(experiment.claims.begin(), experiment.claims.end(), [](auto& c) { return c.held; });
  experiment.answer = "Not as predicted; see what failed.";
  if (held) experiment.answer = "The bits stayed; the model pays one third more. What that buys was not measured.";
  return experiment;
}

}  // namespace

void add_lesson(LabReport& report, const Course& course) {
  const NamedPair lesson{"lesson", lesson_pair(DType::f32)};
  const NamedPair tile{"one-tile", one_tile_pair()};
  const NamedPair in_f32{"random-f32", random_pair(9, 129, DType::f32, 23)};
  const NamedPair in_bf16{"random-bf16", random_pair(9, 129, DType::bf16, 23)};
  const Shape& shape = lesson.pair.x.shape();
  report.tiles = plan::tile_table({shape[0], shape[1]}, {{8, 128}, {16, 128}, {16, 256}}, {2, 3}, "f32",
                                  static_cast<std::int64_t>(size_of(DType::f32)));

  for (const NamedPair& input : {lesson, tile, in_f32, in_bf16}) report.inputs.push_back(input);

  const auto add = [&](Experiment experiment) {
    report.experiments.push_back(std::move(experiment));
    if (course.learner) course.learner->shown(report, report.experiments.back());
  };
  add(schedules(lesson, course, report));
  add(tiles(lesson, course, *report.tiles));
  add(third_slot(lesson, course, *report.tiles));
  add(modeled_schedules(lesson, course, report));
  add(one_tile(tile, course));
  add(other_shape_and_dtype(in_f32, in_bf16, course));
  add(refused_tile(lesson, course));
  add(plain_blocks(lesson, course));
}

}  // namespace millrace::lab
