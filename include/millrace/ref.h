// SPDX-License-Identifier: Apache-2.0
// Memory and semaphores as a kernel sees them. A Ref is a view of one memory: making one moves nothing.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "millrace/value.h"

namespace millrace {

// hbm: big and far, reached by copies only. vmem: vectors. smem: scalars, one at a time.
enum class Space { kHbm, kVmem, kSmem };

namespace dsl {
struct View;
struct SemaphoreView;
}  // namespace dsl

class MILLRACE_API Ref {
 public:
  explicit Ref(std::shared_ptr<const dsl::View> view) : view_(std::move(view)) {}
  DType dtype() const;
  const Shape& shape() const;
  int rank() const { return static_cast<int>(shape().size()); }
  Space space() const;

  // The whole view, of VMEM. Error(kUser) on HBM, and on SMEM views of more than one element.
  Value load(Site at = Site::current()) const;
  void store(Term v) const;  // a scalar fills the view; else the shapes are equal
  void store(const Bool& mask, Site at = Site::current()) const;
  // Only the elements whose mask is true. The mask has the view's shape, or one that broadcasts to it.
  void store(Term v, const Bool& where) const;
  void store(const Ref&) const = delete;  // copy with b.store(a.load()), or between memories with sync_copy(a, b)

  // One element of SMEM. Places beyond the view are refused where they are known while tracing.
  Value load(IndexTerm i) const;
  Value load(IndexTerm i, IndexTerm j) const;
  Value load(IndexTerm i, IndexTerm j, IndexTerm k) const;
  void store(Term v, IndexTerm i) const;
  void store(Term v, IndexTerm i, IndexTerm j) const;
  void store(Term v, IndexTerm i, IndexTerm j, IndexTerm k) const;

  Ref operator[](IndexTerm i) const;                    // place i of the leading dimension, which goes away
  Ref rows(IndexTerm start, std::int64_t count) const;  // start ... start + count - 1 of the leading dimension
  Ref slice(const std::vector<Index>& starts, const Shape& sizes, Site at = Site::current()) const;

  // The same elements in another shape, or the same bits as another dtype: where the width changes, so does the second
  // last dimension (f32 (8, 128) is bf16 (16, 128)). Both are views of what lies there already; nothing moves.
  Ref reshape(const Shape& shape, Site at = Site::current()) const;
  Ref bitcast(DType dtype, Site at = Site::current()) const;

  const dsl::View& view() const { return *view_; }

 private:
  std::shared_ptr<const dsl::View> view_;
};

MILLRACE_API Value zeros_like(const Ref& r, Site at = Site::current());

// A counting semaphore. Those of DMAs count bytes and are waited for through the copy.
class MILLRACE_API Semaphore {
 public:
  explicit Semaphore(std::shared_ptr<const dsl::SemaphoreView> view) : view_(std::move(view)) {}
  const dsl::SemaphoreView& view() const { return *view_; }

 private:
  std::shared_ptr<const dsl::SemaphoreView> view_;
};

class MILLRACE_API Semaphores {
 public:
  explicit Semaphores(std::shared_ptr<const dsl::SemaphoreView> view) : view_(std::move(view)) {}
  const Shape& shape() const;
  Semaphore operator[](IndexTerm i) const;       // of an array of rank 1
  Semaphore at(IndexTerm i, IndexTerm j) const;  // of rank 2
  const dsl::SemaphoreView& view() const { return *view_; }

 private:
  std::shared_ptr<const dsl::SemaphoreView> view_;
};

// What a kernel asks for: operands, scratch and scoped memory.
struct MemorySpec {
  Space space;
  DType dtype;
  Shape shape;
};
struct SemaphoreSpec {
  bool dma;
};
struct SemaphoresSpec {
  bool dma;
  Shape shape;
};

inline MemorySpec hbm(DType dtype, Shape shape) { return {Space::kHbm, dtype, std::move(shape)}; }
inline MemorySpec vmem(DType dtype, Shape shape) { return {Space::kVmem, dtype, std::move(shape)}; }
inline MemorySpec smem(DType dtype, Shape shape) { return {Space::kSmem, dtype, std::move(shape)}; }
inline SemaphoreSpec dma_semaphore() { return {true}; }
inline SemaphoreSpec semaphore() { return {false}; }
template <dsl::Integer... N>
SemaphoresSpec dma_semaphores(N... counts) {
  return {true, {static_cast<std::int64_t>(counts)...}};
}
template <dsl::Integer... N>
SemaphoresSpec semaphores(N... counts) {
  return {false, {static_cast<std::int64_t>(counts)...}};
}

}  // namespace millrace
