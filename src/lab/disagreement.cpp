// SPDX-License-Identifier: Apache-2.0
#include "lab/disagreement.h"

#include <fmt/format.h>

#include "lab/compare.h"

namespace millrace::lab {
namespace {

std::string describe(const std::optional<Writer>& writer) {
  if (!writer) return "written by nobody";
  std::string text = fmt::format("written at {}, execution {}", writer->where, writer->nth);
  if (writer->from.empty()) return text;
  if (writer->slot) return text + fmt::format(", from slot {} of {}", *writer->slot, writer->from);
  return text + ", from " + writer->from;
}

std::string describe(const ScheduleResult& side, const TileDifference& at) {
  const std::int64_t padded_columns = side.results[0].shape()[1];
  return fmt::format("{} has {} ({})", side.name, side.output.at({at.row, at.column}),
                     describe(side.results.writer(0, at.row * padded_columns + at.column)));
}

}  // namespace

std::optional<std::string> describe_disagreement(const ScheduleResult& a, const ScheduleResult& b, plan::Extent block) {
  const auto at = first_differing_tile(a.output, b.output, block);
  if (!at) return std::nullopt;
  return fmt::format("first differing tile ({}, {}), element [{}, {}]: {}, {}", at->tile_row, at->tile_column, at->row,
                     at->column, describe(a, *at), describe(b, *at));
}

}  // namespace millrace::lab
