// SPDX-License-Identifier: Apache-2.0
// Types and attributes, from MLIR to the tree.
#include "mosaic/attribute_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "millrace/error.h"
#include "mosaic/attribute_text.h"
#include "mosaic/dialect/tpu_dialect.h"
#include "mosaic/type_text.h"

namespace millrace::mosaic {
namespace {

constexpr std::int64_t kMaxAttributes = std::int64_t{1} << 20;
constexpr int kMaxDepth = 64;
constexpr std::int64_t kMaxElements = std::int64_t{1} << 62;

template <class Printable>
std::string printed(Printable printable) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  printable.print(stream);
  return text.size() <= 200 ? text : text.substr(0, 200) + "...";
}

[[noreturn]] void refuse_type(mlir::Type type) {
  throw Error(ErrorCode::kUnsupported, fmt::format("the type {} is not one that Millrace reads", printed(type)));
}

Element element_of(mlir::Type type) {
  if (type.isSignlessInteger()) {
    switch (type.getIntOrFloatBitWidth()) {
      case 1: return Element::kI1;
      case 2: return Element::kI2;
      case 4: return Element::kI4;
      case 8: return Element::kI8;
      case 16: return Element::kI16;
      case 32: return Element::kI32;
      case 64: return Element::kI64;
      default: refuse_type(type);
    }
  }
  if (type.isIndex()) return Element::kIndex;
  if (type.isF32()) return Element::kF32;
  if (type.isBF16()) return Element::kBF16;
  if (type.isF16()) return Element::kF16;
  if (type.isF64()) return Element::kF64;
  if (mlir::isa<mlir::Float8E5M2Type>(type)) return Element::kF8E5M2;
  if (mlir::isa<mlir::Float8E4M3FNType>(type)) return Element::kF8E4M3FN;
  if (mlir::isa<mlir::Float8E4M3B11FNUZType>(type)) return Element::kF8E4M3B11FNUZ;
  if (mlir::isa<tpu::SemaphoreType>(type)) return Element::kSemaphore;
  if (mlir::isa<tpu::DmaSemaphoreType>(type)) return Element::kDmaSemaphore;
  refuse_type(type);
}

std::vector<std::int64_t> shape_of(mlir::ShapedType type, std::int64_t least) {
  std::int64_t count = 1;
  for (const std::int64_t size : type.getShape()) {
    if (mlir::ShapedType::isDynamic(size)) continue;
    if (size < least || (size > 0 && count > kMaxElements / size)) {
      throw Error(ErrorCode::kUser, fmt::format("the type {} has a dimension below {}, or more than 2^62 elements",
                                                printed(mlir::Type(type)), least));
    }
    count *= std::max<std::int64_t>(size, 1);
  }
  return type.getShape().vec();
}

MemorySpace space_of(mlir::MemRefType type) {
  auto space = mlir::dyn_cast_or_null<tpu::MemorySpaceAttr>(type.getMemorySpace());
  if (!space) {
    throw Error(ErrorCode::kUser, fmt::format("the type {} has no #tpu.memory_space", printed(mlir::Type(type))));
  }
  if (!type.getLayout().isIdentity() || space.getCoreType()) refuse_type(type);
  return *memory_space_named(tpu::stringifyMemorySpace(space.getValue()).str());
}

DenseArrayAttr dense_array(mlir::DenseArrayAttr source) {
  DenseArrayAttr result{{}, element_of(source.getElementType())};
  const auto add = [&](auto typed) { result.values.assign(typed.asArrayRef().begin(), typed.asArrayRef().end()); };
  if (auto i1 = mlir::dyn_cast<mlir::DenseBoolArrayAttr>(source)) {
    add(i1);
  } else if (auto i8 = mlir::dyn_cast<mlir::DenseI8ArrayAttr>(source)) {
    add(i8);
  } else if (auto i16 = mlir::dyn_cast<mlir::DenseI16ArrayAttr>(source)) {
    add(i16);
  } else if (auto i32 = mlir::dyn_cast<mlir::DenseI32ArrayAttr>(source)) {
    add(i32);
  } else if (auto i64 = mlir::dyn_cast<mlir::DenseI64ArrayAttr>(source)) {
    add(i64);
  } else {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("the attribute {} is not one that Millrace reads", printed(mlir::Attribute(source))));
  }
  return result;
}

// 1-bit elements, a byte each. Three encodings are about: a splat in one byte, packed bits, and a byte an element; in
// versions from 10 on a true splat may be 0x01 rather than 0xff, which this MLIR takes for packed bits.
void unpack_bits(std::span<const std::byte> raw, std::size_t count, bool marked, std::int64_t version,
                 DenseElementsAttr& out) {
  const bool splat = raw.size() == 1 && (marked || count > 8 || (version >= 10 && raw[0] == std::byte{1}));
  out.splat = splat || count == 1;
  if (out.splat) {
    out.data = {std::byte{raw[0] != std::byte{0}}};
  } else if (raw.size() == (count + 7) / 8) {
    for (std::size_t i = 0; i < count; ++i) out.data.push_back((raw[i / 8] >> (i % 8)) & std::byte{1});
  } else {
    for (const std::byte byte : raw) out.data.push_back(std::byte{byte != std::byte{0}});
  }
}

}  // namespace

