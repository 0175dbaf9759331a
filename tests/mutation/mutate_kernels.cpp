// SPDX-License-Identifier: Apache-2.0
// Judges every edit of the clean kernels among case folders, and prints the report:
//   mutate_kernels [--every N] CASES...
// --every N judges one edit in N. Exit 1 where the checks missed something, 2 where nothing was to be judged.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "front/case_folder.h"
#include "millrace/error.h"
#include "verdict.h"

namespace {

using millrace::mutation::Judged;

std::vector<Judged> judge_all(const std::vector<std::string>& paths, std::size_t every) {
  std::vector<Judged> all;
  for (const auto& folder : millrace::front::case_folders(paths)) {
    if (millrace::front::read_case_folder(folder).faulty) continue;
    try {
      const auto subject = millrace::mutation::read_subject(folder);
      for (Judged& judged : millrace::mutation::judge(subject, all.size() % every, every))
        all.push_back(std::move(judged));
      fmt::print(stderr, "{}: {} edits judged so far\n", subject.name, all.size());
    } catch (const millrace::Error& error) {
      if (error.code() == millrace::ErrorCode::kInternal) throw;
      fmt::print(stderr, "{} left out: {}\n", folder.string(), error.what());
    }
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t every = 1;
  std::vector<std::string> paths;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--every" && i + 1 < argc)
      every = std::max(1ul, std::strtoul(argv[++i], nullptr, 10));
    else
      paths.emplace_back(argv[i]);
  }
  if (paths.empty()) return std::fputs("usage: mutate_kernels [--every N] CASES...\n", stderr), 2;
  try {
    const std::vector<Judged> all = judge_all(paths, every);
    fmt::print("{}killed: {:.2f} % of the edits that change anything\n", millrace::mutation::report(all),
               millrace::mutation::killed_percent(all));
    if (all.empty()) return 2;
    for (const Judged& judged : all)
      if (judged.fate == millrace::mutation::Fate::kMissed) return 1;
    return 0;
  } catch (const std::exception& fault) {
    fmt::print(stderr, "mutate_kernels: {}\n", fault.what());
    return 4;
  }
}
