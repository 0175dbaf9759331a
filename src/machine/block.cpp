// SPDX-License-Identifier: Apache-2.0
#include "machine/block.h"

#include <fmt/format.h>

namespace millrace::machine {

using program::Window;

std::string no_such_block(const Window& w, std::size_t d, std::int64_t asked) {
  const std::int64_t block = w.block[d], extent = w.array[d];
  if (w.elements)
    return fmt::format(
        "the index map of {} asks for the elements {}:{} of dimension {}, which has {}, padding included", w.name,
        asked, asked + block, d, w.low[d] + extent + w.high[d]);
  std::string message = fmt::format("the index map of {} asks for block {} of dimension {}, which has {} blocks of {}",
                                    w.name, asked, d, (extent + block - 1) / std::max<std::int64_t>(block, 1), block);
  if (block > 1 && asked % block == 0 && asked > 0 && asked < extent)
    message +=
        fmt::format(": {} is where block {} begins, but index maps count blocks, not elements", asked, asked / block);
  return message;
}

}  // namespace millrace::machine
