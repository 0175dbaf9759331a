// SPDX-License-Identifier: Apache-2.0
#include "millrace/copies.h"

#include <fmt/format.h>

#include "dsl/attributes.h"
#include "dsl/view.h"
#include "millrace/scoped.h"

namespace millrace {
namespace {

void check_ends(const Ref& source, const Ref& target, const char* what, const Site& at) {
  if (source.dtype() == target.dtype() && source.shape() == target.shape()) return;
  dsl::fail(at, fmt::format("{}: the ends differ: {} does not fit {}", what, describe(source.view()),
                            describe(target.view())));
}

void check_counting(const Semaphore& s, const char* what, const Site& at) {
  if (!s.view().dma) return;
  dsl::fail(at, fmt::format("{} on {}, which belongs to copies; use semaphore() or semaphores(n), or wait for the copy",
                            what, s.view().name));
}

}  // namespace

AsyncCopy make_async_copy(const Ref& source, const Ref& target, const Semaphore& done, Site at) {
  dsl::Tracer::current(at, "make_async_copy");
  check_ends(source, target, "make_async_copy", at);
  if (!done.view().dma) {
    dsl::fail(at, fmt::format("make_async_copy on {}, which counts by hand; use dma_semaphore() or dma_semaphores(n)",
                              done.view().name));
  }
  return AsyncCopy(source, target, done);
}

void AsyncCopy::start(Site at) const {
  dsl::start_copy(dsl::Tracer::current(at, "start"), source_.view(), target_.view(), done_.view(), at);
}

void AsyncCopy::wait(Site at) const {
  dsl::wait_copy(dsl::Tracer::current(at, "wait"), source_.view(), target_.view(), done_.view(), at);
}

void sync_copy(const Ref& source, const Ref& target, Site at) {
  check_ends(source, target, "sync_copy", at);
  scoped(
      dma_semaphore(),
      [&](Semaphore done) {
        AsyncCopy copy(source, target, done);
        copy.start(at);
        copy.wait(at);
      },
      at);
}

void signal(const Semaphore& s, const Index& amount, Site at) {
  dsl::Tracer& t = dsl::Tracer::current(at, "signal");
  check_counting(s, "signal", at);
  auto id = dsl::place(t, s.view(), at);
  t.emit("tpu.sem_signal", {id, t.use(amount.node(), at)}, {dsl::segments({1, 1, 0, 0})}, at);
}

void wait(const Semaphore& s, const Index& amount, Site at) {
  dsl::Tracer& t = dsl::Tracer::current(at, "wait");
  check_counting(s, "wait", at);
  auto id = dsl::place(t, s.view(), at);
  t.emit("tpu.sem_wait", {id, t.use(amount.node(), at)}, {}, at);
}

Index semaphore_read(const Semaphore& s, Site at) {
  dsl::Tracer& t = dsl::Tracer::current(at, "semaphore_read");
  auto id = t.emit("tpu.sem_read", {dsl::place(t, s.view(), at)}, {}, dsl::type_of(DType::i32, {}), at);
  return Index(t.node(id, DType::i32, {}));
}

}  // namespace millrace
