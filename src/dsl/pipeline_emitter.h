// SPDX-License-Identifier: Apache-2.0
// The loop of a pipeline over the steps of its grid, around asynchronous copies.
//
// An operand's windows form a ring of slots. Two counters turn in it: `started` counts the copies started, `finished`
// those waited for; each modulo the number of slots is a slot. They are carried through the loop in registers. A step:
//   copy in    the block `slots - 1` steps ahead, where it differs from the one before it and lies within the grid;
//              with lookahead, the next different blocks, as far as there are free slots
//   wait in    for this step's block, where it differs from the last step's
//   body
//   copy out   this step's block, where the next step's differs, or there is none
//   wait out   for the copy out of the last step, where there was one
#pragma once

#include <string>
#include <vector>

#include "dsl/pipeline_operand.h"
#include "dsl/pipeline_steps.h"

namespace millrace::dsl {

// Of one operand.
struct Counters {
  Index started = 0, finished = 0;
  Index seen = 0;  // with lookahead: the last step whose block was looked at
};

// What a step knows of its place.
struct Here {
  Index step;
  std::vector<Index> now, before, after;  // grid points
  Bool first, last;
};

class PipelineEmitter {
 public:
  PipelineEmitter(Tracer& t, const Body& body, const Site& at, Steps steps, std::vector<PipelineOperand> operands)
      : t_(t), body_(body), at_(at), steps_(std::move(steps)), operands_(std::move(operands)) {}

  // Both allocate the windows in the innermost region first.
  void run();
  void run_synchronously();  // every step copies in, computes and copies out, each waited for

 private:
  using All = std::vector<Counters>;  // by operand
  std::vector<Index> block(const PipelineOperand& o, const std::vector<Index>& point) const {
    return block_at(o.spec, point, {}, o.block.size(), o.name);
  }
  Bool changed(const PipelineOperand& o, const std::vector<Index>& a, const std::vector<Index>& b) const {
    auto first = block(o, a);
    return differ(first, block(o, b));
  }
  bool buffered(const PipelineOperand& o) const { return o.delivery == Delivery::kBuffered; }
  bool counted(const PipelineOperand& o) const { return buffered(o) && o.slots > 1; }  // has counters
  Here here(const Index& s) const;

  void allocate_windows(bool single);
  void phase(const std::string& name, const std::function<void()>& body);
  void start(const PipelineOperand& o, const std::vector<Index>& point, const Index& counter);
  void finish(const PipelineOperand& o, const std::vector<Index>& point, const Index& counter);
  void copy_once(const PipelineOperand& o, const char* name);
  void call(const Here& h, const All& all);

  All prologue();
  All step(const Index& s, All all);
  Bool wants_block(const PipelineOperand& o, const Here& h, const std::vector<Index>& wanted) const;
  // Starts the blocks after the last one seen, until `limit` have been started or the grid ends.
  Counters look_ahead(const PipelineOperand& o, const Counters& c, const Index& limit, const char* name);
  void copy_in(const Here& h, All& all);
  void wait_in(const Here& h, const All& all);
  void copy_out(const Here& h, All& all);
  void wait_out(const Here& h, All& all);
  void epilogue(const All& all);

  Nodes pack(const All& all) const;
  All unpack(const Nodes& nodes) const;
  static Index slot(const PipelineOperand& o, const Index& counter) {
    return Index(remainder_of_counts(counter.node(), known(DType::i32, o.slots), Site::current()));
  }
  static Index advanced(const Bool& moved, const Index& counter) {
    return Index(select_node(moved.node(), (counter + 1).node(), counter.node(), Site::current()));
  }

  Tracer& t_;
  const Body& body_;
  Site at_;
  Steps steps_;
  std::vector<PipelineOperand> operands_;
};

}  // namespace millrace::dsl
