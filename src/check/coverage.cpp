// SPDX-License-Identifier: Apache-2.0
#include "check/coverage.h"

#include <fmt/format.h>

#include "check/catalogue.h"

namespace millrace::checkers {

void Coverage::on(const event::NeverWritten& e) {
  constexpr std::size_t kNamed = 4;
  Finding f;
  f.id = "uncovered.output";
  f.memory = names_[e.memory];
  f.schedules = "all";
  std::string boxes;
  for (const event::Box& b : e.boxes) {
    if (f.boxes.size() < kNamed)
      boxes += fmt::format("{}{}{}", f.boxes.empty() ? "" : ", ", f.memory, event::to_string(b));
    f.boxes.emplace_back(b.span().begin(), b.span().end());
  }
  if (e.boxes.size() > kNamed) boxes += fmt::format(" and {} more", e.boxes.size() - kNamed);
  f.message = fmt::format("{}: nobody has written these elements when the kernel ends", boxes);
  f.hint = "let the grid and the stores reach every element, or alias the output to an input that fills the rest";
  complete(f);
  findings_.push_back(std::move(f));
}

}  // namespace millrace::checkers
