// SPDX-License-Identifier: Apache-2.0
// Writes the seeds of all targets as files, for libFuzzer:  write_seeds FOLDER
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "seeds.h"
#include "targets.h"

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  if (argc != 2) return std::fputs("usage: write_seeds FOLDER\n", stderr), 2;
  for (const auto& target : millrace::fuzz::targets()) {
    const fs::path folder = fs::path(argv[1]) / target.name;
    fs::create_directories(folder);
    int number = 0;
    for (const auto& seed : millrace::fuzz::seeds_of(target.name)) {
      std::ofstream file(folder / std::to_string(number++), std::ios::binary);
      if (!(file << seed.bytes)) return std::fprintf(stderr, "write_seeds: cannot write to %s\n", argv[1]), 2;
    }
  }
  return 0;
}
