// SPDX-License-Identifier: Apache-2.0
// Loops over numbers of 16 bits, two to a word: what arithmetic sees of them, an f32 each, are the two halves of the
// word where they lie, so that nothing has to be spread out or packed.
#pragma once

#include "target/cpu/tiles.h"

namespace millrace::cpu {

// Whether a loop can go so: bf16 is computed, everything has 16 bits and lies one after the other, a row is whole
// vectors of words.
bool goes_in_pairs(const Plan& plan, const Recipe& recipe, unsigned bytes, const Layout& target,
                   const std::vector<Layout>& leaves);
// `addresses`: of the leaves, then of the target.
void write_pairs(const Plan& plan, const Recipe& recipe, const Layout& target, const std::vector<Layout>& leaves,
                 const std::vector<mlir::Value>& addresses, const std::vector<mlir::Value>& scalars,
                 mlir::OpBuilder& builder, mlir::Location at);

}  // namespace millrace::cpu
