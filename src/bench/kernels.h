// SPDX-License-Identifier: Apache-2.0
// The kernels that are measured in more than one way, in the kernel language; f32 but for the first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "millrace/millrace.h"

namespace millrace::bench {

// 2x + y of one tile.
void axpy_tile(Ref x, Ref y, Ref out);

// (n, n) by (n, n), all bits of f32, in square blocks that divide n.
Kernel matmul_kernel(std::int64_t n, std::int64_t block_size, std::vector<Dimension> semantics = {});

// Attention of `length` queries to as many keys, (length, depth) each; the blocks of queries and of keys divide the
// length.
struct AttentionSizes {
  std::int64_t length, depth, query_block, key_block;
};
Kernel attention_kernel(const std::string& name, const AttentionSizes& sizes, std::vector<Dimension> semantics = {});

}  // namespace millrace::bench
