// SPDX-License-Identifier: Apache-2.0
// What the dumps of one compile say about one kernel. All of it is read from undocumented files: a figure that does
// not read is absent, and a note says so.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "target/tpu/bundles.h"

namespace millrace::target {

// VMEM of one kernel, as the compiler's own report has it.
struct VmemReport {
  std::int64_t capacity = 0;  // of the chip, bytes
  std::int64_t total = 0;     // of the kernel
  struct Allocation {
    std::int64_t bytes = 0;
    std::string kind;  // "scoped", "spill", ...
  };
  std::vector<Allocation> allocations;
};

// ...-vmem_report.html, which holds its figures as JSON. `instruction` is the kernel's name in it. Nothing where the
// text is no such report; a kernel without any VMEM has an empty one.
std::optional<VmemReport> read_vmem_report(std::string_view html, const std::string& instruction);

struct Dumps {
  std::optional<BundleListing> bundles;
  std::optional<Utilisation> utilisation;
  std::optional<ScheduleTotals> schedule;
  std::optional<VmemReport> vmem;
  std::vector<std::string> notes;
};

// `name` is call_name() of the kernel; the compiler's instruction is that and a number behind a dot.
Dumps read_dumps(const std::filesystem::path& folder, const std::string& name);

}  // namespace millrace::target
