// SPDX-License-Identifier: Apache-2.0
// Files beside the module: arrays and case.json.
#include <stdlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "array/npy_read.h"
#include "front/case_run.h"
#include "try_module.h"

namespace millrace::fuzz {

namespace {

namespace fs = std::filesystem;

// A copy of a case that lives as long as the process; only its case.json changes.
class CaseBench {
 public:
  CaseBench() {
    std::string name = (fs::temp_directory_path() / "millrace_fuzz_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    fs::copy(fs::path(MILLRACE_SOURCE_DIR) / "tests/data/kernels/prefetch_gather", folder_,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  }
  ~CaseBench() { fs::remove_all(folder_); }
  CaseBench(const CaseBench&) = delete;
  CaseBench& operator=(const CaseBench&) = delete;

  const fs::path& with(std::string_view json) const {
    std::ofstream(folder_ / "case.json", std::ios::binary) << json;
    return folder_;
  }

 private:
  fs::path folder_;
};

}  // namespace

void try_npy(std::string_view bytes) {
  const std::span file(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
  answered([&] { parse_npy(file, "array.npy"); });
  answered([&] { parse_npy(file, "array.npy", DType::bf16); });
  answered([&] {
    const Array any = parse_npy_in_any_order(file, "array.npy");
    if (any.bytes() > bytes.size()) throw std::logic_error("an array is larger than its file");
  });
}

void try_case(std::string_view json) {
  static const CaseBench bench;
  front::CaseOptions options;
  options.max_steps = 2000, options.max_bytes = 1 << 20;
  const front::CaseResult result = front::run_case(bench.with(json), options);
  for (const std::string& reason : result.reasons)
    if (reason.starts_with("internal error")) throw std::logic_error(reason);
}

}  // namespace millrace::fuzz
