// SPDX-License-Identifier: Apache-2.0
// Types and attributes, from the tree to MLIR.
#include "mosaic/attribute_out.h"

#include <fmt/format.h>

#include <algorithm>

#include "millrace/error.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mosaic/attribute_text.h"
#include "mosaic/dialect/tpu_dialect.h"
#include "mosaic/type_text.h"

namespace millrace::mosaic {
namespace {

[[noreturn]] void internal(const std::string& sentence) { throw Error(ErrorCode::kInternal, sentence); }

mlir::Type element_type(Element element, mlir::MLIRContext* context) {
  switch (element) {
    case Element::kF32: return mlir::Float32Type::get(context);
    case Element::kBF16: return mlir::BFloat16Type::get(context);
    case Element::kF16: return mlir::Float16Type::get(context);
    case Element::kF64: return mlir::Float64Type::get(context);
    case Element::kF8E5M2: return mlir::Float8E5M2Type::get(context);
    case Element::kF8E4M3FN: return mlir::Float8E4M3FNType::get(context);
    case Element::kF8E4M3B11FNUZ: return mlir::Float8E4M3B11FNUZType::get(context);
    case Element::kIndex: return mlir::IndexType::get(context);
    case Element::kSemaphore: return tpu::SemaphoreType::get(context);
    case Element::kDmaSemaphore: return tpu::DmaSemaphoreType::get(context);
    default: return mlir::IntegerType::get(context, static_cast<unsigned>(bits_of(element)));
  }
}

bool is_semaphore(Element element) { return bits_of(element) == 0; }

void check_shape(const Type& type) {
  const bool vector = type.kind == Type::Kind::kVector;
  const bool sound = std::ranges::all_of(
      type.shape, [&](std::int64_t size) { return vector ? size >= 1 : size >= 0 || size == kDynamic; });
  if (!sound || (vector && is_semaphore(type.element))) internal(fmt::format("{} is no type", to_string(type)));
}

}  // namespace

mlir::Type export_type(const Type& type, mlir::MLIRContext* context) {
  const mlir::Type element = element_type(type.element, context);
  if (type.kind == Type::Kind::kScalar) return element;
  check_shape(type);
  if (type.kind == Type::Kind::kVector) return mlir::VectorType::get(type.shape, element);
  const auto space = tpu::symbolizeMemorySpace(llvm::StringRef(name_of(type.space)));
  return mlir::MemRefType::get(type.shape, element, mlir::MemRefLayoutAttrInterface(),
                               tpu::MemorySpaceAttr::get(context, *space, std::nullopt));
}

mlir::NamedAttribute AttributeExporter::named(const std::string& name, const Attribute& source) {
  return {mlir::StringAttr::get(context_, name), attribute(source)};
}

mlir::Attribute AttributeExporter::attribute(const Attribute& source) {
  return std::visit([&](const auto& value) { return make(value); }, source.value);
}

mlir::Attribute AttributeExporter::make(const UnitAttr&) { return mlir::UnitAttr::get(context_); }

mlir::Attribute AttributeExporter::make(const IntegerAttr& source) {
  if (is_float(source.element) || is_semaphore(source.element)) {
    internal(fmt::format("an integer attribute of type {}", name_of(source.element)));
  }
  const auto bits = static_cast<unsigned>(bits_of(source.element));
  if (!llvm::isIntN(bits, source.value) && !llvm::isUIntN(bits, static_cast<std::uint64_t>(source.value))) {
    internal(fmt::format("{} does not fit the type {}", source.value, name_of(source.element)));
  }
  const mlir::Type type = source.is_signed ? mlir::IntegerType::get(context_, bits, mlir::IntegerType::Signed)
                                           : element_type(source.element, context_);
  return mlir::IntegerAttr::get(type, llvm::APInt(bits, static_cast<std::uint64_t>(source.value), true, true));
}

mlir::Attribute AttributeExporter::make(const FloatAttr& source) {
  auto type = mlir::dyn_cast<mlir::FloatType>(element_type(source.element, context_));
  if (!type) internal(fmt::format("a float attribute of type {}", name_of(source.element)));
  const llvm::APInt bits(type.getWidth(), source.bits, false, true);
  return mlir::FloatAttr::get(type, llvm::APFloat(type.getFloatSemantics(), bits));
}

mlir::Attribute AttributeExporter::make(const StringAttr& source) {
  return mlir::StringAttr::get(context_, source.value);
}

mlir::Attribute AttributeExporter::make(const SymbolAttr& source) {
  return mlir::FlatSymbolRefAttr::get(context_, source.name);
}

mlir::Attribute AttributeExporter::make(const DenseArrayAttr& source) {
  const auto narrowed = [&]<class Integer>(Integer) {
    return llvm::SmallVector<Integer>(
        llvm::map_range(source.values, [](std::int64_t v) { return static_cast<Integer>(v); }));
  };
  switch (source.element) {
    case Element::kI1: return mlir::DenseBoolArrayAttr::get(context_, narrowed(bool{}));
    case Element::kI8: return mlir::DenseI8ArrayAttr::get(context_, narrowed(std::int8_t{}));
    case Element::kI16: return mlir::DenseI16ArrayAttr::get(context_, narrowed(std::int16_t{}));
    case Element::kI32: return mlir::DenseI32ArrayAttr::get(context_, narrowed(std::int32_t{}));
    case Element::kI64: return mlir::DenseI64ArrayAttr::get(context_, source.values);
    default: internal(fmt::format("an array attribute of type {}", name_of(source.element)));
  }
}

mlir::Attribute AttributeExporter::make(const DenseElementsAttr& source) {
  if (source.type.kind != Type::Kind::kVector) internal("a constant that is no vector");
  auto type = mlir::cast<mlir::VectorType>(export_type(source.type, context_));
  const auto size = static_cast<std::size_t>(size_in_bytes(source.type.element));
  const std::size_t count = source.splat ? 1 : static_cast<std::size_t>(type.getNumElements());
  if (source.data.size() % size != 0 || source.data.size() / size != count) {
    internal(fmt::format("a constant of type {} holds {} bytes", to_string(source.type), source.data.size()));
  }
  if (source.type.element == Element::kI1) {
    llvm::SmallVector<bool> bits(llvm::map_range(source.data, [](std::byte b) { return b != std::byte{0}; }));
    return mlir::DenseElementsAttr::get(type, llvm::ArrayRef<bool>(bits));
  }
  const llvm::ArrayRef<char> raw(reinterpret_cast<const char*>(source.data.data()), source.data.size());
  return mlir::DenseElementsAttr::getFromRawBuffer(type, raw);
}

mlir::Attribute AttributeExporter::make(const TypeAttr& source) {
  return mlir::TypeAttr::get(export_type(source.type, context_));
}

mlir::Attribute AttributeExporter::make(const ArrayAttr& source) {
  llvm::SmallVector<mlir::Attribute> values;
  for (const Attribute& value : source.values) values.push_back(attribute(value));
  return mlir::ArrayAttr::get(context_, values);
}

mlir::Attribute AttributeExporter::make(const DictionaryAttr& source) {
  mlir::NamedAttrList entries;
  for (const auto& [name, value] : source.entries) entries.set(name, attribute(value));
  return entries.getDictionary(context_);
}

mlir::Attribute AttributeExporter::make(const DialectAttr& source) {
  const std::string text = to_text(source);
  mlir::Attribute& result = parsed_[text];
  if (!result) result = mlir::parseAttribute(text, context_);
  if (!result) throw Error(ErrorCode::kUser, fmt::format("{} is no attribute that the dialect knows", text));
  return result;
}

}  // namespace millrace::mosaic
