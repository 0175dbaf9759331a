// SPDX-License-Identifier: Apache-2.0
// Checks the kernel function against its attributes, and its transforms against its windows.
#include "mosaic/kernel_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "millrace/error.h"
#include "mosaic/type_text.h"

namespace millrace::mosaic {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();  // grid indices are i32

std::string types_of(const std::vector<Type>& types) {
  std::string list;
  for (const Type& type : types) list += (list.empty() ? "" : ", ") + to_string(type);
  return fmt::format("({})", list);
}

class KernelCheck {
 public:
  KernelCheck(const Module& module, const Function& kernel) : module_(module), kernel_(kernel) {}

  void run() {
    read_counts();
    check_arguments();
    check_windows();
    for (const Function& function : module_.functions) check_grid_questions(function.body);
  }

 private:
  [[noreturn]] void refuse(LocationId at, const std::string& sentence) const {
    const Location place = at < module_.locations.size() ? module_.locations[at] : Location{};
    throw Error(ErrorCode::kUser, fmt::format("kernel {}: {}", kernel_.name, sentence),
                place.line > 0 ? SourcePlace{place.file, place.line, place.column} : SourcePlace{});
  }
  [[noreturn]] void refuse(const std::string& sentence) const { refuse(kernel_.location, sentence); }

  const Type& argument(std::size_t i) const { return kernel_.values[kernel_.body.arguments[i]]; }
  std::size_t arguments() const { return kernel_.body.arguments.size(); }

  std::size_t count(std::string_view attribute) const {
    const std::int64_t* value = as_integer(kernel_.find(attribute));
    if (value == nullptr) refuse(fmt::format("the attribute {} is missing", attribute));
    if (*value < 0 || *value > static_cast<std::int64_t>(arguments())) {
      refuse(fmt::format("{} is {}, but the function has {} arguments", attribute, *value, arguments()));
    }
    return static_cast<std::size_t>(*value);
  }

  const ArrayAttr* array(std::string_view attribute) const {
    const Attribute* found = kernel_.find(attribute);
    if (found == nullptr) return nullptr;
    const auto* result = std::get_if<ArrayAttr>(&found->value);
    if (result == nullptr) refuse(fmt::format("{} is no array of attributes", attribute));
    return result;
  }

  void read_counts() {
    prefetch_ = count("scalar_prefetch");
    scratch_ = count("scratch_operands");
    if (!kernel_.results.empty()) refuse("a kernel returns nothing");
    if (const Attribute* found = kernel_.find("iteration_bounds")) {
      const auto* bounds = as_integers(found);
      if (bounds == nullptr) refuse("iteration_bounds is no array<i64: ...>");
      grid_ = bounds->size();
      for (const std::int64_t bound : *bounds) {
        if ((bound < 0 && bound != kDynamic) || bound > kMost)
          refuse(fmt::format("iteration_bounds holds {}; bounds are 0 to 2^31 - 1", bound));
      }
    }
    check_semantics();
  }

  void check_semantics() const {
    const ArrayAttr* semantics = array("dimension_semantics");
    if (semantics == nullptr) refuse("the attribute dimension_semantics is missing");
    if (semantics->values.size() != grid_) {
      refuse(fmt::format("dimension_semantics has {} entries for a grid of rank {}", semantics->values.size(), grid_));
    }
    for (const Attribute& entry : semantics->values) {
      const DialectAttr* kind = as_dialect(&entry);
      if (kind == nullptr || kind->mnemonic != "dimension_semantics") {
        refuse("dimension_semantics holds something else than #tpu.dimension_semantics");
      }
    }
  }

