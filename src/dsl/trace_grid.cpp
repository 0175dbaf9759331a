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
  std::vector<Operand> prefetch;
  std::vector<BlockSpec> specs;  // blocked inputs, then outputs
  std::vector<Operand> arrays;
  std::vector<MemorySpec> windows;  // blocks, squeezed dimensions as 1
  std::size_t inputs() const { return prefetch.size() + plan.grid->in.size(); }
  std::string who(std::size_t i) const {
    return fmt::format("{} of {}", operand_name(prefetch.size() + i, inputs()), plan.name);
  }
};

MemorySpec prefetched(const Operand& o) { return {Space::kSmem, o.dtype, o.shape}; }

// The arguments of main and of every map begin with the grid's indices and the prefetched operands.
std::vector<mosaic::Type> leading_types(const Grid& g, std::size_t axes) {
  std::vector<mosaic::Type> types(axes, type_of(DType::i32, {}));
  for (const Operand& o : g.prefetch) types.push_back(memory_type(o.dtype, o.shape, Space::kSmem));
  return types;
}

// The prefetched operands as an index map sees them.
std::vector<Ref> scalars_of(Tracer& t, const Grid& g, const std::vector<mosaic::ValueId>& ids, std::size_t axes) {
  std::vector<Ref> scalars;
  for (std::size_t i = 0; i < g.prefetch.size(); ++i) {
    Handle whole = operand_of(t, prefetched(g.prefetch[i]), ids[axes + i], operand_name(i, g.inputs()));
    View view = std::get<Ref>(whole).view();
    view.read_only = true;
    scalars.emplace_back(std::make_shared<View>(std::move(view)));
  }
  return scalars;
}

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
  Shape block = *spec.shape;
  std::replace(block.begin(), block.end(), kSqueezed, std::int64_t{1});
  Shape shape = block;
  auto probe = std::make_shared<Tracer>("probe");
  Running running(*probe);
  probe->function(
      "probe", leading_types(g, 0), spec.at,
      [&](const auto& ids) {
        auto scalars = scalars_of(*probe, g, ids, 0);
        for_each_point(grid.grid, [&](const std::vector<Index>& point) {
          auto places = block_at(spec, point, scalars, shape.size(), g.who(i));
          for (std::size_t d = 0; d < shape.size(); ++d) {
            auto known = places[d].node().constant;
            if (!known) ask_for_out_arrays(g, spec, i, "its index map computes what is known only in the kernel");
            shape[d] = std::max(shape[d], (*known + 1) * block[d]);
          }
        });
        probe->emit("func.return", {}, {}, spec.at);
      },
      [] { return mosaic::AttributeList{}; });
  return {g.arrays.front().dtype, shape};
}

const Alias* alias_of(const KernelPlan& plan, std::size_t output) {
  for (const Alias& a : plan.aliases) {
    if (static_cast<std::size_t>(a.output) == output) return &a;
  }
  return nullptr;
}

Operand output_array(const Grid& g, const std::vector<Operand>& inputs, std::size_t o) {
  const GridSpec& grid = *g.plan.grid;
  const Alias* alias = alias_of(g.plan, o);
  if (grid.out_arrays.empty() && alias) return inputs[static_cast<std::size_t>(alias->input)];
  if (grid.out_arrays.empty()) return derived_output(g, grid.out[o], grid.in.size() + o);
  const ArraySpec& array = grid.out_arrays[o];
  if (alias) {
    const Operand& input = inputs[static_cast<std::size_t>(alias->input)];
    check_alias(g.plan, *alias, {input.dtype, input.shape}, array);
  }
  return {array.dtype, array.shape};
}

Grid resolve(const KernelPlan& plan, const std::vector<Operand>& inputs) {
  const GridSpec& grid = *plan.grid;
  const auto first_blocked = inputs.begin() + grid.prefetch;
  Grid g{plan, {inputs.begin(), first_blocked}, grid.in, {first_blocked, inputs.end()}, {}};
  g.specs.insert(g.specs.end(), grid.out.begin(), grid.out.end());
  for (std::size_t o = 0; o < grid.out.size(); ++o) g.arrays.push_back(output_array(g, inputs, o));
  for (std::size_t i = 0; i < g.specs.size(); ++i) {
    if (g.specs[i].shape && g.specs[i].space == Space::kHbm) {
      fail(g.specs[i].at, fmt::format("{} has a block in HBM; a grid kernel sees arrays there whole "
                                      "(BlockSpec::in_place())",
                                      g.who(i)));
    }
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
  std::vector<mosaic::Type> types = leading_types(g, grid.grid.size());
  std::vector<MemorySpec> operands;
  for (const Operand& o : g.prefetch) operands.push_back(prefetched(o));
  operands.insert(operands.end(), g.windows.begin(), g.windows.end());
  for (const auto& spec : g.windows) types.push_back(memory_type(spec.dtype, spec.shape, spec.space));
  for (const auto& spec : g.plan.scratch) types.push_back(type_of(spec));
  t.function(
      "main", types, g.plan.at,
      [&](const std::vector<mosaic::ValueId>& ids) {
        t.programs.ids = grid_indices(t, grid.grid, ids);
        t.programs.sizes.assign(grid.grid.begin(), grid.grid.end());
        auto handles = handles_of(t, g.plan, operands, g.inputs(), ids, grid.grid.size());
        for (std::size_t i = 0; i < g.specs.size(); ++i) {
          Handle& window = handles[g.prefetch.size() + i];
          if (g.specs[i].shape) window = squeezed(g.specs[i], std::get<Ref>(window));
        }
        call_body(g.plan.body, handles, g.plan.name, g.plan.at);
        t.emit("func.return", {}, {}, g.plan.at);
      },
      [&] { return kernel_attributes(g.plan); });
  t.programs = {};
}

// True where the map is known to give block (0, 0, ...) of an array that is one block.
bool trace_transform(Tracer& t, const Grid& g, std::size_t i) {
  const Shape& grid = g.plan.grid->grid;
  std::vector<mosaic::Type> types = leading_types(g, grid.size());
  const Site& at = g.specs[i].at;
  bool whole = g.windows[i].shape == g.arrays[i].shape;
  t.function(
      fmt::format("transform_{}", i), types, at,
      [&](const std::vector<mosaic::ValueId>& ids) {
        std::vector<mosaic::ValueId> results;
        auto scalars = scalars_of(t, g, ids, grid.size());
        auto point = grid_indices(t, grid, ids);
        for (const Index& place : block_at(g.specs[i], point, scalars, g.windows[i].shape.size(), g.who(i))) {
          whole = whole && place.node().constant == 0;
          results.push_back(t.use(place.node(), at));
        }
        t.emit("func.return", results, {}, at);
      },
      [] { return mosaic::AttributeList{}; });
  return whole;
}

}  // namespace

Traced trace_grid(const KernelPlan& plan, const std::vector<Operand>& inputs, bool blocks_in_place) {
  check_inputs(plan, inputs, static_cast<std::size_t>(plan.grid->prefetch) + plan.grid->in.size());
  Grid g = resolve(plan, inputs);
  auto tracer = std::make_shared<Tracer>(plan.name);
  tracer->blocks_in_place = blocks_in_place;
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
  traced.outputs.assign(g.arrays.begin() + static_cast<std::ptrdiff_t>(plan.grid->in.size()), g.arrays.end());
  traced.aliases = plan.aliases;
  return traced;
}

}  // namespace millrace::dsl
