// SPDX-License-Identifier: Apache-2.0
// From the tree to MLIR's module.
#include <fmt/format.h>

#include <algorithm>

#include "mlir/IR/Builders.h"
#include "mosaic/attribute_out.h"
#include "mosaic/bridge.h"
#include "mosaic/nesting.h"

namespace millrace::mosaic {
namespace {

class Exporter {
 public:
  Exporter(const Module& source, const WriteOptions& options, mlir::MLIRContext* context,
           const Diagnostics& diagnostics)
      : source_(source), options_(options), context_(context), diagnostics_(diagnostics), attributes_(context) {}

  mlir::OwningOpRef<mlir::ModuleOp> run() {
    const auto name = source_.name.empty() ? std::nullopt : std::optional<llvm::StringRef>(source_.name);
    mlir::OwningOpRef<mlir::ModuleOp> result(mlir::ModuleOp::create(mlir::UnknownLoc::get(context_), name));
    if (options_.names == Names::kStable) {
      const auto i64 = mlir::IntegerType::get(context_, 64);
      (*result)->setAttr(kStableVersion, mlir::IntegerAttr::get(i64, options_.serde_version));
    }
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(result->getBody());
    for (const Function& function : source_.functions) add_function(builder, function);
    return result;
  }

 private:
  [[noreturn]] void internal(LocationId at, const std::string& sentence) const {
    raise_at(place(at), ErrorCode::kInternal, sentence, source_.name);
  }

  Location place(LocationId id) const { return id < source_.locations.size() ? source_.locations[id] : Location{}; }

  mlir::Location location(LocationId id) const {
    const Location at = place(id);
    const mlir::Location unknown = mlir::UnknownLoc::get(context_);
    if (!options_.locations) return unknown;
    const auto [line, column] = std::pair(static_cast<unsigned>(at.line), static_cast<unsigned>(at.column));
    const mlir::Location file =
        at.file.empty() ? unknown : mlir::Location(mlir::FileLineColLoc::get(context_, at.file, line, column));
    return at.scope.empty() ? file : mlir::NameLoc::get(mlir::StringAttr::get(context_, at.scope), file);
  }

  mlir::OperationName operation_name(const std::string& plain, LocationId at) const {
    const mlir::OperationName name(plain, context_);
    if (!name.isRegistered()) {
      raise_at(place(at), ErrorCode::kUnsupported,
               fmt::format("the operation {} is not one that Millrace knows", plain), source_.name);
    }
    if (options_.names == Names::kPlain) return name;
    return mlir::OperationName((kStablePrefix + plain).str(), context_);
  }

  // Attributes that are an operation's own are checked before it is made: MLIR drops those of another kind unsaid.
  void check_inherent(const mlir::OperationState& state) const {
    if (!state.name.isRegistered()) return;
    mlir::NamedAttrList list(state.attributes);
    const auto complain = [&] { return mlir::emitError(state.location) << "'" << state.name << "' op "; };
    if (mlir::failed(state.name.verifyInherentAttrs(list, complain)))
      diagnostics_.raise("an attribute is of a wrong kind");
  }

  void add_function(mlir::OpBuilder& builder, const Function& function) {
    mlir::OperationState state(location(function.location), operation_name("func.func", function.location));
    llvm::SmallVector<mlir::Type> inputs, results;
    for (const ValueId argument : function.body.arguments)
      inputs.push_back(type_of(function, argument, function.location));
    for (const Type& result : function.results) results.push_back(export_type(result, context_));
    add_attributes(state, function.attributes, function.location);
    state.addAttribute("sym_name", mlir::StringAttr::get(context_, function.name));
    state.addAttribute("function_type", mlir::TypeAttr::get(mlir::FunctionType::get(context_, inputs, results)));
    check_inherent(state);
    state.addRegion();
    mlir::Operation* op = builder.create(state);
    values_.assign(function.values.size(), mlir::Value());
    fill(op->getRegion(0), function.body, function, function.location, 1);
  }

  mlir::Type type_of(const Function& function, ValueId value, LocationId at) const {
    if (value >= function.values.size()) internal(at, fmt::format("value {} has no type", value));
    return export_type(function.values[value], context_);
  }

  void define(ValueId id, mlir::Value value, LocationId at) {
    if (values_[id]) internal(at, fmt::format("value {} is defined twice", id));
    values_[id] = value;
  }

  void add_attributes(mlir::OperationState& state, const AttributeList& list, LocationId at) {
    try {
      for (const auto& [name, value] : list) state.attributes.append(attributes_.named(name, value));
    } catch (const Error& error) {
      raise_at(place(at), error.code(), error.what(), source_.name);
    }
    if (state.attributes.findDuplicate()) internal(at, "an attribute stands twice on one operation");
  }

  void fill(mlir::Region& region, const Region& source, const Function& function, LocationId at, int depth) {
    if (source.ops.empty() && source.arguments.empty()) return;
    if (depth > kMaxRegionDepth) {
      raise_at(place(at), ErrorCode::kUser, fmt::format("regions nest deeper than {}", kMaxRegionDepth), source_.name);
    }
    mlir::Block& block = region.emplaceBlock();
    for (const ValueId argument : source.arguments) {
      define(argument, block.addArgument(type_of(function, argument, at), mlir::UnknownLoc::get(context_)), at);
    }
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(&block);
    for (const Op& op : source.ops) add(builder, op, function, depth);
  }

  void add(mlir::OpBuilder& builder, const Op& source, const Function& function, int depth) {
    mlir::OperationState state(location(source.location), operation_name(source.name, source.location));
    for (const ValueId operand : source.operands) {
      if (operand >= values_.size() || !values_[operand]) {
        internal(source.location, fmt::format("'{}' uses value {} before it is defined", source.name, operand));
      }
      state.operands.push_back(values_[operand]);
    }
    for (const ValueId result : source.results) state.types.push_back(type_of(function, result, source.location));
    add_attributes(state, source.attributes, source.location);
    check_inherent(state);
    for (std::size_t i = 0; i < source.regions.size(); ++i) state.addRegion();
    mlir::Operation* op = builder.create(state);
    for (std::size_t i = 0; i < source.results.size(); ++i) {
      define(source.results[i], op->getResult(static_cast<unsigned>(i)), source.location);
    }
    for (std::size_t i = 0; i < source.regions.size(); ++i) {
      fill(op->getRegion(static_cast<unsigned>(i)), source.regions[i], function, source.location, depth + 1);
    }
  }

  const Module& source_;
  const WriteOptions& options_;
  mlir::MLIRContext* context_;
  const Diagnostics& diagnostics_;
  AttributeExporter attributes_;
  std::vector<mlir::Value> values_;
};

}  // namespace

mlir::OwningOpRef<mlir::ModuleOp> export_module(const Module& module, const WriteOptions& options,
                                                mlir::MLIRContext* context, const Diagnostics& diagnostics) {
  return Exporter(module, options, context, diagnostics).run();
}

}  // namespace millrace::mosaic
