// SPDX-License-Identifier: Apache-2.0
#include "plan/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "millrace/error.h"

namespace millrace::plan {
namespace {

using Json = nlohmann::ordered_json;

Json pair_of(Extent extent) { return Json::array({extent.rows, extent.columns}); }

bool has_ratio(const TileTable& table) { return table.input_slots.size() > 1; }

std::string ratio_of(const TileTable::Row& row) { return to_string(bytes_ratio(row.plans.back(), row.plans.front())); }

Json row_json(const TileTable& table, const TileTable::Row& row) {
  const TilePlan& plan = row.plans.front();
  Json bytes = Json::array();
  for (const TilePlan& p : row.plans) {
    bytes.push_back({{"input_slots", p.buffers.input_slots}, {"bytes", p.modeled_bytes}});
  }
  Json json = {{"block", pair_of(row.block)},
               {"padded_shape", pair_of(plan.padded)},
               {"programs", plan.programs},
               {"padded_elements", plan.padded_elements},
               {"modeled_bytes", bytes}};
  if (has_ratio(table)) json["ratio"] = ratio_of(row);
  return json;
}

std::string heading(const TileTable& table) {
  std::string line = fmt::format("{:<12}{:>10}{:>16}{:>17}", "block", "programs", "padded shape", "padded elements");
  for (const std::int64_t slots : table.input_slots) {
    line += fmt::format("{:>16}", fmt::format("bytes, {} slots", slots));
  }
  if (has_ratio(table)) line += fmt::format("{:>8}", "ratio");
  return line + "\n";
}

std::string row_text(const TileTable& table, const TileTable::Row& row) {
  const TilePlan& plan = row.plans.front();
  std::string line = fmt::format("{:<12}{:>10}{:>16}{:>17}", to_string(row.block), plan.programs,
                                 to_string(plan.padded), plan.padded_elements);
  for (const TilePlan& p : row.plans) line += fmt::format("{:>16}", p.modeled_bytes);
  if (has_ratio(table)) line += fmt::format("{:>8}", ratio_of(row));
  return line + "\n";
}

}  // namespace

TileTable tile_table(Extent shape, const std::vector<Extent>& blocks, const std::vector<std::int64_t>& input_slots,
                     const std::string& dtype, std::int64_t bytes_per_element) {
  if (blocks.empty()) throw Error(ErrorCode::kUser, "the tile table needs at least one block (such as 8x128)");
  if (input_slots.empty()) throw Error(ErrorCode::kUser, "the tile table needs at least one slot count (such as 2)");
  TileTable table{shape, dtype, bytes_per_element, input_slots, {}};
  for (const Extent block : blocks) {
    TileTable::Row row{block, {}};
    for (const std::int64_t slots : input_slots) {
      row.plans.push_back(plan_tiles(shape, block, {.input_slots = slots, .bytes_per_element = bytes_per_element}));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string to_text(const TileTable& table) {
  const TilePlan& first = table.rows.front().plans.front();
  std::string text = fmt::format("shape {} {}, {} elements; modeled from the configuration, nothing was run\n",
                                 to_string(table.shape), table.dtype, first.elements);
  text += heading(table);
  for (const TileTable::Row& row : table.rows) text += row_text(table, row);
  text += fmt::format("bytes = (2 inputs * input slots + {} output slots) * block elements * {} bytes\n",
                      first.buffers.output_slots, table.bytes_per_element);
  text += fmt::format("left out of the model: {}\n", fmt::join(left_out_of_the_model(), ", "));
  return text;
}

Json to_json(const TileTable& table) {
  const TilePlan& first = table.rows.front().plans.front();
  Json tiles = Json::array();
  for (const TileTable::Row& row : table.rows) tiles.push_back(row_json(table, row));
  return {{"schema", 1},
          {"execution", "modeled"},
          {"shape", pair_of(table.shape)},
          {"dtype", table.dtype},
          {"elements", first.elements},
          {"output_slots", first.buffers.output_slots},
          {"tiles", tiles},
          {"left_out", left_out_of_the_model()}};
}

}  // namespace millrace::plan
