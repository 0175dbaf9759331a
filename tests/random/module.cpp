// SPDX-License-Identifier: Apache-2.0
#include "module.h"

#include <cstring>
#include <map>

namespace millrace::programs {

namespace {

using mosaic::Attribute;
using mosaic::AttributeList;
using mosaic::Element;
using mosaic::MemorySpace;
using mosaic::Region;
using mosaic::Type;
using mosaic::ValueId;
using Kind = Step::Kind;
using Ids = std::vector<ValueId>;

const Type kI32 = Type::scalar(Element::kI32), kI1 = Type::scalar(Element::kI1), kIndex = Type::scalar(Element::kIndex);

Attribute integer(std::int64_t value, Element element) { return {mosaic::IntegerAttr{value, element}}; }
mosaic::NamedAttribute segments(std::vector<std::int64_t> sizes) {
  return {"operandSegmentSizes", {mosaic::DenseArrayAttr{std::move(sizes), Element::kI32}}};
}

class Writer {
 public:
  explicit Writer(const Program& p) : p_(p) {}

  mosaic::Module run() {
    module_.name = "random";
    f_.name = "main";
    if (grid()) id_ = argument(kI32);
    flags_ = argument(Type::memref(Element::kI32, {kFlags}, MemorySpace::kSmem));
    // Operands come before scratch.
    for (const Memory::Kind kind : {Memory::Kind::kInput, Memory::Kind::kOutput, Memory::Kind::kScratch})
      for (std::size_t m = 0; m < p_.memories.size(); ++m)
        if (p_.memories[m].kind == kind) memories_[m] = argument(type_of(p_.memories[m]));
    for (const Semaphore& s : p_.semaphores) semaphores_.push_back(argument(type_of(s)));
    region_ = &f_.body;
    if (p_.devices) id_ = emit("tpu.device_id", {}, {}, kI32);
    if (p_.cores > 1)
      other_ = emit("arith.subi", {i32(1), id_}, {}, kI32);
    else
      other_ = i32(0);
    zero_ = emit("arith.constant", {}, {{"value", integer(0, Element::kIndex)}}, kIndex);
    steps(p_.steps);
    line_ = 0;
    emit("func.return", {});
    attributes();
    module_.functions.push_back(std::move(f_));
    return std::move(module_);
  }

 private:
  bool grid() const { return p_.cores > 1 && !p_.devices; }

  static bool on_core(const Memory& m) { return m.kind == Memory::Kind::kScratch || m.kind == Memory::Kind::kScoped; }
  static Type type_of(const Memory& m) {
    std::vector<std::int64_t> shape{kRows, kWidth};
    if (m.slots > 1) shape.insert(shape.begin(), m.slots);
    return Type::memref(Element::kF32, shape, on_core(m) ? MemorySpace::kVmem : MemorySpace::kAny);
  }
  static Type type_of(const Semaphore& s) {
    std::vector<std::int64_t> shape;
    if (s.slots > 1) shape.push_back(s.slots);
    return Type::memref(s.bytes ? Element::kDmaSemaphore : Element::kSemaphore, shape, MemorySpace::kSemaphore);
  }

  void attributes() {
    const auto number = [](std::size_t n) { return integer(static_cast<std::int64_t>(n), Element::kI64); };
    std::size_t scratch = p_.semaphores.size();
    mosaic::ArrayAttr semantics, windows;
    for (const Memory& m : p_.memories) {
      if (m.kind == Memory::Kind::kScratch) ++scratch;
      if (!on_core(m)) windows.values.push_back({mosaic::DictionaryAttr{}});
    }
    if (grid()) semantics.values.push_back({mosaic::DialectAttr{"tpu", "dimension_semantics", {"core_parallel"}, {}}});
    f_.attributes = {{"dimension_semantics", {std::move(semantics)}}};
    if (grid()) f_.attributes.push_back({"iteration_bounds", {mosaic::DenseArrayAttr{{p_.cores}, Element::kI64}}});
    f_.attributes.push_back({"scalar_prefetch", number(1)});
    f_.attributes.push_back({"scratch_operands", number(scratch)});
    f_.attributes.push_back({"window_params", {std::move(windows)}});
  }

