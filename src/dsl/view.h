// SPDX-License-Identifier: Apache-2.0
// Views of memories and of semaphore arrays: the memory itself, and for each of its dimensions the part that is seen.
// Views of views add up, so that a load names places of the memory itself, which is what the compiler wants.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dsl/tracer.h"
#include "millrace/scoped.h"

namespace millrace::dsl {

struct Extent {
  Index offset = 0;
  std::int64_t size = 0;
  std::optional<Index> dynamic_size = {};  // at most `size`: only in copies of the ragged last block of a pipeline
  bool dropped = false;                    // of size 1 and not in the view's shape
};

struct View {
  Node base;
  mosaic::Type type;  // of the base
  DType dtype;
  Space space;
  std::vector<Extent> extents;  // one for each dimension of the base
  Shape shape;                  // sizes of those that are not dropped
  std::string name;             // "input 0", "scoped buffer 1", for messages
  bool read_only = false;       // what an index map sees
};

struct SemaphoreView {
  Node base;
  mosaic::Type type;
  bool dma;
  std::vector<Index> places;  // empty: the whole array, or the one semaphore
  Shape shape;                // of what is seen
  std::string name;
};

Ref whole_ref(Tracer& t, mosaic::ValueId id, DType dtype, Space space, const std::string& name);
// The part [starts, starts + sizes) of a view; Error(kUser) where known starts leave it.
Ref part(const Ref& r, const std::vector<Index>& starts, const Shape& sizes, const char* what, const Site& at);
// The same with places that may be beyond the end, for tile padding: nothing is checked.
View unchecked_part(const View& v, const std::vector<Index>& starts, const std::vector<Extent>& sizes);
std::string describe(const View& v);  // "input 0, f32 (24, 384)"

// The view as one value: slices and squeezes the base where needed.
mosaic::ValueId place(Tracer& t, const View& v, const Site& at);
mosaic::ValueId place(Tracer& t, const SemaphoreView& v, const Site& at);

// A place of a load or store.
mosaic::ValueId subscript(Tracer& t, const Index& i, const Site& at);

// Starts a copy, or waits for one like it. The views have equal shapes and dtypes.
void start_copy(Tracer& t, const View& from, const View& to, const SemaphoreView& done, const Site& at);
void wait_copy(Tracer& t, const View& from, const View& to, const SemaphoreView& done, const Site& at);

// Memory and semaphores in the innermost region.
Handle allocate(Tracer& t, const ScratchSpec& spec, const Site& at);
mosaic::Type memory_type(DType dtype, const Shape& shape, Space space);
mosaic::Type semaphore_type(bool dma, const Shape& shape);
Handle operand_of(Tracer& t, const ScratchSpec& spec, mosaic::ValueId id, const std::string& name);
mosaic::Type type_of(const ScratchSpec& spec);

// Calls the body; Error(kUser) where its parameters are of other kinds or number.
void call_body(const Body& body, const std::vector<Handle>& operands, const std::string& what, const Site& at);

}  // namespace millrace::dsl
