// SPDX-License-Identifier: Apache-2.0
// What the rules share: the kernel at hand, what is known of its values and views, and the findings so far. Internal.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "event/event.h"
#include "rules/rules.h"
#include "rules/values.h"

namespace millrace::rules {

// Rows and lanes of the tiles in which a memory lies (S2.7). Rank 1 counts in lanes.
struct Tile {
  std::int64_t rows = 1, lanes = 128;
};
Tile tile_of(mosaic::Element element, const std::vector<std::int64_t>& shape);
// In VMEM, what the kernel itself allocates lies in larger tiles where its rows are a multiple of one.
Tile scratch_tile_of(mosaic::Element element, const std::vector<std::int64_t>& shape, const plan::Chip& chip);
std::int64_t padded_bytes(const mosaic::Type& type);  // what the memory takes, whole tiles counted
int bits_of(mosaic::Element element);

// What a memref of the kernel shows: which memory, and what is still known of its layout.
struct View {
  std::string memory;
  Tile tile;
  bool one_column = false;  // the memory is just one tile wide, so its rows follow each other
  bool known = false;       // the last two dimensions are still those of the memory
};

// An argument of the kernel function, grid indices left out.
struct Argument {
  const mosaic::Type* type;
  const mosaic::DictionaryAttr* window;  // null where the module has none for it
  const Operand* operand;                // null where it is scratch, or nobody has said
  std::string name;                      // "in0", "scratch0"; "operand 0" where nobody has said
  bool scratch = false;
};

class Judge {
 public:
  explicit Judge(const Question& question);

  const Question& question() const { return question_; }
  const plan::Chip& chip() const { return question_.chip; }
  const mosaic::Function& kernel() const { return kernel_; }
  const Values& values() const { return values_; }
  const std::vector<Argument>& arguments() const { return arguments_; }
  const mosaic::Type& type_of(mosaic::ValueId value) const { return kernel_.values[value]; }
  const View& view_of(mosaic::ValueId value) const { return views_[value]; }
  bool used(mosaic::ValueId value) const { return used_[value]; }

  // Every operation of the kernel, in order.
  template <class F>
  void each(F&& f) const {
    each_in(kernel_.body, f);
  }

  void report(mosaic::LocationId at, std::string_view id, const std::string& memory, std::string message,
              std::string hint);
  std::vector<Finding> findings() && { return std::move(findings_); }

 private:
  template <class F>
  void each_in(const mosaic::Region& region, F& f) const {
    for (const mosaic::Op& op : region.ops) {
      f(op);
      for (const mosaic::Region& inner : op.regions) each_in(inner, f);
    }
  }
  void read_arguments();
  void follow(const mosaic::Op& op);
  View whole(std::string name, const mosaic::Type& type, bool operand) const;
  std::string known_as(std::string name) const;  // to whoever asks

  const Question& question_;
  const mosaic::Function& kernel_;
  Values values_;
  std::vector<event::Place> places_;
  std::vector<Argument> arguments_;
  std::vector<View> views_;
  std::vector<bool> used_;
  std::map<mosaic::ValueId, std::string> scoped_;  // what scopes allocate, by its name
  std::set<std::tuple<std::string, mosaic::LocationId, std::string>> said_;
  std::vector<Finding> findings_;
};

struct Footprint;
Footprint footprint_of(const Judge& judge);  // footprint.cpp

// The rules, a file each.
void judge_windows(Judge& judge);     // block shapes
void judge_views(Judge& judge);       // slices of tiled dimensions, loads and stores
void judge_operations(Judge& judge);  // element types and operations
void judge_budgets(Judge& judge);     // VMEM, SMEM, semaphores

}  // namespace millrace::rules
