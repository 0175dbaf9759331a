// SPDX-License-Identifier: Apache-2.0
#include "millrace/error.h"

#include <fmt/format.h>

#include "array/visible.h"

namespace millrace {

static std::string with_place(const std::string& sentence, const SourcePlace& place) {
  if (place.file.empty()) return sentence;
  return fmt::format("{}:{}: {}", place.file, place.line, sentence);
}

Error::Error(ErrorCode code, const std::string& sentence, SourcePlace place)
    : std::runtime_error(visible(with_place(sentence, place))), code_(code), place_(std::move(place)) {}

}  // namespace millrace