  void check_arguments() {
    if (grid_ + prefetch_ + scratch_ > arguments()) {
      refuse(fmt::format("{} grid indices, {} scalar prefetch and {} scratch operands do not fit {} arguments", grid_,
                         prefetch_, scratch_, arguments()));
    }
    windows_ = arguments() - grid_ - prefetch_ - scratch_;
    for (std::size_t i = 0; i < arguments(); ++i) {
      const Type& type = argument(i);
      if (i < grid_ && type != Type::scalar(Element::kI32)) {
        refuse(fmt::format("argument {} is {}; a grid of rank {} takes i32 there", i, to_string(type), grid_));
      }
      if (i >= grid_ && type.kind != Type::Kind::kMemref) {
        refuse(fmt::format("argument {} is {}; after {} grid indices come memrefs", i, to_string(type), grid_));
      }
      if (i >= grid_ && i < grid_ + prefetch_ && type.space != MemorySpace::kSmem) {
        refuse(fmt::format("scalar prefetch argument {} is {}; it must be in smem", i, to_string(type)));
      }
    }
  }

  void check_windows() const {
    const ArrayAttr* windows = array("window_params");
    if (windows == nullptr) {
      if (grid_ != 0 && windows_ != 0) refuse("a grid without window_params");
      return;
    }
    if (windows->values.size() != windows_) {
      refuse(fmt::format("window_params has {} entries for {} inputs and outputs", windows->values.size(), windows_));
    }
    for (std::size_t i = 0; i < windows_; ++i) {
      const auto* window = std::get_if<DictionaryAttr>(&windows->values[i].value);
      if (window == nullptr) refuse(fmt::format("window_params[{}] is no dictionary", i));
      if (!window->entries.empty()) check_window(i, *window);
    }
  }

  static const Attribute* entry(const DictionaryAttr& window, std::string_view name) {
    const auto at = std::ranges::find(window.entries, name, [](auto& e) -> std::string_view { return e.first; });
    return at == window.entries.end() ? nullptr : &at->second;
  }

  void check_window(std::size_t i, const DictionaryAttr& window) const {
    const Type& type = argument(grid_ + prefetch_ + i);
    const auto* bounds = as_integers(entry(window, "window_bounds"));
    if (bounds == nullptr) refuse(fmt::format("window_params[{}] has no window_bounds = array<i64: ...>", i));
    if (*bounds != type.shape) {
      refuse(fmt::format("window_params[{}]: window_bounds are {}, but the argument is {}", i, shape_text(*bounds),
                         to_string(type)));
    }
    if (std::ranges::any_of(*bounds, [](std::int64_t b) { return b < 1; })) {
      refuse(fmt::format("window_params[{}]: window_bounds are {}; each is at least 1", i, shape_text(*bounds)));
    }
    if (const Attribute* kind = entry(window, "window_kind")) check_element_window(i, kind, bounds->size());
    for (const char* mode : {"pipeline_mode", "revisit_mode"}) {
      const Attribute* found = entry(window, mode);
      if (found != nullptr && (as_dialect(found) == nullptr || as_dialect(found)->mnemonic != mode)) {
        refuse(fmt::format("window_params[{}]: {} is no #tpu.{}", i, mode, mode));
      }
    }
    const Attribute* symbol = entry(window, "transform_indices");
    const auto* name = symbol == nullptr ? nullptr : std::get_if<SymbolAttr>(&symbol->value);
    if (name == nullptr) refuse(fmt::format("window_params[{}] has no transform_indices = @function", i));
    check_transform(i, name->name, bounds->size());
  }

  void check_element_window(std::size_t i, const Attribute* kind, std::size_t rank) const {
    const DialectAttr* window = as_dialect(kind);
    if (window == nullptr || window->mnemonic != "element_window" || window->lists.size() != 2) {
      refuse(fmt::format("window_params[{}]: window_kind is no #tpu.element_window", i));
    }
    for (const auto& pad : window->lists) {
      if (pad.size() != rank || std::ranges::any_of(pad, [](std::int64_t p) { return p < 0 || p > kMost; })) {
        refuse(fmt::format("window_params[{}]: element_window takes {} paddings of 0 to 2^31 - 1", i, rank));
      }
    }
  }

