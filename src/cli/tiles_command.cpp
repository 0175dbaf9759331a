// SPDX-License-Identifier: Apache-2.0
// `millrace tiles`: the tile table of src/plan for one shape.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "cli/app.h"
#include "millrace/array.h"
#include "millrace/file.h"
#include "plan/bars.h"
#include "plan/table.h"

namespace millrace::cli {
namespace {

struct TilesOptions {
  std::string shape;
  std::vector<std::string> blocks = {"8x128"};
  std::vector<std::int64_t> slots = {2, 3};
  std::string dtype = "f32";
  std::string svg;
  int width = 0;  // of the SVG; 0: the usual one
  bool json = false;
};

plan::TileTable table_of(const TilesOptions& options) {
  const auto dtype = dtype_named(options.dtype);
  if (!dtype) {
    throw Error(ErrorCode::kUser, fmt::format("--dtype `{}` is no element type (such as f32)", options.dtype));
  }
  std::vector<plan::Extent> blocks;
  for (const std::string& block : options.blocks) blocks.push_back(plan::parse_extent(block, "--block"));
  return plan::tile_table(plan::parse_extent(options.shape, "--shape"), blocks, options.slots, options.dtype,
                          static_cast<std::int64_t>(size_of(*dtype)));
}

void run_tiles(const TilesOptions& options, Context& context) {
  const plan::TileTable table = table_of(options);
  if (!options.svg.empty()) write_whole_file(options.svg, plan::to_svg(table, options.width));
  context.out << (options.json ? plan::to_json(table).dump(2) + "\n" : plan::to_text(table));
}

}  // namespace

void add_tiles(CLI::App& app, Context& context) {
  CLI::App& command = add_command(app, "tiles", "Count programs, padding and modeled bytes of tile shapes.",
                                  "  millrace tiles --shape 17x257 --block 8x128 --block 16x256 --buffers 2,3");
  const auto options = std::make_shared<TilesOptions>();
  command.add_option("--shape", options->shape, "Matrix, ROWSxCOLUMNS")->required();
  command.add_option("--block", options->blocks, "Tile, ROWSxCOLUMNS; repeat for more (default 8x128)")
      ->allow_extra_args(false);
  command.add_option("--buffers", options->slots, "Slots of each input, comma-separated (default 2,3)")->delimiter(',');
  command.add_option("--dtype", options->dtype, "Element type (default f32)");
  command.add_option("--svg", options->svg, "Also draw the table into this file");
  command.add_option("--width", options->width, "Of the SVG, in pixels (default: as its bars need)")
      ->check(CLI::Range(320, 20000));
  command.add_flag("--json", options->json, "Print JSON");
  command.callback([&context, options] { run_tiles(*options, context); });
}

}  // namespace millrace::cli
