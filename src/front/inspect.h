// SPDX-License-Identifier: Apache-2.0
// What a module says of itself, before anything runs.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "front/module_file.h"
#include "front/signature.h"

namespace millrace::front {

struct InspectedOperand {
  std::string name;  // "in0", "out0"
  std::string type;  // of the kernel's argument
  bool prefetch = false, windowed = false, element_window = false;
  int slots = 0;  // of a window, or of an operand that is staged as a whole
  std::vector<std::int64_t> block;
  std::string map;                      // "@transform_0"
  std::optional<Shape> smallest_array;  // that holds the blocks the map names
};

struct InspectedMemory {
  std::string name;  // "scratch0", "scoped1", "in0 window"
  std::string type, place;
  std::int64_t bytes = 0;  // -1: not known before the run
};

struct InspectedSite {
  std::string operation, place;
};

struct Inspection {
  std::string module, kernel, form, names;
  std::int64_t serde_version = 0;
  std::vector<std::int64_t> grid;  // mosaic::kDynamic where the caller gives it
  std::vector<std::string> semantics;
  std::vector<InspectedOperand> operands;
  std::vector<InspectedMemory> memories, semaphores;
  std::vector<InspectedSite> dmas;
  std::map<std::string, std::int64_t> operations;
  std::vector<std::string> unsupported;  // operations among them that do not run
  std::size_t kernel_operations = 0;
};

// `outputs`: how many of the operands are outputs; a StableHLO call knows.
Inspection inspect(const Kernel& kernel, std::size_t outputs);

std::string to_text(const Inspection& inspection);
nlohmann::ordered_json to_json(const Inspection& inspection);

}  // namespace millrace::front
