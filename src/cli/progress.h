// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>

namespace millrace::cli {

// Where somebody looks on (stderr is a terminal): how far a long run is. Else empty.
std::function<void(std::uint64_t steps)> progress_on(std::ostream& err);

}  // namespace millrace::cli
