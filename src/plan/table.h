// SPDX-License-Identifier: Apache-2.0
// The tile table: one row a block, one column of modeled bytes a slot count, as text and as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "plan/tiles.h"

namespace millrace::plan {

struct TileTable {
  Extent shape;
  std::string dtype;  // "f32"
  std::int64_t bytes_per_element = 4;
  std::vector<std::int64_t> input_slots;  // the columns, in the order asked for
  struct Row {
    Extent block;
    std::vector<TilePlan> plans;  // one a slot count
  };
  std::vector<Row> rows;
};

// Error(kUser) as plan_tiles, and for no block or no slot count at all.
TileTable tile_table(Extent shape, const std::vector<Extent>& blocks, const std::vector<std::int64_t>& input_slots,
                     const std::string& dtype, std::int64_t bytes_per_element);

// Lines for people. With several slot counts the last column is the ratio of the last to the first.
std::string to_text(const TileTable& table);

// {"schema": 1, "execution": "modeled", "shape": [17, 257], "dtype": "f32", "elements": 4369, "output_slots": 2,
//  "tiles": [{"block": [8, 128], "padded_shape": [24, 384], "programs": 9, "padded_elements": 9216,
//             "modeled_bytes": [{"input_slots": 2, "bytes": 24576}, ...], "ratio": "4/3"}],
//  "left_out": ["semaphores", ...]}; "ratio" as in to_text, absent with one slot count.
nlohmann::ordered_json to_json(const TileTable& table);

}  // namespace millrace::plan
