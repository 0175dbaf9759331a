// SPDX-License-Identifier: Apache-2.0
// Looking things up in a module, and comparing two of them.
#include "mosaic/ir.h"

#include <algorithm>

namespace millrace::mosaic {
namespace {

const Attribute* find_in(const AttributeList& list, std::string_view name) {
  const auto at = std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry.first == name; });
  return at == list.end() ? nullptr : &at->second;
}

// One overload for each kind of attribute.
bool equal(const UnitAttr&, const UnitAttr&) { return true; }
bool equal(const IntegerAttr& a, const IntegerAttr& b) {
  return a.value == b.value && a.element == b.element && a.is_signed == b.is_signed;
}
bool equal(const FloatAttr& a, const FloatAttr& b) { return a.bits == b.bits && a.element == b.element; }
bool equal(const StringAttr& a, const StringAttr& b) { return a.value == b.value; }
bool equal(const SymbolAttr& a, const SymbolAttr& b) { return a.name == b.name; }
bool equal(const DenseArrayAttr& a, const DenseArrayAttr& b) { return a.values == b.values && a.element == b.element; }
bool equal(const DenseElementsAttr& a, const DenseElementsAttr& b) {
  return a.type == b.type && a.splat == b.splat && a.data == b.data;
}
bool equal(const TypeAttr& a, const TypeAttr& b) { return a.type == b.type; }
bool equal(const ArrayAttr& a, const ArrayAttr& b) { return a.values == b.values; }
bool equal(const DictionaryAttr& a, const DictionaryAttr& b) { return a.entries == b.entries; }
bool equal(const DialectAttr& a, const DialectAttr& b) {
  return a.dialect == b.dialect && a.mnemonic == b.mnemonic && a.keywords == b.keywords && a.lists == b.lists;
}

const Location& location_of(const Module& module, LocationId id) {
  static const Location unknown;
  return id < module.locations.size() ? module.locations[id] : unknown;
}

class Comparison {
 public:
  Comparison(const Module& a, const Module& b, bool locations) : a_(a), b_(b), locations_(locations) {}

  bool same(const Function& x, const Function& y) const {
    return x.name == y.name && x.values == y.values && x.results == y.results && x.attributes == y.attributes &&
           same_place(x.location, y.location) && same(x.body, y.body);
  }

 private:
  bool same_place(LocationId x, LocationId y) const { return !locations_ || location_of(a_, x) == location_of(b_, y); }
  bool same(const Region& x, const Region& y) const {
    return x.arguments == y.arguments && std::ranges::equal(x.ops, y.ops, [&](auto& p, auto& q) { return same(p, q); });
  }
  bool same(const Op& x, const Op& y) const {
    return x.name == y.name && x.operands == y.operands && x.results == y.results && x.attributes == y.attributes &&
           same_place(x.location, y.location) &&
           std::ranges::equal(x.regions, y.regions, [&](auto& p, auto& q) { return same(p, q); });
  }

  const Module& a_;
  const Module& b_;
  bool locations_;
};

template <class Kind>
const Kind* get(const Attribute* a) {
  return a == nullptr ? nullptr : std::get_if<Kind>(&a->value);
}

}  // namespace

bool operator==(const Attribute& a, const Attribute& b) {
  if (a.value.index() != b.value.index()) return false;
  return std::visit([&]<class Kind>(const Kind& value) { return equal(value, std::get<Kind>(b.value)); }, a.value);
}

bool operator==(const NamedAttribute& a, const NamedAttribute& b) { return a.first == b.first && a.second == b.second; }

bool same(const Module& a, const Module& b, bool locations) {
  const Comparison comparison(a, b, locations);
  return a.name == b.name && std::ranges::equal(a.functions, b.functions, [&](const Function& x, const Function& y) {
           return comparison.same(x, y);
         });
}

std::string to_string(const Location& l) {
  const std::string at = l.file.empty() ? "" : l.file + ":" + std::to_string(l.line);
  return l.scope + (l.scope.empty() || at.empty() ? "" : " at ") + at;
}

const Attribute* DictionaryAttr::find(std::string_view name) const { return find_in(entries, name); }

const Attribute* Op::find(std::string_view attribute) const { return find_in(attributes, attribute); }

const Attribute* Function::find(std::string_view attribute) const { return find_in(attributes, attribute); }

const Function* Module::find(std::string_view function) const {
  const auto at = std::ranges::find(functions, function, &Function::name);
  return at == functions.end() ? nullptr : &*at;
}

const Function* Module::kernel() const {
  for (const Function& function : functions) {
    const DialectAttr* core = as_dialect(function.find("tpu.core_type"));
    if (core != nullptr && core->keywords == std::vector<std::string>{"tc"}) return &function;
  }
  return find("main");
}

const std::int64_t* as_integer(const Attribute* a) {
  const auto* integer = get<IntegerAttr>(a);
  return integer == nullptr ? nullptr : &integer->value;
}

const std::string* as_string(const Attribute* a) {
  const auto* string = get<StringAttr>(a);
  return string == nullptr ? nullptr : &string->value;
}

const std::vector<std::int64_t>* as_integers(const Attribute* a) {
  const auto* array = get<DenseArrayAttr>(a);
  return array == nullptr ? nullptr : &array->values;
}

const DialectAttr* as_dialect(const Attribute* a) { return get<DialectAttr>(a); }

}  // namespace millrace::mosaic
