// SPDX-License-Identifier: Apache-2.0
// Definedness in one core: what its instructions do to the labels of its frame, before they run.
#pragma once

#include <map>
#include <vector>

#include "machine/shadow/definedness.h"
#include "machine/shadow/frame_shadow.h"
#include "machine/shadow/tile_rules.h"
#include "program/program.h"

namespace millrace::machine::shadow {

class CoreShadow {
 public:
  CoreShadow(Definedness& memories, const program::Program& program, const std::uint64_t* frame, event::Agent core);

  // While nothing in the frame is undefined, no instruction needs this.
  bool idle() const { return frame_.clean(); }
  // Before the instruction runs. False: it would signal or wait by an undefined amount, and the run ends here.
  bool step(const program::Instruction& i);
  // Of kLoad and kStore, when their views are known.
  void load(const View& from, const program::Instruction& i);
  void store(const View& to, const program::Instruction& i);
  // The same where all is defined, of a tile of so many bytes and no mask. False: it is not, and nothing was done.
  bool load_defined(const Memory& from, const program::Instruction& i, std::int64_t bytes) {
    if (!from.shadow->defined()) return false;
    frame_.clear(i.dst, static_cast<std::size_t>(bytes));
    return true;
  }
  bool store_defined(const Memory& to, const program::Instruction& i, std::int64_t bytes) const {
    return to.shadow->defined() && frame_.clean(i.a, static_cast<std::size_t>(bytes));
  }
  // Whether the instruction that runs has an undefined address: no wonder if it leads astray.
  bool lost() const { return !idle() && lost_; }

 private:
  using Instruction = program::Instruction;
  using Slot = program::Slot;

  const std::byte* data(Slot slot) const { return reinterpret_cast<const std::byte*>(value_ + slot); }
  Slot tile_of(Slot slot, int direct) const { return direct ? direct_.at(slot) : slot; }
  const std::byte* tile_data(Slot slot, int direct) const;
  Label scalar(Slot slot);
  void set_scalar(Slot slot, Label label) { frame_.fill(slot, 8, label); }
  std::vector<Label>& room(std::size_t bytes);

  bool control(const Instruction& i);
  void scalars(const Instruction& i);
  void elementwise(const Instruction& i);
  void select(const Instruction& i);
  void moves(const Instruction& i);
  void gather(const Instruction& i);
  void rotate(const Instruction& i);
  void take(const Instruction& i, const program::Move& m, std::vector<std::int32_t> from);
  void reduce(const Instruction& i);
  void matmul(const Instruction& i);
  void nibbles(const Instruction& i);
  void fold(const Instruction& i, std::vector<Label>& labels);

  void branch(const Instruction& i, Slot condition) { use(event::Use::kBranch, i, scalar(condition)); }
  void use(event::Use use, const Instruction& i, Label label);
  void address(const Instruction& i, const program::Sum& sum);
  void address(const Instruction& i, const program::ViewPlan& plan);
  void addresses(const Instruction& i);

  Definedness& memories_;
  Labels& labels_;
  const program::Program& program_;
  const std::uint64_t* value_;  // the frame itself
  event::Agent core_;
  FrameShadow frame_;
  std::vector<Rule> rules_;      // by Program::elementwise
  std::map<Slot, Slot> direct_;  // the address of a direct load -> the tile it stands for
  std::vector<Label> room_;
  ViewLabels taken_;   // by the last load
  bool lost_ = false;  // the last step() saw an undefined address
};

}  // namespace millrace::machine::shadow
