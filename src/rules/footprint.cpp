// SPDX-License-Identifier: Apache-2.0
#include "rules/footprint.h"

#include <algorithm>

#include "rules/judge.h"

namespace millrace::rules {

namespace {

using mosaic::MemorySpace;
using mosaic::Op;
using mosaic::Region;
using mosaic::Type;

// A hostile module's elements need not fit into anything: bounds above every memory and below every overflow.
constexpr std::int64_t kMostElements = std::int64_t{1} << 40, kMostBytes = std::int64_t{1} << 50;

std::int64_t elements_of(const Type& type) {
  std::int64_t elements = 1;
  for (std::int64_t n : type.shape) elements = std::min(elements * std::max<std::int64_t>(n, 0), kMostElements);
  return elements;
}

Bytes of(const Type& type, std::int64_t slots = 1) {
  Bytes b;
  if (type.space == MemorySpace::kVmem) b.vmem = slots * std::min(padded_bytes(type), kMostBytes);
  if (type.space == MemorySpace::kSmem) b.smem = slots * elements_of(type) * 4;
  if (type.space == MemorySpace::kSemaphore) b.semaphores = slots * elements_of(type) * 4;
  return b;
}

bool is_windowed(const mosaic::DictionaryAttr* window) { return window && window->find("window_bounds"); }

std::int64_t slots_of(const mosaic::DictionaryAttr* window) {
  if (!is_windowed(window)) return 1;
  const auto* mode = mosaic::as_dialect(window->find("pipeline_mode"));
  return mode && !mode->keywords.empty() && mode->keywords[0] == "synchronous" ? 1 : 2;
}

void hold(const std::string& name, const Type& type, Holder holder, std::int64_t slots, Footprint& f) {
  const Bytes one = of(type);
  Held h{name, "", holder, slots, 0, one.vmem + one.smem + one.semaphores, 0};
  h.memory = type.space == MemorySpace::kVmem ? "VMEM" : type.space == MemorySpace::kSmem ? "SMEM" : "semaphores";
  h.logical = type.space == MemorySpace::kVmem ? elements_of(type) * bits_of(type.element) / 8 : h.padded;
  h.bytes = h.padded * slots;
  f.held.push_back(std::move(h));
}

bool is_small(const Type& type) {
  return type.space == MemorySpace::kVmem || type.space == MemorySpace::kSmem || type.space == MemorySpace::kSemaphore;
}

// The most that lives at one time inside a region.
Bytes peak(const Judge& judge, const Region& region, Footprint& f) {
  Bytes here, deepest;
  for (const Op& op : region.ops) {
    if ((op.name == "memref.alloca" || op.name == "tpu.sem_alloc") && op.results.size() == 1 &&
        judge.used(op.results[0])) {
      const Type& type = judge.type_of(op.results[0]);
      here.add(of(type));
      if (is_small(type)) hold(judge.view_of(op.results[0]).memory, type, Holder::kScope, 1, f);
    }
    for (const Region& inner : op.regions) deepest.most(peak(judge, inner, f));
  }
  here.add(deepest);
  return here;
}

}  // namespace

void Bytes::add(const Bytes& b) { vmem += b.vmem, smem += b.smem, semaphores += b.semaphores; }

void Bytes::most(const Bytes& b) {
  vmem = std::max(vmem, b.vmem), smem = std::max(smem, b.smem), semaphores = std::max(semaphores, b.semaphores);
}

std::string name_of(Holder holder) {
  switch (holder) {
    case Holder::kWindow: return "window";
    case Holder::kWhole: return "whole";
    case Holder::kScratch: return "scratch";
    default: return "scope";
  }
}

Footprint footprint_of(const Judge& judge) {
  Footprint f;
  for (const Argument& a : judge.arguments()) {
    const std::int64_t slots = slots_of(a.window);
    f.total.add(of(*a.type, slots));
    const Holder holder = is_windowed(a.window) ? Holder::kWindow : a.scratch ? Holder::kScratch : Holder::kWhole;
    if (is_small(*a.type)) hold(a.name, *a.type, holder, slots, f);
  }
  f.scopes = peak(judge, judge.kernel().body, f);
  f.total.add(f.scopes);
  const plan::Chip& chip = judge.chip();
  f.limit = {judge.question().vmem_limit.value_or(chip.vmem_limit), chip.smem, chip.semaphore_bytes};
  f.vmem = chip.vmem, f.chip = chip.name;
  return f;
}

Footprint footprint_of(const Question& question) { return footprint_of(Judge(question)); }

}  // namespace millrace::rules
