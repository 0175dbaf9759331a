// SPDX-License-Identifier: Apache-2.0
// Values that are not computed yet: what a straight line of instructions says of them, as a graph of nodes. One loop
// then computes all that a store, or another instruction, asks for; what lies between leaves no trace in memory.
#pragma once

#include <mlir/IR/Builders.h>
#include <mlir/IR/BuiltinTypes.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "target/cpu/arithmetic.h"
#include "target/cpu/layout.h"
#include "target/cpu/plan.h"

namespace millrace::cpu {

struct Node;
using NodePtr = std::shared_ptr<Node>;

struct Node {
  enum class Kind : std::uint8_t { kFrame, kMemory, kScalar, kElementwise, kSelect, kMove };
  Kind kind = Kind::kFrame;
  program::Slot slot = program::kNoSlot;  // where the value lies in the frame, or would
  std::int64_t count = 1;
  unsigned bytes = 4;  // of an element
  mlir::Value value;   // kMemory: the address of the first element; kScalar: its bits
  Layout layout;       // kMemory
  std::uint32_t memory = 0, access = 0;
  const program::Instruction* by = nullptr;  // kElementwise, kSelect, kMove
  std::vector<NodePtr> operands;
  int cost = 0;  // operations to compute an element

  bool leaf() const { return kind <= Kind::kScalar; }
};

// Where a loop writes: a value's place in the frame, or memory.
struct Target {
  mlir::Value address;
  Layout layout;
  unsigned bytes = 4;
  program::Slot slot = program::kNoSlot;  // in the frame
  std::uint32_t memory = 0, access = 0;   // else
  // Nobody reads it soon: where its address is a multiple of kStreamAlignment, and so each of its rows, what is written
  // goes past the caches.
  bool stream = false;
};
inline constexpr std::int64_t kStreamAlignment = 64;
inline constexpr const char* kStreamPrefix = "stream_";  // of the functions that do so

// A way of computing a value: its leaves as the loop over the value sees them, and what is done with them, in order.
struct Recipe {
  struct Leaf {
    NodePtr node;
    Layout layout;            // in the loop's space
    std::int64_t offset = 0;  // elements from where the node's first element lies
  };
  struct Step {
    const Node* node;
    std::vector<std::size_t> operands;  // steps
    std::size_t leaf = 0;               // of a leaf that is no scalar, or the number of the scalar
  };
  std::vector<Leaf> leaves;
  std::vector<mlir::Value> scalars;
  std::vector<Step> steps;
};

// Where the kernel function has things.
struct Surroundings {
  std::function<mlir::Value(program::Slot)> frame;  // the address of a place in the frame
  std::function<mlir::Value(int)> symbol;           // a stride known only at run time
};

bool same_place(const program::Program& p, std::uint32_t access, std::uint32_t other);
bool apart(const program::Program& p, std::uint32_t access, std::uint32_t other);  // certainly without common elements

// Writes the functions that compute targets, one for each form that they have, and calls them.
class Loops {
 public:
  Loops(const Plan& plan, mlir::OpBuilder& builder, mlir::Location at, mlir::Operation* module, Surroundings around)
      : plan_(plan), b_(builder), at_(at), module_(module), around_(std::move(around)) {}

  // Emits the call that fills `to` with `root`. False where no loop can: then `stuck` is to be computed first; where it
  // is null, the root, into its own place in the frame.
  bool fill(const NodePtr& root, const Target& to, NodePtr& stuck);

  // Whether reductions of that kind and shape have loops of their own.
  static bool folds(const program::Reduction& r);
  // Emits the call that reduces `operand` to results one after another at `out`. `start`: the address of the
  // accumulators, or the bits of the one that all have. As fill(), false where no loop can.
  bool fold(const NodePtr& operand, const program::Reduction& r, mlir::Value out, mlir::Value start, NodePtr& stuck);

 private:
  struct Form;  // a recipe with its target, the loops joined
  class FoldWriter;
  mlir::Value address_of(const Recipe::Leaf& l);
  bool in_place(const Recipe& recipe, const Target& to, Form& form) const;
  void call(const std::string& function, const std::vector<mlir::Value>& arguments);
  void call_either(mlir::Value address, const Form& form, const std::vector<mlir::Value>& arguments);
  std::string function_for(const Form& form, const char* prefix);
  void write_function(const std::string& name, const Form& form);
  void write_loops(const Form& form, const std::vector<mlir::Value>& addresses, const std::vector<mlir::Value>& scalars,
                   const std::map<int, mlir::Value>& symbols);
  void write_rows(const Form& form, const std::vector<mlir::Value>& addresses, const std::vector<mlir::Value>& scalars);
  mlir::Value memref(mlir::Value pointer, const Layout& layout, unsigned bytes,
                     const std::map<int, mlir::Value>& symbols);

  const Plan& plan_;
  mlir::OpBuilder& b_;
  mlir::Location at_;
  mlir::Operation* module_;
  Surroundings around_;
  std::map<std::string, std::string> made_;  // form -> name
};

// The element that a recipe computes, or a vector of them.
Lane compute_lane(const Plan& plan, const Recipe& recipe, Arithmetic& arithmetic, mlir::ValueRange leaves,
                  const std::vector<mlir::Value>& scalars);

// The recipe of a value; none where a move in between cannot be seen through: `stuck` is to be computed first.
bool recipe_of(const Plan& plan, const NodePtr& root, Recipe& recipe, NodePtr& stuck);

}  // namespace millrace::cpu
