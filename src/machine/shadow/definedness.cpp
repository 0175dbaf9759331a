// SPDX-License-Identifier: Apache-2.0
#include "machine/shadow/definedness.h"

#include <algorithm>
#include <map>

#include "machine/nest.h"
#include "machine/shadow/memory_shadow.h"
#include "machine/transfers.h"

namespace millrace::machine::shadow {

namespace {

constexpr std::size_t kMostBoxes = 64;  // of one read; beyond, one around them all

bool plain(const View& v) { return v.strides == v.memory->strides.data() && v.parts == 1 && v.split == 1; }

bool reaches_padding(const View& v) {
  for (int d = 0; d < v.rank; ++d)
    if (v.inside[d] < v.size[d]) return true;
  return false;
}

std::size_t units_of(const View& v) { return static_cast<std::size_t>(elements_of(v) * v.parts); }

// As for_each_run, of a view whose neighbours share elements of the memory: each by itself. Such an element is as
// undefined as what was stored last of it.
template <class F>
void for_each_shared(const View& v, const F& f, int shown, std::int64_t at, std::int64_t position) {
  if (shown == v.shown) return f(at, position, std::int64_t{1});
  const int d = v.dim[shown];
  const std::int64_t split = d == v.split_dimension ? v.split : 1;
  for (std::int64_t i = 0; i < v.inside[d]; ++i) {
    const std::int64_t on = (v.start[d] + i * v.step[d]) / split - v.start[d] / split;
    for_each_shared(v, f, shown + 1, at + on * v.strides[d], position * v.size[d] + i);
  }
}

// Calls f(first element of the memory, first position in the view, how many) for what lies inside the memory.
template <class F>
void for_each_run(const View& v, const F& f) {
  if (v.split > 1) return for_each_shared(v, f, 0, first_element(v), 0);
  Nest n;
  std::int64_t dense[event::kMaxRank], stride = v.parts;
  for (int k = v.shown - 1; k >= 0; --k) dense[k] = stride, stride *= v.size[v.dim[k]];
  for (int d = 0; d < v.rank; ++d)
    if (v.inside[d] == 0) return;
  for (int k = 0; k < v.shown; ++k) n.add(v.inside[v.dim[k]], v.step[v.dim[k]] * v.strides[v.dim[k]], dense[k]);
  n.add(v.parts, v.part_stride, 1);
  n.merge();
  const bool run = n.rank > 0 && n.a[n.rank - 1] == 1 && n.b[n.rank - 1] == 1;
  const int inner = run ? n.rank - 1 : n.rank;
  const std::int64_t length = run ? n.size[n.rank - 1] : 1;
  walk(n, 0, first_element(v), 0, inner, [&](std::int64_t at, std::int64_t position) { f(at, position, length); });
}

void gather(const View& v, ViewLabels& labels) {
  const MemoryShadow& shadow = *v.memory->shadow;
  const bool padded = reaches_padding(v);  // tile padding is memory that nobody writes
  labels.clear();
  if (!padded && shadow.defined()) return;
  if (padded) labels.resize(units_of(v), kUnwritten);
  for_each_run(v, [&](std::int64_t at, std::int64_t position, std::int64_t n) {
    shadow.for_each_run(at, at + n, [&](std::int64_t begin, std::int64_t end, Label label) {
      if (label == kDefined && !padded) return;  // as they are from the start
      if (labels.empty()) labels.resize(units_of(v), kDefined);
      std::fill_n(labels.begin() + (position + begin - at), end - begin, label);
    });
  });
}

// Calls f(element of the memory, label) in pieces of one label.
template <class F>
void scatter(const View& v, const ViewLabels& labels, const F& f) {
  for_each_run(v, [&](std::int64_t at, std::int64_t position, std::int64_t n) {
    if (labels.empty()) return f(at, at + n, position, kDefined);
    for (std::int64_t i = 0; i < n;) {
      const Label label = labels[static_cast<std::size_t>(position + i)];
      const std::int64_t first = i;
      while (i < n && labels[static_cast<std::size_t>(position + i)] == label) ++i;
      f(at + first, at + i, position + first, label);
    }
  });
}

// A box of positions in a view, in the memory's own coordinates.
event::Box in_memory(const event::Box& box, const View& v) {
  event::Box result;
  result.rank = v.rank;
  for (int d = 0; d < v.rank; ++d) result.ranges[d] = {v.start[d], v.start[d] + 1, 1};
  for (int k = 0; k < v.shown; ++k) {
    const int d = v.dim[k];
    const Range& r = box.ranges[k];
    const std::int64_t step = std::max<std::int64_t>(v.step[d], 1), n = (r.end - r.begin + r.stride - 1) / r.stride,
                       begin = v.start[d] + r.begin * step, stride = n == 1 ? 1 : r.stride * step;
    result.ranges[d] = {begin, begin + (n - 1) * stride + 1, stride};
  }
  return result;
}

std::vector<event::Box> boxes_of_label(const View& v, const ViewLabels& labels, Label wanted) {
  std::vector<Stretch> runs;
  std::vector<event::Box> boxes;
  if (plain(v)) {
    std::vector<std::int64_t> shape;
    for (int k = 0; k < v.shown; ++k) shape.push_back(v.size[v.dim[k]]);
    for (auto at = labels.begin(); (at = std::find(at, labels.end(), wanted)) != labels.end();) {
      const auto end = std::find_if(at, labels.end(), [&](Label l) { return l != wanted; });
      append(runs, at - labels.begin(), end - labels.begin());
      at = end;
    }
    for (const event::Box& b : cover(runs, shape)) boxes.push_back(in_memory(b, v));
  } else {
    std::vector<std::int64_t> elements;
    scatter(v, labels, [&](std::int64_t begin, std::int64_t end, std::int64_t, Label label) {
      for (; label == wanted && begin < end; ++begin) elements.push_back(begin);
    });
    std::sort(elements.begin(), elements.end());
    for (std::int64_t e : elements) append(runs, e, e + 1);
    boxes = cover(runs, v.memory->shape);
  }
  if (boxes.size() > kMostBoxes) boxes = {around(boxes)};
  return boxes;
}

// As many parts an element as the other side has: an element in several is as undefined as any of them.
ViewLabels regrouped(Labels& labels, ViewLabels from, std::int64_t parts, std::int64_t wanted) {
  if (from.empty() || parts == wanted) return from;
  const auto elements = from.size() / static_cast<std::size_t>(parts);
  ViewLabels to(elements * static_cast<std::size_t>(wanted), kDefined);
  const std::int64_t most = std::max(parts, wanted);
  for (std::size_t e = 0; e < elements; ++e)
    for (std::int64_t k = 0; k < most; ++k) {
      Label& label = to[e * static_cast<std::size_t>(wanted) + static_cast<std::size_t>(k * wanted / most)];
      label =
          labels.join(label, from[e * static_cast<std::size_t>(parts) + static_cast<std::size_t>(k * parts / most)]);
    }
  return to;
}

}  // namespace

void Definedness::attach(Memory& memory) {
  if (memory.kind == event::MemoryKind::kSemaphore) return;
  memory.shadow = std::make_unique<MemoryShadow>(memory.count, memory.written ? kDefined : kUnwritten);
}

void Definedness::name_sources(const View& from, ViewLabels& labels, Label special, const event::Agent& who,
                               event::PlaceId at) {
  const std::string& memory = from.memory->name;
  const auto [named, fresh] =
      labels_.origin(at, special == kInFlight ? memory + " in flight" : memory, special == kPadding);
  if (fresh && special != kInFlight && tell_.anyone())
    tell_(event::UndefinedRead{*fresh, who, from.memory->id, boxes_of_label(from, labels, special), special == kPadding,
                               at});
  std::replace(labels.begin(), labels.end(), special, named);
}

void Definedness::load(const View& from, const event::Agent& who, event::PlaceId at, ViewLabels& labels) {
  gather(from, labels);
  bool unwritten = false, padding = false, in_flight = false;
  for (Label l : labels) unwritten |= l == kUnwritten, padding |= l == kPadding, in_flight |= l == kInFlight;
  if (unwritten) name_sources(from, labels, kUnwritten, who, at);
  if (padding) name_sources(from, labels, kPadding, who, at);
  if (in_flight) name_sources(from, labels, kInFlight, who, at);
}

void Definedness::store(const View& to, const ViewLabels& labels) {
  MemoryShadow& shadow = *to.memory->shadow;
  if (labels.empty() && shadow.defined()) return;
  scatter(to, labels,
          [&](std::int64_t begin, std::int64_t end, std::int64_t, Label label) { shadow.set(begin, end, label); });
}

void Definedness::store_masked(const View& to, const ViewLabels& labels, const std::vector<bool>& keep) {
  MemoryShadow& shadow = *to.memory->shadow;
  if (labels.empty() && shadow.defined()) return;
  for_each_run(to, [&](std::int64_t at, std::int64_t position, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      const auto unit = static_cast<std::size_t>(position + i);
      if (!keep[unit / static_cast<std::size_t>(to.parts)])
        shadow.set(at + i, at + i + 1, labels.empty() ? kDefined : labels[unit]);
    }
  });
}