  // transform_i takes the grid indices and the scalar prefetch operands.
  void check_transform(std::size_t i, const std::string& name, std::size_t rank) const {
    const Function* transform = module_.find(name);
    if (transform == nullptr) refuse(fmt::format("window_params[{}]: there is no function {}", i, name));
    const auto& given = transform->body.arguments;
    bool fits = given.size() == grid_ + prefetch_;
    for (std::size_t k = 0; fits && k < given.size(); ++k) fits = transform->values[given[k]] == argument(k);
    if (!fits) {
      refuse(transform->location,
             fmt::format("{} must take the {} grid indices and {} scalar prefetch operands of the kernel", name, grid_,
                         prefetch_));
    }
    const bool i32 = std::ranges::all_of(transform->results, [](auto& t) { return t == Type::scalar(Element::kI32); });
    if (transform->results.size() != rank || !i32) {
      refuse(transform->location,
             fmt::format("{} returns {} for a window of rank {}; it returns one i32 a dimension{}", name,
                         types_of(transform->results), rank,
                         i32 ? "" : " (under jax_enable_x64 a plain 0 is an i64: write jnp.int32(0))"));
    }
    check_reads_only(name, transform->body);
  }

  // An index map is asked whenever the pipeline looks ahead: it computes and reads, and changes nothing.
  void check_reads_only(const std::string& name, const Region& region) const {
    static constexpr std::string_view kChanges[] = {"store", "dma", "tpu.sem_", "tpu.region", "memref.alloca", "prng"};
    for (const Op& op : region.ops) {
      const auto stands_in = [&](std::string_view word) { return op.name.find(word) != std::string::npos; };
      if (std::ranges::any_of(kChanges, stands_in)) {
        refuse(op.location, fmt::format("{} is an index map, which computes and reads; it holds {}", name, op.name));
      }
      for (const Region& inner : op.regions) check_reads_only(name, inner);
    }
  }

  void check_grid_questions(const Region& region) const {
    for (const Op& op : region.ops) {
      if (op.name == "tpu.iteration_bound") {
        const std::int64_t dim = *as_integer(op.find("dim"));
        if (dim < 0 || dim >= static_cast<std::int64_t>(grid_)) {
          refuse(op.location,
                 fmt::format("tpu.iteration_bound asks for dimension {} of a grid of rank {}", dim, grid_));
        }
      }
      for (const Region& inner : op.regions) check_grid_questions(inner);
    }
  }

  const Module& module_;
  const Function& kernel_;
  std::size_t grid_ = 0, prefetch_ = 0, scratch_ = 0, windows_ = 0;
};

// Semaphores live in semaphore_mem, and nothing else does: whoever sees the one relies on the other.
void check_memories(const Module& module, const Function& function) {
  for (const Type& type : function.values) {
    if (type.kind != Type::Kind::kMemref) continue;
    const bool semaphores = type.element == Element::kSemaphore || type.element == Element::kDmaSemaphore;
    if (semaphores == (type.space == MemorySpace::kSemaphore)) continue;
    const Location& place = module.locations.at(function.location);
    throw Error(ErrorCode::kUser,
                fmt::format("function {} has a {}; semaphores, and they alone, are in semaphore_mem", function.name,
                            to_string(type)),
                place.line > 0 ? SourcePlace{place.file, place.line, place.column} : SourcePlace{});
  }
}

}  // namespace

void check_kernel(const Module& module) {
  for (const Function& function : module.functions) check_memories(module, function);
  const auto marked = std::ranges::count_if(module.functions, [](const Function& function) {
    const DialectAttr* core = as_dialect(function.find("tpu.core_type"));
    return core != nullptr && !core->keywords.empty() && core->keywords.front() == "tc";
  });
  if (marked > 1) {
    throw Error(ErrorCode::kUser, fmt::format("module {}: {} functions are marked as the kernel by tpu.core_type = "
                                              "#tpu.core_type<tc>; one is",
                                              module.name, marked));
  }
  const Function* kernel = module.kernel();
  if (kernel == nullptr) {
    throw Error(ErrorCode::kUser, fmt::format("module {} has no kernel: no function is marked by tpu.core_type = "
                                              "#tpu.core_type<tc>, and none is called main",
                                              module.name));
  }
  KernelCheck(module, *kernel).run();
}

}  // namespace millrace::mosaic