Type import_type(mlir::Type type) {
  if (auto vector = mlir::dyn_cast<mlir::VectorType>(type)) {
    if (vector.isScalable()) refuse_type(type);
    const Element element = element_of(vector.getElementType());
    if (element == Element::kSemaphore || element == Element::kDmaSemaphore) {
      throw Error(ErrorCode::kUser, fmt::format("the type {}: only memrefs hold semaphores", printed(type)));
    }
    return Type::vector(element, shape_of(vector, 1));
  }
  if (auto memref = mlir::dyn_cast<mlir::MemRefType>(type)) {
    return Type::memref(element_of(memref.getElementType()), shape_of(memref, 0), space_of(memref));
  }
  return Type::scalar(element_of(type));
}

AttributeList AttributeImporter::list(mlir::DictionaryAttr dictionary, std::initializer_list<llvm::StringRef> skip) {
  AttributeList result;
  ++depth_;
  for (const mlir::NamedAttribute entry : dictionary) {
    const llvm::StringRef name = entry.getName();
    if (std::ranges::find(skip, name) == skip.end()) result.emplace_back(name.str(), attribute(entry.getValue()));
  }
  --depth_;
  const auto name_of_entry = [](const auto& entry) -> const std::string& { return entry.first; };
  std::ranges::sort(result, {}, name_of_entry);
  const auto twice = std::ranges::adjacent_find(result, {}, name_of_entry);
  if (twice != result.end())
    throw Error(ErrorCode::kUser, fmt::format("the attribute {} is given twice", twice->first));
  return result;
}

Attribute AttributeImporter::attribute(mlir::Attribute source) {
  if (++seen_ > kMaxAttributes) throw Error(ErrorCode::kUser, "the module's attributes do not fit into memory");
  if (depth_ > kMaxDepth) throw Error(ErrorCode::kUser, fmt::format("attributes nest deeper than {}", kMaxDepth));
  if (mlir::isa<mlir::UnitAttr>(source)) return {UnitAttr{}};
  if (auto integer = mlir::dyn_cast<mlir::IntegerAttr>(source)) {
    const bool is_signed = integer.getType().isSignedInteger(32);
    const Element element = is_signed ? Element::kI32 : element_of(integer.getType());
    if (is_float(element)) throw Error(ErrorCode::kUser, "a whole number of a float's type");
    const llvm::APInt value = integer.getValue();
    return {
        IntegerAttr{element == Element::kI1 ? static_cast<std::int64_t>(value.getZExtValue()) : value.getSExtValue(),
                    element, is_signed}};
  }
  if (auto real = mlir::dyn_cast<mlir::FloatAttr>(source)) {
    return {FloatAttr{real.getValue().bitcastToAPInt().getZExtValue(), element_of(real.getType())}};
  }
  if (auto string = mlir::dyn_cast<mlir::StringAttr>(source)) return {StringAttr{string.str()}};
  if (auto symbol = mlir::dyn_cast<mlir::FlatSymbolRefAttr>(source)) return {SymbolAttr{symbol.getValue().str()}};
  if (auto array = mlir::dyn_cast<mlir::DenseArrayAttr>(source)) return {dense_array(array)};
  if (auto dense = mlir::dyn_cast<mlir::DenseIntOrFPElementsAttr>(source)) return elements(dense);
  if (auto type = mlir::dyn_cast<mlir::TypeAttr>(source)) return {TypeAttr{import_type(type.getValue())}};
  if (auto dictionary = mlir::dyn_cast<mlir::DictionaryAttr>(source)) return {DictionaryAttr{list(dictionary, {})}};
  if (auto array = mlir::dyn_cast<mlir::ArrayAttr>(source)) {
    ArrayAttr result;
    ++depth_;
    for (const mlir::Attribute value : array) result.values.push_back(attribute(value));
    --depth_;
    return {std::move(result)};
  }
  return {parse_dialect_attribute(printed(source))};
}

Attribute AttributeImporter::elements(mlir::DenseElementsAttr source) const {
  DenseElementsAttr result{import_type(source.getType()), false, {}};
  if (result.type.kind != Type::Kind::kVector) refuse_type(source.getType());
  const auto bytes = source.getRawData();
  const std::span raw(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
  const auto count = static_cast<std::size_t>(source.getType().getNumElements());
  const auto size = static_cast<std::size_t>(size_in_bytes(result.type.element));
  const bool bits = result.type.element == Element::kI1 && raw.size() == (count + 7) / 8;
  const bool whole = raw.size() % size == 0 && raw.size() / size == count;
  if (raw.size() != size && !whole && !bits) {
    throw Error(ErrorCode::kUser,
                fmt::format("a constant of type {} holds {} bytes", to_string(result.type), raw.size()));
  }
  if (result.type.element == Element::kI1) {
    unpack_bits(raw, count, source.isSplat(), version_, result);
  } else {
    result.splat = raw.size() == size;
    result.data.assign(raw.begin(), raw.end());
  }
  return {std::move(result)};
}

}  // namespace millrace::mosaic
