// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/matmul.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <vector>

#include "millrace/error.h"
#include "target/cpu/matmul_loops.h"

namespace millrace::target {

namespace {

// oneDNN's C interface, as far as it is used here.
using Sgemm = int (*)(char trans_a, char trans_b, std::int64_t m, std::int64_t n, std::int64_t k, float alpha,
                      const float* a, std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c,
                      std::int64_t ldc);
struct Version {
  int major, minor, patch;
};

struct Library {
  Sgemm sgemm = nullptr;
  // Of the OpenMP that the library runs on, where it does: how many threads its next call of this thread takes.
  int (*threads)() = nullptr;
  void (*set_threads)(int) = nullptr;
  std::string name = "loops of Millrace's own (libdnnl was not found)";
};

template <class F>
F symbol(void* library, const char* name) {
  return reinterpret_cast<F>(::dlsym(library, name));
}

Library opened() {
  Library library;
  void* handle = nullptr;
  for (const char* file : {"libdnnl.so.2", "libdnnl.so.3"})
    if (!handle) handle = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return library;
  library.sgemm = symbol<Sgemm>(handle, "dnnl_sgemm");
  if (!library.sgemm) return library;
  library.threads = symbol<int (*)()>(handle, "omp_get_max_threads");
  library.set_threads = symbol<void (*)(int)>(handle, "omp_set_num_threads");
  library.name = "oneDNN";
  if (const auto version = symbol<const Version* (*)()>(handle, "dnnl_version"))
    library.name += fmt::format(" {}.{}.{}", version()->major, version()->minor, version()->patch);
  return library;
}

// Stays open: code that it made may still run when the process ends.
const Library& library() {
  static const Library it = opened();
  return it;
}

// Within it, OpenMP gives this thread no helpers.
class OneThread {
 public:
  OneThread() : before_(library().threads && library().set_threads ? library().threads() : 0) {
    if (before_ > 1) library().set_threads(1);
  }
  ~OneThread() {
    if (before_ > 1) library().set_threads(before_);
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

// The same operand as f32 that needs no further thought; `room` keeps what had to be packed.
MatrixView plain(const MatrixView& view, std::int64_t rows, std::int64_t columns, std::vector<float>& room) {
  if (view.packing == Packing::kF32) return view;
  const std::int64_t lines = view.transposed ? columns : rows, length = view.transposed ? rows : columns;
  if (room.size() < static_cast<std::size_t>(rows * columns)) room.resize(static_cast<std::size_t>(rows * columns));
  pack(view, lines, length, room.data());
  return {room.data(), length, view.transposed};
}

void require(const MatrixView& view, std::int64_t rows, std::int64_t columns, const char* which) {
  const std::int64_t length = view.transposed ? rows : columns;
  if (view.row_stride < length)
    throw Error(ErrorCode::kInternal,
                fmt::format("matmul: rows of {} are {} elements long and {} apart", which, length, view.row_stride));
}

}  // namespace

void matmul(std::int64_t m, std::int64_t n, std::int64_t k, const MatrixView& a, const MatrixView& b, float* c,
            std::int64_t c_stride, bool accumulate) {
  if (m < 0 || n < 0 || k < 0)
    throw Error(ErrorCode::kInternal, fmt::format("matmul: a size is negative: {} x {} x {}", m, n, k));
  require(a, m, k, "a"), require(b, k, n, "b"), require({c, c_stride}, m, n, "c");
  if (m == 0 || n == 0) return;
  thread_local std::vector<float> room_a, room_b;
  const MatrixView left = plain(a, m, k, room_a), right = plain(b, k, n, room_b);
  if (!library().sgemm || k == 0) return matmul_by_loops(m, n, k, left, right, c, c_stride, accumulate);
  const OneThread one;
  const int status = library().sgemm(
      left.transposed ? 'T' : 'N', right.transposed ? 'T' : 'N', m, n, k, 1, static_cast<const float*>(left.data),
      left.row_stride, static_cast<const float*>(right.data), right.row_stride, accumulate ? 1 : 0, c, c_stride);
  if (status != 0) throw Error(ErrorCode::kInternal, fmt::format("matmul: {} gave status {}", library().name, status));
}

std::string matmul_library() { return library().name; }

}  // namespace millrace::target
