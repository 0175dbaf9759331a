// SPDX-License-Identifier: Apache-2.0
// Real executions through PJRT: on a TPU where there is one, and nowhere else. What ran is named by its own driver.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "target/tpu/child.h"
#include "target/tpu/library.h"

namespace millrace::target {

struct ProgramToRun {
  std::string name;  // letters, digits and _: names files
  std::string text;  // StableHLO
  std::vector<ArrayType> outputs;
};

struct MeasureRequest {
  Library library;
  Worker worker;
  std::string platform = "tpu";  // anything else is for tests of this path
  std::vector<ProgramToRun> programs =
      {};  // all take the same inputs, and are run in turn; none: only asks for the device
  std::vector<Array> inputs = {};
  int warm_ups = 5, samples = 0;  // samples 0: each runs once, untimed
};

struct Measured {
  std::string device_kind, platform, platform_version;
  std::int32_t api_minor = 0;
  std::vector<std::vector<Array>> outputs;        // by program
  std::vector<double> compile_seconds;            // by program
  std::vector<std::vector<double>> milliseconds;  // by program, by sample: one execution, awaited; inputs stay there
};

// Error(kUnsupported), one sentence, where there is no such device: nothing was run. Error(kFinding) where a program is
// refused or does not end well.
Measured measure(const MeasureRequest& request);

// find_libtpu for a run: Error(kUnsupported) says in the same words that there is no TPU.
Library library_to_run(const std::string& given);

// Whether a TPU is among the PCI devices (`bus` holds a folder for each, as Linux's /sys/bus/pci/devices).
bool tpu_on_the_bus(const std::filesystem::path& bus = "/sys/bus/pci/devices");

}  // namespace millrace::target
