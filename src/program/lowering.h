// SPDX-License-Identifier: Apache-2.0
// The state of one lowering: which SSA value stands where. Each lower_*.cpp adds the operations of one kind.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "program/liveness.h"
#include "program/program.h"
#include "program/scopes.h"

namespace millrace::program {

// What an SSA value has become.
struct Bound {
  Slot slot = kNoSlot;                // its bytes in the frame
  Slot splat = kNoSlot;               // or: one element there stands for all of them
  bool spread = false;                // a splat constant: its slot holds all its elements from the start
  std::optional<std::int64_t> known;  // or: a scalar integer known before the run
  bool narrow = false;                // an index whose slot holds the i32 it was cast from
  std::optional<ViewPlan> view;       // or: a view of a memory
};

// The function being lowered: the kernel, or an index map that is lowered in place.
struct Scope {
  const mosaic::Function& function;
  std::vector<Bound> bound;  // by value
  Liveness live;

  explicit Scope(const mosaic::Function& f) : function(f), bound(f.values.size()), live(f) {}
};

class Lowering {
 public:
  Lowering(const mosaic::Module& module, Program& out);

  void kernel(const std::vector<OperandSpec>& inputs, const std::vector<OperandSpec>& outputs,
              const Environment& environment);

  // --- values
  const mosaic::Type& type_of(mosaic::ValueId v) const { return scope_->function.values[v]; }
  Bound& bound(mosaic::ValueId v) { return scope_->bound[v]; }
  Slot slot_of(mosaic::ValueId v);  // with its bytes materialised
  Slot define(mosaic::ValueId v);   // a fresh slot for a result
  std::optional<std::int64_t> known(mosaic::ValueId v) { return bound(v).known; }
  void set_known(mosaic::ValueId v, std::int64_t value) {
    bound(v) = Bound{};
    bound(v).known = value;
  }
  void set_view(mosaic::ValueId v, ViewPlan plan);
  const ViewPlan& view_of(mosaic::ValueId v);
  void add_to(Sum& sum, mosaic::ValueId v);  // sum += v
  void copy(mosaic::ValueId from, Slot to);
  void copy_bytes(Slot from, Slot to, const mosaic::Type& type);  // nothing where they are one place
  bool needed(mosaic::ValueId v) const { return scope_->live.needed(v); }

  // A scalar that its operands alone decide, and which cannot fail: where the same has been worked out already, on
  // every way that leads here, it is that one.
  void scalar(mosaic::ValueId result, Op op, std::uint16_t small, Slot a, Slot b = kNoSlot, Slot c = kNoSlot);
  // While one lives, what is lowered may be run any number of times: what is worked out there is of no use afterwards.
  class Branch {
   public:
    explicit Branch(Lowering& l) : l_(l), before_(l.done_in_order_.size()) {}
    ~Branch();
    Branch(const Branch&) = delete;
    Branch& operator=(const Branch&) = delete;

   private:
    Lowering& l_;
    std::size_t before_;
  };

  // --- emission
  Instruction& emit(Op op);
  std::uint32_t here() const { return static_cast<std::uint32_t>(out_.code.size()); }
  std::uint32_t emit_jump(Op op, Slot condition = kNoSlot);  // target open
  void land(std::uint32_t jump) { out_.code[jump].aux = here(); }
  Slot allocate(std::uint64_t bytes);
  Slot scalar_constant(std::int64_t value, Element element);
  Slot constant(std::vector<std::byte> data, std::uint64_t count);
  std::uint32_t elementwise(Elementwise operation);
  void ops(const mosaic::Region& region);
  void op(const mosaic::Op& op);
  [[noreturn]] void unsupported(const std::string& what) const;
  void require_size(const mosaic::Type& type) const;
  SourcePlace place() const;

  // --- index maps, lowered in place; results land in `results`
  void transform(const mosaic::Function& map, const std::vector<Slot>& grid, const std::vector<Slot>& results);

  const mosaic::Module& module_;
  Program& out_;
  Scope* scope_ = nullptr;

