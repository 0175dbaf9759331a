// SPDX-License-Identifier: Apache-2.0
// From MLIR's module to the tree. Nothing of it is trusted: bytecode may hold what no verifier has seen.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mosaic/attribute_in.h"
#include "mosaic/bridge.h"
#include "mosaic/nesting.h"

namespace millrace::mosaic {
namespace {

bool is_stable(mlir::Operation& op) { return op.getName().getStringRef().starts_with(kStablePrefix); }

class Importer {
 public:
  Importer(mlir::ModuleOp source, const std::string& name) : source_(source), name_(name) {}

  Imported run() {
    read_module_attributes();
    mlir::Region& body = source_.getBodyRegion();
    if (!body.hasOneBlock() || body.getNumArguments() != 0)
      refuse(*source_, ErrorCode::kUser, "the body of a module is one block without arguments");
    mlir::Block& functions = body.front();
    result_.stable = !functions.empty() && is_stable(functions.front());
    for (mlir::Operation& op : functions) add_function(op);
    return std::move(result_);
  }

 private:
  [[noreturn]] void refuse(mlir::Operation& op, ErrorCode code, const std::string& sentence) {
    raise_at(location_of(op.getLoc()), code, fmt::format("'{}': {}", plain_name(op), sentence), name_);
  }

  static std::string plain_name(mlir::Operation& op) {
    llvm::StringRef name = op.getName().getStringRef();
    name.consume_front(kStablePrefix);
    return name.str();
  }

  void read_module_attributes() {
    if (auto name = source_.getSymName()) result_.module.name = name->str();
    for (const mlir::NamedAttribute attribute : source_->getDiscardableAttrs()) {
      const llvm::StringRef name = attribute.getName();
      if (name == kStableVersion) {
        if (auto version = mlir::dyn_cast<mlir::IntegerAttr>(attribute.getValue())) {
          result_.version = version.getValue().getSExtValue();
        }
      } else if (name.starts_with("tpu.dynamic_dimension_mapping")) {
        refuse(*source_, ErrorCode::kUnsupported, "modules of symbolic dimensions are not read");
      }
    }
    attributes_.emplace(result_.version.value_or(kCurrentVersion));
  }

  void add_function(mlir::Operation& op) {
    if (plain_name(op) != "func.func" || is_stable(op) != result_.stable) {
      refuse(op, ErrorCode::kUser,
             result_.stable ? "a serialised module holds stable_mosaic.func.func and nothing else"
                            : "a module holds func.func and nothing else");
    }
    auto name = op.getAttrOfType<mlir::StringAttr>("sym_name");
    auto type_attribute = op.getAttrOfType<mlir::TypeAttr>("function_type");
    auto type = type_attribute ? mlir::dyn_cast<mlir::FunctionType>(type_attribute.getValue()) : mlir::FunctionType();
    if (!name || !type) refuse(op, ErrorCode::kUser, "a function lacks its sym_name or function_type");
    if (op.getNumRegions() != 1 || op.getRegion(0).empty()) {
      refuse(op, ErrorCode::kUnsupported, fmt::format("function {} has no body", name.getValue()));
    }
    if (!llvm::equal(op.getRegion(0).getArgumentTypes(), type.getInputs())) {
      refuse(op, ErrorCode::kUser,
             fmt::format("the body of {} takes other arguments than its type says", name.getValue()));
    }
    function_ = &result_.module.functions.emplace_back();
    function_->name = name.str();
    values_.clear();
    guarded(op, [&] {
      for (const mlir::Type result : type.getResults()) function_->results.push_back(import_type(result));
      function_->attributes = attributes_->list(op.getAttrDictionary(), {"function_type", "sym_name"});
    });
    function_->location = location(op.getLoc());
    function_->body = region(op, op.getRegion(0), 1);
  }

  // Whatever is thrown gets the place of the operation.
  template <class Action>
  void guarded(mlir::Operation& op, Action&& action) {
    try {
      action();
    } catch (const Error& error) {
      refuse(op, error.code(), error.what());
    }
  }

