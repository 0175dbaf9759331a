// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "mutate.h"

namespace millrace::fuzz {

std::string mutate_bytes(std::string_view bytes, std::string_view other, Random& random) {
  std::string result(bytes);
  if (result.empty()) return std::string(other.substr(0, 1 + random.below(64)));
  const std::size_t at = random.below(result.size());
  switch (random.below(7)) {
    case 0: result[at] = static_cast<char>(random.bits()); break;
    case 1: result[at] = static_cast<char>(result[at] ^ (1 << random.below(8))); break;
    case 2: result.erase(at, 1 + random.below(random.one_in(4) ? 256 : 8)); break;
    case 3: result.resize(at); break;
    case 4: result.insert(at, result.substr(random.below(result.size()), 1 + random.below(32))); break;
    case 5: result.insert(at, other.substr(random.below(other.size()), 1 + random.below(64))); break;
    default: {
      const std::string_view piece = other.substr(random.below(other.size()), 1 + random.below(64));
      result.replace(at, std::min(piece.size(), result.size() - at), piece);
    }
  }
  return result;
}

}  // namespace millrace::fuzz