void Definedness::issued(Transfer& t) {
  MemoryShadow& shadow = *t.target.memory->shadow;
  if (t.window || shadow.defined()) return;  // nobody but the pipeline itself reads a slot that is being filled
  t.fill_views();
  for_each_run(t.target, [&](std::int64_t at, std::int64_t, std::int64_t n) {
    shadow.relabel(at, at + n, kUnwritten, kInFlight);
  });
}

void Definedness::read(Transfer& t) {
  t.labels.clear();
  if (!t.viewed && t.source.memory->shadow->defined()) return;
  t.fill_views();
  event::Agent who = t.by;
  who.dma = t.id;
  t.window ? gather(t.source, t.labels) : load(t.source, who, t.at, t.labels);
}

// What a window never wrote takes nothing away from its array (S7.6).
void Definedness::written(Transfer& t) {
  MemoryShadow& shadow = *t.target.memory->shadow;
  const bool out = t.window && t.target.memory->kind == event::MemoryKind::kHbm;
  if (t.labels.empty() && shadow.defined()) return;
  t.fill_views();
  if (t.source.parts != t.target.parts)
    t.labels = regrouped(labels_, std::move(t.labels), t.source.parts, t.target.parts);
  scatter(t.target, t.labels, [&](std::int64_t begin, std::int64_t end, std::int64_t, Label label) {
    if (!out || label != kUnwritten) shadow.set(begin, end, label);
  });
  t.labels.clear();
}

void Definedness::used(event::Use use, const event::Agent& who, event::PlaceId at, Label label) {
  if (!told_.insert({use, at, label}).second || !tell_.anyone()) return;
  tell_(event::UndefinedUsed{use, who, at, 0, {}, labels_.sources(label)});
}

void Definedness::tell_output(const Memory& memory) {
  if (memory.shadow->defined() || !tell_.anyone()) return;
  std::vector<Stretch> never;
  std::map<Label, std::vector<Stretch>> undefined;
  memory.shadow->for_each_run(0, memory.count, [&](std::int64_t begin, std::int64_t end, Label label) {
    if (label == kUnwritten) append(never, begin, end);
    if (label >= kFirstSet) append(undefined[label], begin, end);
  });
  for (const auto& [label, elements] : undefined)
    tell_(event::UndefinedUsed{
        event::Use::kOutput, {}, 0, memory.id, cover(elements, memory.shape), labels_.sources(label)});
  if (!never.empty()) tell_(event::NeverWritten{memory.id, cover(never, memory.shape)});
}

}  // namespace millrace::machine::shadow
