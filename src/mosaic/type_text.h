// SPDX-License-Identifier: Apache-2.0
// The names that elements and memory spaces have in MLIR's text.
#pragma once

#include <optional>
#include <string_view>

#include "mosaic/ir.h"

namespace millrace::mosaic {

std::string_view name_of(Element element);    // "f32", "!tpu.semaphore", ...
std::string_view name_of(MemorySpace space);  // "vmem", "semaphore_mem", ...
std::optional<MemorySpace> memory_space_named(std::string_view name);
bool is_float(Element element);
int bits_of(Element element);  // index counts 64; 0 for semaphores

// Dimensions as people write them: "8x128", "8x?"; "" for rank 0.
std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace millrace::mosaic
