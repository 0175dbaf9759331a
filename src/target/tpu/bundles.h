// SPDX-License-Identifier: Apache-2.0
// The instruction bundles of a compiled kernel, as libtpu dumps them (...-final_bundles.txt): how many, and which of
// them are loops. The form is undocumented; what does not read is left out, never guessed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::target {

struct BundleLoop {
  std::int64_t first = 0;    // address of its first bundle
  std::int64_t bundles = 0;  // up to the branch back and its delay slots: those of one pass, inner loops counted once
  int depth = 1;             // 1: not inside another loop
  std::optional<std::int64_t> trips;  // where the bound is a constant
};

struct BundleListing {
  std::int64_t bundles = 0;
  std::vector<BundleLoop> loops;  // by address
};

// Nothing where the text is no such listing. A loop whose end is not found is not in the list, and `unread_loops` of
// them are told.
std::optional<BundleListing> read_bundles(std::string_view text, int* unread_loops = nullptr);

// The loop that carries most of the static work, its bundles times its passes; of those not inside another. An unknown
// number of passes counts as one. Null where there is no loop.
const BundleLoop* main_loop(const BundleListing& listing);

// Slots that a chip's bundle has of one kind, and how many the kernel's bundles use in all.
struct SlotUse {
  std::string slot;  // "VALU"
  std::int64_t capacity = 0, used = 0;
};

struct Utilisation {
  std::int64_t bundles = 0;  // rows of the table
  std::vector<SlotUse> slots;
};

// ...-static-per-bundle-utilization.txt. Nothing where the text is no such table.
std::optional<Utilisation> read_utilisation(std::string_view text);

struct ScheduleTotals {
  std::int64_t total = 0, empty = 0;
};

// The first lines of ...-schedule-analysis_final_bundles.txt.
std::optional<ScheduleTotals> read_schedule(std::string_view text);

}  // namespace millrace::target