  ValueId value(const Type& type) {
    f_.values.push_back(type);
    return static_cast<ValueId>(f_.values.size() - 1);
  }
  ValueId argument(const Type& type) { return f_.body.arguments.emplace_back(value(type)); }

  mosaic::LocationId location() {
    if (line_ == 0) return 0;
    const auto [known, fresh] =
        locations_.try_emplace(line_, static_cast<mosaic::LocationId>(module_.locations.size()));
    if (fresh) module_.locations.push_back({"", "random.py", line_, 1});
    return known->second;
  }
  mosaic::Op& emit(const std::string& name, Ids operands, AttributeList attributes = {}) {
    mosaic::Op op;
    op.name = name, op.operands = std::move(operands), op.attributes = std::move(attributes), op.location = location();
    return region_->ops.emplace_back(std::move(op));
  }
  ValueId emit(const std::string& name, Ids operands, AttributeList attributes, const Type& type) {
    const ValueId result = value(type);
    emit(name, std::move(operands), std::move(attributes)).results.push_back(result);
    return result;
  }
  ValueId i32(int n) { return emit("arith.constant", {}, {{"value", integer(n, Element::kI32)}}, kI32); }

  ValueId number(const Number& n, int room) {
    if (n.step == 0 || loops_.empty()) return i32(n.at(0, room));
    const ValueId moved = emit("arith.muli", {loops_.back(), i32(((n.step % room) + room) % room)}, {}, kI32);
    const ValueId sum = emit("arith.addi", {moved, i32(n.at(0, room))}, {}, kI32);
    return emit("arith.remsi", {sum, i32(room)}, {}, kI32);
  }

  // Cuts out of a view, and drops dimensions of one where asked to.
  ValueId slice(ValueId view, const Ids& starts, const std::vector<std::int64_t>& sizes, std::size_t drop) {
    Type type = f_.values[view];
    type.shape = sizes;
    Ids operands{view};
    operands.insert(operands.end(), starts.begin(), starts.end());
    view = emit("tpu.memref_slice", operands, {segments({1, static_cast<std::int64_t>(starts.size()), 0})}, type);
    if (drop == sizes.size()) return view;
    type.shape.erase(type.shape.begin() + static_cast<std::ptrdiff_t>(drop));
    return emit("tpu.memref_squeeze", {view}, {}, type);
  }

  ValueId view(const View& v, const Step& s, bool remote = false) {
    auto memory = static_cast<std::size_t>(v.memory);
    const bool scoped = p_.memories[memory].kind == Memory::Kind::kScoped;
    if (scoped && (remote || !memories_.contains(memory))) memory = kInstead;
    const int slots = p_.memories[memory].slots;
    ValueId whole = memories_.at(memory);
    if (slots > 1) whole = slice(whole, {number(v.slot, slots), i32(0), i32(0)}, {1, kRows, kWidth}, 0);
    const ValueId row = number(v.row, room(v.comb, s.rows)), column = i32(s.half && v.right ? kCell : 0);
    const std::int64_t width = s.half ? kCell : kWidth;
    if (!v.comb) return slice(whole, {row, column}, {s.rows, width}, 2);
    Type pairs = f_.values[whole];
    pairs.shape = {kRows / 2, 2, kWidth};
    whole = emit("tpu.memref_reshape", {whole}, {}, pairs);
    const ValueId two = i32(2);
    const ValueId pair = emit("arith.divsi", {row, two}, {}, kI32), phase = emit("arith.remsi", {row, two}, {}, kI32);
    return slice(whole, {pair, phase, column}, {s.rows, 1, width}, 1);
  }

