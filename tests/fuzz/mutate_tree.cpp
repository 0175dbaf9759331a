// SPDX-License-Identifier: Apache-2.0
// Changes of a module's tree that still verify: these reach the lowering and the machine.
#include <algorithm>
#include <exception>
#include <optional>

#include "mosaic/io.h"
#include "mutate.h"

namespace millrace::fuzz {

namespace {

using mosaic::Element;
using mosaic::Function;
using mosaic::Module;
using mosaic::Op;
using mosaic::Region;
using mosaic::Type;
using mosaic::ValueId;

// An operation, where it stands.
struct Found {
  Function* function;
  Region* region;
  std::size_t at;

  Op& op() const { return region->ops[at]; }
};

void collect(Function& function, Region& region, std::vector<Found>& found) {
  for (std::size_t i = 0; i < region.ops.size(); ++i) {
    found.push_back({&function, &region, i});
    for (Region& inner : region.ops[i].regions) collect(function, inner, found);
  }
}

// Round the ends of the type rather than over them.
std::int64_t plus_around(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::int64_t some_number(std::int64_t now, Random& random) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  switch (random.below(4)) {
    case 0: return plus_around(now, random.of<std::int64_t>({-1, 1, 8, 128}));
    case 1: return random.of<std::int64_t>({0, 1, 2, 3, 7, 8, 16, 127, 128, 256});
    case 2: return random.of<std::int64_t>({-1, 1 << 20, 2147483647, -2147483648LL, kLeast});
    default: return now / 2;
  }
}

void change_attribute(mosaic::Attribute& attribute, Random& random) {
  if (auto* integer = std::get_if<mosaic::IntegerAttr>(&attribute.value)) {
    integer->value = some_number(integer->value, random);
    if (integer->element == Element::kI1) integer->value &= 1;
  } else if (auto* list = std::get_if<mosaic::DenseArrayAttr>(&attribute.value)) {
    if (list->values.empty() || random.one_in(6)) return list->values.push_back(0);
    std::int64_t& value = list->values[random.below(list->values.size())];
    random.one_in(3) ? std::swap(value, list->values.back()) : void(value = some_number(value, random));
  } else if (auto* dialect = std::get_if<mosaic::DialectAttr>(&attribute.value)) {
    if (dialect->lists.empty()) return;
    auto& numbers = dialect->lists[random.below(dialect->lists.size())];
    if (!numbers.empty()) numbers[random.below(numbers.size())] = some_number(numbers[0], random);
  } else if (auto* array = std::get_if<mosaic::ArrayAttr>(&attribute.value)) {
    if (!array->values.empty()) change_attribute(array->values[random.below(array->values.size())], random);
  } else if (auto* dictionary = std::get_if<mosaic::DictionaryAttr>(&attribute.value)) {
    if (!dictionary->entries.empty())
      change_attribute(dictionary->entries[random.below(dictionary->entries.size())].second, random);
  } else if (auto* dense = std::get_if<mosaic::DenseElementsAttr>(&attribute.value)) {
    if (!dense->data.empty()) dense->data[random.below(dense->data.size())] ^= static_cast<std::byte>(random.bits());
  }
}

void change_attributes(mosaic::AttributeList& attributes, Random& random) {
  if (!attributes.empty()) change_attribute(attributes[random.below(attributes.size())].second, random);
}

void change_operand(const Found& found, Random& random) {
  Op& op = found.op();
  if (op.operands.empty()) return;
  ValueId& operand = op.operands[random.below(op.operands.size())];
  std::vector<ValueId> others;
  for (ValueId v = 0; v < found.function->values.size(); ++v)
    if (found.function->values[v] == found.function->values[operand]) others.push_back(v);
  operand = random.of(others);
}

// In the same dialect another operation takes the same operands, with luck.
void rename(Op& op, Random& random) {
  static const std::vector<std::string> all = mosaic::operation_names();
  const std::string dialect = op.name.substr(0, op.name.find('.') + 1);
  std::vector<std::string> near;
  std::ranges::copy_if(all, std::back_inserter(near), [&](const auto& name) { return name.starts_with(dialect); });
  op.name = random.of(near);
}

// All values of a type, of one function or of all, take another one.
void change_type(Module& module, Random& random) {
  const Function& from = random.of(module.functions);
  if (from.values.empty()) return;
  const Type old = random.of(from.values);
  Type now = old;
  if (!now.shape.empty() && random.one_in(2)) {
    std::int64_t& size = now.shape[random.below(now.shape.size())];
    size = random.one_in(8) ? mosaic::kDynamic : std::max<std::int64_t>(0, some_number(size, random));
  } else if (random.one_in(3)) {
    now.space = random.of({mosaic::MemorySpace::kVmem, mosaic::MemorySpace::kSmem, mosaic::MemorySpace::kHbm,
                           mosaic::MemorySpace::kAny, mosaic::MemorySpace::kSemaphore});
  } else {
    now.element = static_cast<Element>(random.below(17));
  }
  const auto renew = [&](Type& type) {
    if (type == old) type = now;
  };
  for (Function& function : module.functions) {
    std::ranges::for_each(function.values, renew);
    std::ranges::for_each(function.results, renew);
  }
}

void rearrange(const Found& found, Random& random) {
  auto& ops = found.region->ops;
  const auto here = ops.begin() + static_cast<std::ptrdiff_t>(found.at);
  switch (random.below(3)) {
    case 0: ops.erase(here); break;
    case 1:
      if (found.op().results.empty()) ops.insert(here, Op(found.op()));
      break;
    default: std::swap(found.op(), ops[random.below(ops.size())]);
  }
}

void change(Module& module, Random& random) {
  if (module.functions.empty()) return;
  std::vector<Found> found;
  for (Function& function : module.functions) collect(function, function.body, found);
  if (found.empty()) return;
  const Found& one = random.of(found);
  switch (random.below(8)) {
    case 0: rename(one.op(), random); break;
    case 1: change_type(module, random); break;
    case 2: rearrange(one, random); break;
    case 3: change_attributes(module.functions[random.below(module.functions.size())].attributes, random); break;
    case 4:
    case 5: change_operand(one, random); break;
    default: change_attributes(one.op().attributes, random);
  }
}

}  // namespace

std::string mutate_tree(std::string_view bytes, Random& random) {
  std::optional<Module> module;
  try {
    module = mosaic::read_module(bytes, "seed");
  } catch (const std::exception&) {
    return std::string(bytes);
  }
  mosaic::WriteOptions options;
  options.form = bytes.starts_with("ML\xefR") ? mosaic::Form::kBytecode : mosaic::Form::kText;
  options.names = random.one_in(2) ? mosaic::Names::kStable : mosaic::Names::kPlain;
  options.locations = random.one_in(2);
  std::string best(bytes);
  for (int tries = 0; tries < 6; ++tries) {
    Module changed = *module;
    change(changed, random);
    try {
      best = mosaic::write_module(changed, options);
      module = std::move(changed);
    } catch (const std::exception&) {
      continue;  // it does not verify
    }
  }
  return best;
}

}  // namespace millrace::fuzz
