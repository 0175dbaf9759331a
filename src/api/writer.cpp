// SPDX-License-Identifier: Apache-2.0
#include "api/writer.h"

#include <fmt/format.h>

namespace millrace::api {

std::optional<Writer> last_writer(const checkers::LastWriter& observer, std::size_t output,
                                  const std::vector<std::int64_t>& element) {
  const checkers::LastWrite* write = observer.find(fmt::format("out{}", output), element);
  if (!write) return {};
  Writer w{observer.place(write->at).where, write->from, {}, write->nth};
  // A buffer of slots has one dimension more than the window that left it.
  if (write->source && write->source_rank == static_cast<int>(element.size()) + 1)
    w.slot = write->source->ranges[0].begin;
  return w;
}

}  // namespace millrace::api
