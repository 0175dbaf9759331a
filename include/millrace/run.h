// SPDX-License-Identifier: Apache-2.0
// Runs a kernel in the simulator, or checks it. Nothing here touches a real device, and nothing here is a measurement.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "millrace/array.h"
#include "millrace/kernel.h"
#include "millrace/report.h"

namespace millrace {

struct RunOptions {
  std::string chip = "v5e";  // whose DMAs are simulated: v4, v5e, v5p, v6e or tpu7x
  // Which legal order of events is simulated: "canonical", "eager" (a DMA moves as soon as it is started), "lazy" (as
  // late as a wait allows), "random:SEED" or "replay:FILE" (S3.7). A correct kernel gives the same bits under each.
  std::string schedule = "canonical";
  // When a DMA raises its semaphore: "progressive", as its bytes arrive, or "whole", once it is complete (S4.8).
  std::string dma_signal = "progressive";
  std::uint64_t max_steps = 1'000'000'000'000;  // instructions; then Error(kUser)
  bool detect_races = false;                    // run the race observer; see Results::races
  bool check_definedness = false;               // follow undefined data; see Results::undefined
  bool track_writers = false;                   // remember who wrote each output element last; see Results::writer
};

// Who wrote an output element last.
struct Writer {
  std::string where;                 // the place in the kernel's source
  std::string from;                  // the memory the bytes came from, "scoped2", or empty for a store
  std::optional<std::int64_t> slot;  // index along that memory's leading dimension, where it is a buffer of slots
  std::uint64_t nth = 0;             // which execution of that place, from 0
};

class MILLRACE_API Results {
 public:
  std::vector<Array> arrays;
  std::vector<Finding> races;      // with detect_races
  std::vector<Finding> undefined;  // with check_definedness: undefined data that matters, outputs not wholly written
  Work work;

  const Array& operator[](std::size_t i) const { return arrays.at(i); }
  operator Array() const;  // the only output; Error(kUser) where there are several
  // With track_writers: the last writer of the element at row-major position `flat`; empty where nobody wrote it.
  std::optional<Writer> writer(std::size_t output, std::int64_t flat) const;

  struct Writers;  // internal
  std::shared_ptr<const Writers> writers;
};

// Simulates `kernel` on `inputs`. Throws Error: kUser for wrong shapes or a kernel that breaks a stated rule,
// kFinding where the kernel deadlocks or leaves its memory, kUnsupported, kInternal.
MILLRACE_API Results run(const Kernel& kernel, const std::vector<Array>& inputs, const RunOptions& options = {});

// A kernel traced, verified and lowered once, to be run again and again on inputs of the same shapes and dtypes.
class MILLRACE_API Prepared {
 public:
  Prepared(const Kernel& kernel, const std::vector<Array>& like);
  Results run(const std::vector<Array>& inputs, const RunOptions& options = {}) const;
  Report check(const std::vector<Array>& inputs, const RunOptions& options = {}) const;  // as millrace::check

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

// One verdict on `kernel` for these inputs. A fault of the kernel is in the report, never thrown.
MILLRACE_API Report check(const Kernel& kernel, const std::vector<Array>& inputs, const RunOptions& options = {});

}  // namespace millrace