 private:
  friend struct Handlers;
  void declare_operands(const std::vector<OperandSpec>& inputs, const std::vector<OperandSpec>& outputs);
  void declare_operand(std::size_t argument, std::uint32_t operand, bool output, const OperandSpec& spec,
                       const mosaic::DictionaryAttr& params);
  void declare_window(std::size_t argument, std::uint32_t operand, bool output, const OperandSpec& spec,
                      const mosaic::DictionaryAttr& params);
  void declare_scratch(std::size_t argument, std::uint32_t index);
  void declare_machine(const Environment& environment);
  void declare_grid(const Environment& environment);
  void declare_axes();
  void join_aliases(const Environment& environment);
  std::uint32_t add_memory(MemorySlot memory);
  void grid_loop();
  void evaluate_maps(const std::vector<Slot>& grid, bool next);

  std::uint32_t place_ = 0;
  const mosaic::Function* kernel_ = nullptr;
  std::size_t prefetch_ = 0;
  std::vector<const mosaic::Function*> maps_;  // by window; null: constant zero
  std::vector<ViewPlan> prefetch_views_;
  std::map<std::pair<std::int64_t, Element>, Slot> scalars_;
  using ScalarKey = std::tuple<Op, std::uint16_t, Slot, Slot, Slot>;  // operation, small, operands
  std::map<ScalarKey, Slot> done_;
  std::vector<ScalarKey> done_in_order_;
  std::map<std::pair<std::vector<std::byte>, std::uint64_t>, Slot> constants_;
  std::vector<std::vector<std::uint32_t>> regions_;  // memory slots of the open scopes
  std::map<mosaic::ValueId, Scoped> scoped_;

 public:
  std::vector<std::vector<std::uint32_t>>& regions() { return regions_; }
  const Scoped& scoped(mosaic::ValueId v) const { return scoped_.at(v); }
  std::uint32_t declare(MemorySlot memory) { return add_memory(std::move(memory)); }

  // State that operations share without an SSA value. A tile of a matrix unit: {'s', unit, staging register},
  // {'r', unit, 0} for the loaded right side, {'a', unit, accumulator}.
  using UnitKey = std::tuple<char, std::int64_t, std::int64_t>;
  struct UnitTile {
    mosaic::Type type;
    Slot slot = kNoSlot;
  };
  std::map<UnitKey, UnitTile>& matrix_unit() { return matrix_unit_; }
  Slot random_state() { return random_state_ == kNoSlot ? random_state_ = allocate(8) : random_state_; }
  std::optional<std::uint32_t>& barrier() { return barrier_; }

 private:
  std::map<UnitKey, UnitTile> matrix_unit_;
  Slot random_state_ = kNoSlot;
  std::optional<std::uint32_t> barrier_;  // its memory slot
};

using Handler = void (*)(Lowering&, const mosaic::Op&);
using HandlerTable = std::map<std::string_view, Handler, std::less<>>;

// Each adds the operations of its file.
void add_scalar_handlers(HandlerTable& table);
void add_tile_handlers(HandlerTable& table);
void add_reduction_handlers(HandlerTable& table);
void add_memory_handlers(HandlerTable& table);
void add_dma_handlers(HandlerTable& table);
void add_control_handlers(HandlerTable& table);
void add_bits_handlers(HandlerTable& table);
void add_matrix_unit_handlers(HandlerTable& table);
void add_surroundings_handlers(HandlerTable& table);
const HandlerTable& handlers();

// The tile forms of operations that lower_scalar.cpp takes first.
void lower_elementwise(Lowering& l, const mosaic::Op& o);
void lower_compare(Lowering& l, const mosaic::Op& o);
void lower_select(Lowering& l, const mosaic::Op& o);
void lower_convert(Lowering& l, const mosaic::Op& o);

// Views in other coordinates: lower_frame.cpp.
void memref_reshape(Lowering& l, const mosaic::Op& o);
void memref_bitcast(Lowering& l, const mosaic::Op& o);

// --- small helpers on types
std::int64_t count_of(const mosaic::Type& type);
std::uint64_t bytes_of(const mosaic::Type& type);  // of all its elements
std::size_t bytes_of(mosaic::Element element);     // in the frame: tile::size_in_bytes's rule
bool is_integer(mosaic::Element element);
ViewPlan whole_view(std::uint32_t memory, const mosaic::Type& type);

}  // namespace millrace::program
