// SPDX-License-Identifier: Apache-2.0
// Memory for elements. A run makes and drops whole output arrays; on large pages that costs a few faults, not
// thousands.
#include <sys/mman.h>

#include <cstdlib>

#include "millrace/array.h"

namespace millrace::detail {

namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

bool is_large(std::size_t bytes) { return bytes >= 2 * kLargePage; }

}  // namespace

std::byte* ElementAllocator::allocate(std::size_t bytes) {
  if (!is_large(bytes)) return static_cast<std::byte*>(::operator new(bytes));
  const std::size_t whole = (bytes + kLargePage - 1) / kLargePage * kLargePage;
  void* data = whole < bytes ? nullptr : std::aligned_alloc(kLargePage, whole);
  if (!data) throw std::bad_alloc();
  madvise(data, whole, MADV_HUGEPAGE);  // a wish: nothing depends on it
  return static_cast<std::byte*>(data);
}

void ElementAllocator::deallocate(std::byte* data, std::size_t bytes) {
  if (is_large(bytes))
    std::free(data);
  else
    ::operator delete(data);
}

}  // namespace millrace::detail
