// SPDX-License-Identifier: Apache-2.0
// Copies between memories, and semaphores.
//
//   auto copy = make_async_copy(x.rows(8 * i, 8), buf[i % 2], arrived[i % 2]);
//   copy.start();     // may move its bytes at any moment from here on
//   copy.wait();      // until `arrived[i % 2]` has risen by the bytes of the target; takes them off
//
// A wait names a semaphore and an amount, no copy: two copies under way on one semaphore are not told apart.
#pragma once

#include "millrace/ref.h"

namespace millrace {

class MILLRACE_API AsyncCopy {
 public:
  AsyncCopy(Ref source, Ref target, Semaphore done) : source_(source), target_(target), done_(done) {}
  void start(Site at = Site::current()) const;
  void wait(Site at = Site::current()) const;

 private:
  Ref source_, target_;
  Semaphore done_;
};

// Describes a copy of equal shapes and dtypes, between any two memories; moves nothing yet.
MILLRACE_API AsyncCopy make_async_copy(const Ref& source, const Ref& target, const Semaphore& done,
                                       Site at = Site::current());
AsyncCopy make_async_copy(const Ref&, const Ref&, const Semaphores&) = delete;  // choose one: done[i]

// Starts a copy on a semaphore of its own and waits for it.
MILLRACE_API void sync_copy(const Ref& source, const Ref& target, Site at = Site::current());

// Counting semaphores. Each must be zero again when the kernel, or the scope it belongs to, ends.
MILLRACE_API void signal(const Semaphore& s, const Index& amount = 1, Site at = Site::current());
MILLRACE_API void wait(const Semaphore& s, const Index& amount = 1, Site at = Site::current());
MILLRACE_API Index semaphore_read(const Semaphore& s, Site at = Site::current());

}  // namespace millrace
