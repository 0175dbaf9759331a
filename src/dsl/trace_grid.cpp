// SPDX-License-Identifier: Apache-2.0
// Tracing a grid kernel: the body for one step in `main`, and for each windowed operand a function `transform_i` that
// says which block a step sees. Loading and writing back the windows is left to whoever runs the module.
#include <algorithm>

#include <fmt/format.h>

#include "dsl/attributes.h"
#include "dsl/trace_parts.h"

namespace millrace::dsl {
namespace {

constexpr std::int64_t kMostPoints = 1 << 20;  // of a grid whose maps are tried to find the outputs' shapes

struct Grid {
  const KernelPlan& plan;
  std::vector<BlockSpec> specs;  // inputs, then outputs
  std::vector<Operand> arrays;
  std::vector<MemorySpec> windows;  // what the body sees
  std::string who(std::size_t i) const {
    return fmt::format("{} of {}", operand_name(i, plan.grid->in.size()), plan.name);
  }
};

// Calls `visit` for each grid point, the last axis fastest.
void for_each_point(const Shape& grid, const std::function<void(const std::vector<Index>&)>& visit) {
  Shape at(grid.size(), 0);
  for (;;) {
    visit(std::vector<Index>(at.begin(), at.end()));
    std::size_t axis = grid.size();
    while (axis > 0 && ++at[axis - 1] == grid[axis - 1]) at[--axis] = 0;
    if (axis == 0) return;
  }
}

[[noreturn]] void ask_for_out_arrays(const Grid& g, const BlockSpec& spec, std::size_t i, const char* why) {
  fail(spec.at, fmt::format("the shape of {} cannot be told from its blocks: {}; give .out_arrays", g.who(i), why));
}

// Just large enough for every block that the map names.
Operand derived_output(const Grid& g, const BlockSpec& spec, std::size_t i) {
  const GridSpec& grid = *g.plan.grid;
  if (!spec.shape) ask_for_out_arrays(g, spec, i, "it has no block shape");
  if (grid.in.empty()) ask_for_out_arrays(g, spec, i, "there is no input to take the dtype from");
  if (element_count(grid.grid) > kMostPoints) ask_for_out_arrays(g, spec, i, "the grid has more than 1048576 steps");
  Shape shape = *spec.shape;
  auto probe = std::make_shared<Tracer>("probe");
  Running running(*probe);
  probe->function(
      "probe", {}, spec.at,
      [&](const auto&) {
        for_each_point(grid.grid, [&](const std::vector<Index>& point) {
          auto places = block_at(spec, point, shape.size(), g.who(i));
          for (std::size_t d = 0; d < shape.size(); ++d) {
            auto known = places[d].node().constant;
            if (!known) ask_for_out_arrays(g, spec, i, "its index map computes what is known only in the kernel");
            shape[d] = std::max(shape[d], (*known + 1) * (*spec.shape)[d]);
          }
        });
        probe->emit("func.return", {}, {}, spec.at);
      },
      [] { return mosaic::AttributeList{}; });
  return {g.arrays.front().dtype, shape};
}

Grid resolve(const KernelPlan& plan, const std::vector<Operand>& inputs) {
  const GridSpec& grid = *plan.grid;
  Grid g{plan, grid.in, inputs, {}};
  g.specs.insert(g.specs.end(), grid.out.begin(), grid.out.end());
  for (std::size_t o = 0; o < grid.out.size(); ++o) {
    std::size_t i = grid.in.size() + o;
    if (grid.out_arrays.empty()) {
      g.arrays.push_back(derived_output(g, grid.out[o], i));
    } else {
      g.arrays.push_back({grid.out_arrays[o].dtype, grid.out_arrays[o].shape});
    }
  }
  for (std::size_t i = 0; i < g.specs.size(); ++i) {
    Shape block = block_shape(g.specs[i], g.arrays[i].shape, g.who(i));
    if (block.empty()) fail(g.specs[i].at, fmt::format("{} is a scalar; a grid kernel takes arrays", g.who(i)));
    g.windows.push_back({g.specs[i].space, g.arrays[i].dtype, std::move(block)});
  }
  return g;
}

bool is_windowed(const BlockSpec& spec) { return spec.space != Space::kHbm; }

std::vector<Index> grid_indices(Tracer& t, const Shape& grid, const std::vector<mosaic::ValueId>& ids) {
  std::vector<Index> point;
  for (std::size_t axis = 0; axis < grid.size(); ++axis) {
    point.push_back(grid[axis] == 1 ? Index(0) : Index(t.node(ids[axis], DType::i32, {})));
  }
  return point;
}

mosaic::Attribute window_params(const Grid& g, std::size_t i, bool whole) {
  mosaic::DictionaryAttr entry;
  const BlockSpec& spec = g.specs[i];
  if (!is_windowed(spec)) return {std::move(entry)};
  bool single = (spec.buffered && spec.buffered->count == 1) || (whole && spec.space == Space::kVmem);
  if (single || spec.buffered) {
    entry.entries.emplace_back("pipeline_mode",
                               keyword("tpu", "pipeline_mode", single ? "synchronous" : "double_buffered"));
  }
  entry.entries.emplace_back("transform_indices",
                             mosaic::Attribute{mosaic::SymbolAttr{fmt::format("transform_{}", i)}});
  entry.entries.emplace_back("window_bounds", integers(g.windows[i].shape, mosaic::Element::kI64));
  return {std::move(entry)};
}

void trace_main(Tracer& t, const Grid& g) {
  const GridSpec& grid = *g.plan.grid;
  auto i32_scalar = type_of(DType::i32, {});
  std::vector<mosaic::Type> types(grid.grid.size(), i32_scalar);
  for (const auto& spec : g.windows) types.push_back(memory_type(spec.dtype, spec.shape, spec.space));
  for (const auto& spec : g.plan.scratch) types.push_back(type_of(spec));
  t.function(
      "main", types, g.plan.at,
      [&](const std::vector<mosaic::ValueId>& ids) {
        t.programs.ids = grid_indices(t, grid.grid, ids);
        t.programs.sizes.assign(grid.grid.begin(), grid.grid.end());
        call_body(g.plan.body, handles_of(t, g.plan, g.windows, grid.in.size(), ids, grid.grid.size()), g.plan.name,
                  g.plan.at);
        t.emit("func.return", {}, {}, g.plan.at);
      },
      [&] { return kernel_attributes(g.plan, grid.grid); });
  t.programs = {};
}

// True where the map is known to give block (0, 0, ...) of an array that is one block.
bool trace_transform(Tracer& t, const Grid& g, std::size_t i) {
  const Shape& grid = g.plan.grid->grid;
  std::vector<mosaic::Type> types(grid.size(), type_of(DType::i32, {}));
  const Site& at = g.specs[i].at;
  bool whole = g.windows[i].shape == g.arrays[i].shape;
  t.function(
      fmt::format("transform_{}", i), types, at,
      [&](const std::vector<mosaic::ValueId>& ids) {
        std::vector<mosaic::ValueId> results;
        for (const Index& place :
             block_at(g.specs[i], grid_indices(t, grid, ids), g.windows[i].shape.size(), g.who(i))) {
          whole = whole && place.node().constant == 0;
          results.push_back(t.use(place.node(), at));
        }
        t.emit("func.return", results, {}, at);
      },
      [] { return mosaic::AttributeList{}; });
  return whole;
}

}  // namespace

Traced trace_grid(const KernelPlan& plan, const std::vector<Operand>& inputs) {
  check_inputs(plan, inputs, plan.grid->in.size());
  Grid g = resolve(plan, inputs);
  auto tracer = std::make_shared<Tracer>(plan.name);
  Running running(*tracer);
  trace_main(*tracer, g);
  mosaic::ArrayAttr windows;
  for (std::size_t i = 0; i < g.specs.size(); ++i) {
    bool whole = is_windowed(g.specs[i]) && trace_transform(*tracer, g, i);
    windows.values.push_back(window_params(g, i, whole));
  }
  mosaic::Module module = tracer->finish();
  module.functions.front().attributes.emplace_back("window_params", mosaic::Attribute{std::move(windows)});
  Traced traced;
  traced.module = std::make_shared<mosaic::Module>(std::move(module));
  traced.inputs = inputs;
  traced.outputs.assign(g.arrays.begin() + static_cast<std::ptrdiff_t>(inputs.size()), g.arrays.end());
  return traced;
}

}  // namespace millrace::dsl
