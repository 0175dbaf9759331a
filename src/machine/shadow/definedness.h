// SPDX-License-Identifier: Apache-2.0
// Definedness in the memories of a run (docs/semantics.md, S7): what loads, stores and DMAs do to it, and what is told
// of it. All cores share one.
#pragma once

#include <memory>
#include <set>
#include <tuple>
#include <vector>

#include "machine/shadow/cover.h"
#include "machine/shadow/labels.h"
#include "machine/tell.h"
#include "machine/view.h"

namespace millrace::machine {
struct Transfer;
}

namespace millrace::machine::shadow {

// By element of a view, row-major; an element in parts has a label for each. Empty: all are defined.
using ViewLabels = std::vector<Label>;

class Definedness {
 public:
  explicit Definedness(Tell& tell) : tell_(tell) {}
  Labels& labels() { return labels_; }

  void attach(Memory& memory);
  // A read, and what it took: elements that nobody had read before have a source now. (Here and below, lists of labels
  // are used again: they are as large as tiles, and new memory for each would cost more than what is done with it.)
  void load(const View& from, const event::Agent& who, event::PlaceId at, ViewLabels& taken);
  void store(const View& to, const ViewLabels& labels);
  // Leaves the elements alone that `keep` names.
  void store_masked(const View& to, const ViewLabels& labels, const std::vector<bool>& keep);

  // The life of a DMA. Its target does not count as unwritten from its start: whoever reads it before its end races.
  void issued(Transfer& t);
  void read(Transfer& t);
  void written(Transfer& t);

  void used(event::Use use, const event::Agent& who, event::PlaceId at, Label label);
  // At the end of the kernel: what of an output is undefined, and what nobody wrote.
  void tell_output(const Memory& memory);

 private:
  void name_sources(const View& from, ViewLabels& labels, Label special, const event::Agent& who, event::PlaceId at);

  Tell& tell_;
  Labels labels_;
  std::set<std::tuple<event::Use, event::PlaceId, Label>> told_;
};

}  // namespace millrace::machine::shadow