  ValueId semaphore(const Counter& c) {
    const int slots = p_.semaphores[static_cast<std::size_t>(c.semaphore)].slots;
    const ValueId all = semaphores_[static_cast<std::size_t>(c.semaphore)];
    return slots > 1 ? slice(all, {number(c.slot, slots)}, {1}, 0) : all;
  }

  void start(const Step& s) {
    const ValueId from = view(s.from, s), to = view(s.to, s, s.remote), on = semaphore(s.on);
    Ids operands{from, to, on};
    std::vector<std::int64_t> counts{1, 0, 1, 1, 0, 0};
    if (s.remote) {
      operands = {from, semaphore(s.sends), to, on, other_};
      counts[1] = 1, counts[grid() ? 5 : 4] = 1;
    }
    emit("tpu.enqueue_dma", operands,
         {segments(counts), {"priority", integer(0, Element::kI32)}, {"strict_ordering", integer(0, Element::kI1)}});
  }

  // Waits for the bytes of a view, of whichever memory.
  void await(const Step& s) {
    View any;
    const ValueId target = view(any, s);
    emit("tpu.wait_dma2", {semaphore(s.on), target, target},
         {segments({1, 1, 1, 0, 0}), {"strict_ordering", integer(0, Element::kI1)}});
  }

  void signal(const Step& s) {
    Ids operands{semaphore(s.on), i32(s.amount)};
    std::vector<std::int64_t> counts{1, 1, 0, 0};
    if (s.remote && p_.cores > 1) operands.push_back(other_), counts[grid() ? 3 : 2] = 1;
    emit("tpu.sem_signal", operands, {segments(counts)});
  }

  void store(const Step& s) {
    const Type tile = Type::vector(Element::kF32, {s.rows, s.half ? kCell : kWidth});
    ValueId data = 0;
    if (s.kind == Kind::kMove) {
      const ValueId from = view(s.from, s);
      data = emit("vector.load", {from, zero_, zero_}, {}, tile);
    } else {
      const float number = static_cast<float>(s.line);
      std::vector<std::byte> raw(sizeof number);
      std::memcpy(raw.data(), &number, sizeof number);
      data = emit("arith.constant", {}, {{"value", {mosaic::DenseElementsAttr{tile, true, std::move(raw)}}}}, tile);
    }
    const ValueId to = view(s.to, s);
    emit("tpu.vector_store", {data, to, zero_, zero_},
         {{"add", integer(0, Element::kI1)},
          segments({1, 1, 2, 0}),
          {"strides", {mosaic::DenseArrayAttr{{}, Element::kI32}}}});
  }

  Region inside(const std::vector<Step>& body, const Ids& arguments) {
    Region inner, *const outer = region_;
    inner.arguments = arguments;
    region_ = &inner;
    steps(body);
    emit("scf.yield", {});
    region_ = outer;
    return inner;
  }

  void loop(const Step& s) {
    const Ids bounds{i32(0), i32(s.times), i32(1)};
    const ValueId i = value(kI32);
    loops_.push_back(i);
    Region body = inside(s.body, {i});
    loops_.pop_back();
    emit("scf.for", bounds).regions.push_back(std::move(body));
  }

  void scope(const Step& s) {
    Region inner, *const outer = region_;
    region_ = &inner;
    const auto before = memories_;
    const auto memory = static_cast<std::size_t>(s.makes);
    memories_[memory] = emit("memref.alloca", {}, {segments({0, 0})}, type_of(p_.memories[memory]));
    steps(s.body);
    line_ = s.line;
    emit("tpu.yield", {});
    memories_ = before;
    region_ = outer;
    emit("tpu.region", {}).regions.push_back(std::move(inner));
  }

