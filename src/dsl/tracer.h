// SPDX-License-Identifier: Apache-2.0
// Writes a module down while a kernel's C++ runs: appends operations to the innermost open region, knows which values
// may be used there, and shares equal constants and equal scalar arithmetic.
//
// The tracer of the running trace is ambient (a thread_local pointer, set only while tracing), because functions such
// as program_id have no other way to find it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dsl/fail.h"
#include "dsl/types.h"
#include "millrace/control.h"

namespace millrace::dsl {

class Tracer : public std::enable_shared_from_this<Tracer> {
 public:
  explicit Tracer(std::string module_name);

  // The running trace; Error(kUser) where there is none. `what` is the function that needs one.
  static Tracer& current(const Site& at, std::string_view what);
  static Tracer* running();

  // Traces `body` into a function with these arguments.
  void function(const std::string& name, const std::vector<mosaic::Type>& arguments, const Site& at,
                const std::function<void(const std::vector<mosaic::ValueId>&)>& body,
                const std::function<mosaic::AttributeList()>& attributes);
  mosaic::Module finish() { return std::move(module_); }

  // The value of a node in this function, made where it is a known number. Error(kUser) where the node belongs to
  // another trace, or to a region that is closed.
  mosaic::ValueId use(const Node& node, const Site& at);
  std::vector<mosaic::ValueId> use(const Nodes& nodes, const Site& at);
  Node node(mosaic::ValueId value, DType dtype, const Shape& shape);  // of a value made in the innermost region
  const Site& made_at(const Node& node) const { return made_[node.id].at; }

  // Appends one operation.
  mosaic::ValueId emit(std::string name, std::vector<mosaic::ValueId> operands, mosaic::AttributeList attributes,
                       const mosaic::Type& result, const Site& at);
  std::vector<mosaic::ValueId> emit(std::string name, std::vector<mosaic::ValueId> operands,
                                    mosaic::AttributeList attributes, const std::vector<mosaic::Type>& results,
                                    std::vector<mosaic::Region> regions, const Site& at);
  void emit(std::string name, std::vector<mosaic::ValueId> operands, mosaic::AttributeList attributes, const Site& at);
  // The same, for scalar arithmetic without effect: an equal operation that is in view already is used again.
  // `key` tells its attributes apart.
  mosaic::ValueId share(const std::string& name, const std::vector<mosaic::ValueId>& operands, const std::string& key,
                        mosaic::AttributeList attributes, const mosaic::Type& result, const Site& at);
  // A number, or a vector of equal numbers, at the head of the function.
  mosaic::ValueId constant(const mosaic::Type& type, std::uint64_t bits);

  // Traces a region. The body ends it with its terminator.
  mosaic::Region region(const std::vector<mosaic::Type>& arguments,
                        const std::function<void(const std::vector<mosaic::ValueId>&)>& body, const Site& at);
  const mosaic::Type& type(mosaic::ValueId value) const { return function_.values[value]; }

  // The grid that program_id speaks of.
  struct Programs {
    std::vector<Index> ids, sizes;
  };
  Programs programs;

  // Where the operations that follow come from: a phase of a pipeline, "ep_copy_in", and the call that asked for it.
  // Without an origin each operation has the place it is written at.
  std::string scope;
  std::optional<Site> origin;
  std::size_t scoped_memories = 0;  // allocated so far: they are named by number
  std::size_t scoped_semaphores = 0;
  bool blocks_in_place = false;  // of pipelines: see trace.h

 private:
  struct Scope {
    std::size_t serial;
    mosaic::Region region;
    std::map<std::string, mosaic::ValueId> shared;
  };
  struct Made {
    mosaic::ValueId value;
    std::size_t scope;  // serial
    Site at;
  };
  mosaic::ValueId add_value(const mosaic::Type& type);
  mosaic::LocationId location(const Site& at, const std::string& operation);
  mosaic::Op& append(mosaic::Op op);

  mosaic::Module module_;
  mosaic::Function function_;
  std::vector<Scope> scopes_;
  std::size_t scopes_made_ = 0;
  std::vector<Made> made_;   // by Node::id
  std::vector<Site> sites_;  // by ValueId of this function
  std::vector<mosaic::Op> constants_;
  std::map<std::pair<std::string, std::uint64_t>, mosaic::ValueId> constant_ids_;
  std::map<std::string, mosaic::LocationId> location_ids_;
};

// Where a node's operation is written; nowhere for a number known while tracing.
inline Site made_at(const Node& node) { return node.owner ? node.owner->made_at(node) : Site(); }

// Makes a tracer the running one for as long as this lives. Lets go of its grid then: those indices own the tracer.
class Running {
 public:
  explicit Running(Tracer& tracer);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  Tracer& tracer_;
  Tracer* before_;
};

// Gives what follows a scope and an origin, for as long as this lives.
class Phase {
 public:
  Phase(Tracer& tracer, std::string scope, std::optional<Site> origin)
      : tracer_(tracer), scope_(std::move(tracer.scope)), origin_(tracer.origin) {
    tracer_.scope = std::move(scope);
    tracer_.origin = origin;
  }
  ~Phase() {
    tracer_.scope = std::move(scope_);
    tracer_.origin = origin_;
  }
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

 private:
  Tracer& tracer_;
  std::string scope_;
  std::optional<Site> origin_;
};

}  // namespace millrace::dsl