  Region region(mlir::Operation& parent, mlir::Region& source, int depth) {
    Region result;
    if (source.empty()) return result;
    if (depth > kMaxRegionDepth) {
      refuse(parent, ErrorCode::kUser, fmt::format("regions nest deeper than {}", kMaxRegionDepth));
    }
    if (!source.hasOneBlock()) refuse(parent, ErrorCode::kUnsupported, "regions of several blocks are not read");
    for (const mlir::BlockArgument argument : source.getArguments())
      result.arguments.push_back(define(parent, argument));
    for (mlir::Operation& op : source.front()) result.ops.push_back(operation(op, depth));
    return result;
  }

  Op operation(mlir::Operation& source, int depth) {
    if (is_stable(source) != result_.stable) {
      refuse(source, ErrorCode::kUser, "some operations carry the prefix stable_mosaic and others do not");
    }
    if (!result_.stable && !source.isRegistered()) {
      refuse(source, ErrorCode::kUnsupported, "not an operation that Millrace knows");
    }
    if (source.getNumSuccessors() != 0) refuse(source, ErrorCode::kUnsupported, "branches between blocks are not read");
    Op op;
    op.name = plain_name(source);
    for (const mlir::Value operand : source.getOperands()) {
      const auto at = values_.find(operand);
      if (at == values_.end()) refuse(source, ErrorCode::kUser, "an operand is used before it is defined");
      op.operands.push_back(at->second);
    }
    for (const mlir::Value result : source.getResults()) op.results.push_back(define(source, result));
    guarded(source, [&] { op.attributes = attributes_->list(source.getAttrDictionary(), {}); });
    op.location = location(source.getLoc());
    for (mlir::Region& inner : source.getRegions()) op.regions.push_back(region(source, inner, depth + 1));
    return op;
  }

  ValueId define(mlir::Operation& at, mlir::Value value) {
    guarded(at, [&] { function_->values.push_back(import_type(value.getType())); });
    return values_[value] = static_cast<ValueId>(function_->values.size() - 1);
  }

  LocationId location(mlir::Location source) {
    const Location place = location_of(source);
    if (place == Location{}) return 0;
    auto& all = result_.module.locations;
    const auto key = std::make_tuple(place.scope, place.file, place.line, place.column);
    const auto [at, added] = places_.emplace(key, static_cast<LocationId>(all.size()));
    if (added) all.push_back(place);
    return at->second;
  }

  mlir::ModuleOp source_;
  const std::string& name_;
  Imported result_;
  std::optional<AttributeImporter> attributes_;
  Function* function_ = nullptr;
  llvm::DenseMap<mlir::Value, ValueId> values_;  // looked up, never walked
  std::map<std::tuple<std::string, std::string, int, int>, LocationId> places_;
};

}  // namespace

Location location_of(mlir::Location location) {
  Location result;
  mlir::LocationAttr at = location;
  for (int steps = 0; steps < 64; ++steps) {
    if (auto named = mlir::dyn_cast<mlir::NameLoc>(at)) {
      result.scope = named.getName().str();
      at = named.getChildLoc();
    } else if (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(at)) {
      at = call.getCallee();
    } else if (auto fused = mlir::dyn_cast<mlir::FusedLoc>(at)) {
      const auto parts = fused.getLocations();
      const auto known = std::ranges::find_if(parts, [](mlir::Location l) { return !mlir::isa<mlir::UnknownLoc>(l); });
      if (known == parts.end()) break;
      at = *known;
    } else {
      break;
    }
  }
  if (auto file = mlir::dyn_cast<mlir::FileLineColRange>(at)) {
    result.file = file.getFilename().str();
    result.line = static_cast<int>(file.getStartLine());
    result.column = static_cast<int>(file.getStartColumn());
  }
  return result;
}

Imported import_module(mlir::ModuleOp module, const std::string& name) { return Importer(module, name).run(); }

}  // namespace millrace::mosaic