  ValueId condition(const Condition& c) {
    constexpr int kEqual = 0, kUnequal = 1, kLess = 2, kGreater = 4;
    const auto compare = [&](int predicate, ValueId a, int b) {
      return emit("arith.cmpi", {a, i32(b)}, {{"predicate", integer(predicate, Element::kI64)}}, kI1);
    };
    const ValueId i = loops_.empty() ? i32(0) : loops_.back();
    switch (c.kind) {
      case Condition::Kind::kFlag: {
        const ValueId at = emit("arith.constant", {}, {{"value", integer(c.value, Element::kIndex)}}, kIndex);
        return compare(kUnequal, emit("memref.load", {flags_, at}, {}, kI32), 0);
      }
      case Condition::Kind::kCore: return compare(kEqual, p_.cores > 1 ? id_ : i32(0), c.value);
      case Condition::Kind::kBefore: return compare(kLess, i, c.value);
      case Condition::Kind::kAfter: break;
    }
    return compare(kGreater, i, c.value);
  }

  void branch(const Step& s) {
    const ValueId holds = condition(s.condition);
    Region then = inside(s.body, {}), otherwise = inside({}, {});
    mosaic::Op& op = emit("scf.if", {holds});
    op.regions.push_back(std::move(then));
    op.regions.push_back(std::move(otherwise));
  }

  void steps(const std::vector<Step>& all) {
    for (const Step& s : all) {
      line_ = s.line;
      switch (s.kind) {
        case Kind::kStart: start(s); break;
        case Kind::kAwait: await(s); break;
        case Kind::kWait: emit("tpu.sem_wait", {semaphore(s.on), i32(s.amount)}); break;
        case Kind::kSignal: signal(s); break;
        case Kind::kMove:
        case Kind::kStore: store(s); break;
        case Kind::kLoop: loop(s); break;
        case Kind::kIf: branch(s); break;
        case Kind::kScope: scope(s); break;
      }
    }
  }

  const Program& p_;
  mosaic::Module module_;
  mosaic::Function f_;
  Region* region_ = nullptr;
  int line_ = 0;
  std::map<int, mosaic::LocationId> locations_;
  ValueId id_ = 0, other_ = 0, flags_ = 0, zero_ = 0;  // which core this is, and which is the other one
  std::map<std::size_t, ValueId> memories_;
  Ids semaphores_, loops_;
};

}  // namespace

mosaic::Module module_of(const Program& program) { return Writer(program).run(); }

std::vector<Array> inputs_of(const Program& program) {
  std::vector<Array> inputs;
  for (int device = 0; device < (program.devices ? program.cores : 1); ++device)
    for (const program::OperandSpec& spec : input_specs(program)) {
      Array a(spec.dtype, spec.shape);
      if (spec.dtype == i32)
        for (std::size_t f = 0; f < kFlags; ++f) a.as<std::int32_t>()[f] = program.flags[f] ? 1 : 0;
      if (spec.dtype == f32)
        for (std::int64_t e = 0; e < a.size(); ++e)
          a.as<float>()[static_cast<std::size_t>(e)] =
              static_cast<float>(e + 1000 * static_cast<std::int64_t>(inputs.size()));
      inputs.push_back(std::move(a));
    }
  return inputs;
}

namespace {

void add_specs(const Program& program, Memory::Kind kind, std::vector<program::OperandSpec>& specs) {
  for (const Memory& m : program.memories)
    if (m.kind == kind) specs.push_back({f32, m.slots > 1 ? Shape{m.slots, kRows, kWidth} : Shape{kRows, kWidth}});
}

}  // namespace

std::vector<program::OperandSpec> input_specs(const Program& program) {
  std::vector<program::OperandSpec> specs{{i32, {kFlags}}};
  add_specs(program, Memory::Kind::kInput, specs);
  return specs;
}

std::vector<program::OperandSpec> output_specs(const Program& program) {
  std::vector<program::OperandSpec> specs;
  add_specs(program, Memory::Kind::kOutput, specs);
  return specs;
}

program::Environment environment_of(const Program& program) {
  program::Environment e;
  (program.devices ? e.devices : e.cores) = program.cores;
  return e;
}

}  // namespace millrace::programs
