// SPDX-License-Identifier: Apache-2.0
#include "seeds.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "mosaic/io.h"
#include "mutate.h"

namespace millrace::fuzz {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = 6000;

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The files below a folder of the tests with this ending, sorted, none larger than `most`.
std::vector<Seed> files_in(const std::string& folder, const std::string& ending, std::size_t most) {
  const fs::path root = fs::path(MILLRACE_SOURCE_DIR) / "tests";
  std::vector<fs::path> paths;
  if (!fs::exists(root / folder)) return {};
  for (const auto& entry : fs::recursive_directory_iterator(root / folder))
    if (entry.is_regular_file() && entry.path().string().ends_with(ending) && entry.file_size() <= most)
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<Seed> seeds;
  for (const fs::path& path : paths) seeds.push_back({fs::relative(path, root).string(), bytes_of(path)});
  return seeds;
}

void append(std::vector<Seed>& to, std::vector<Seed> more) {
  for (Seed& seed : more) to.push_back(std::move(seed));
}

std::vector<Seed> bytecodes() {
  std::vector<Seed> seeds = files_in("mosaic/data", ".mlirbc", kMostBytes);
  append(seeds, files_in("cases", "kernel.mlirbc", kMostBytes));
  append(seeds, files_in("data/kernels", "kernel.mlirbc", kMostBytes));
  return seeds;
}

// Every third kernel as text, under stable and plain names in turn.
std::vector<Seed> texts() {
  std::vector<Seed> seeds = files_in("mosaic/data", ".mlir", 5 * kMostBytes);
  const std::vector<Seed> all = bytecodes();
  for (std::size_t i = 0; i < all.size(); i += 3) {
    mosaic::WriteOptions options;
    options.form = mosaic::Form::kText;
    options.names = i % 2 == 0 ? mosaic::Names::kStable : mosaic::Names::kPlain;
    options.locations = i % 4 == 0;
    std::string text = mosaic::write_module(mosaic::read_module(all[i].bytes, all[i].name), options);
    if (text.size() <= 4 * kMostBytes) seeds.push_back({all[i].name + ".mlir", std::move(text)});
  }
  return seeds;
}

std::vector<Seed> calls() {
  std::vector<Seed> seeds;
  for (const Seed& module : files_in("mosaic/data", "", kMostBytes))
    seeds.push_back({module.name + ".json", R"({"custom_call_config": {"body": ")" + encode_base64(module.bytes) +
                                                R"(", "serialization_format": 1, "needs_layout_passes": true}})"});
  return seeds;
}

}  // namespace

std::vector<Seed> corpus_of(std::string_view target) {
  return files_in("fuzz/corpus/" + std::string(target), "", std::size_t{1} << 20);
}

std::vector<Seed> seeds_of(std::string_view target) {
  std::vector<Seed> seeds = corpus_of(target);
  if (target == "bytecode") append(seeds, bytecodes());
  if (target == "text") append(seeds, texts());
  if (target == "stablehlo") append(seeds, files_in("data/stablehlo", ".mlir", 10 * kMostBytes));
  if (target == "call") append(seeds, calls());
  if (target == "npy") append(seeds, files_in("", ".npy", kMostBytes));
  if (target == "case") append(seeds, files_in("", "case.json", kMostBytes));
  return seeds;
}

}  // namespace millrace::fuzz
