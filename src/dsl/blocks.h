// SPDX-License-Identifier: Apache-2.0
// Block specs against arrays: the checks that grid kernels and pipelines share.
#pragma once

#include <string>
#include <vector>

#include "dsl/view.h"
#include "millrace/block.h"

namespace millrace::dsl {

// The shape of a block of this array, 1 where it is squeezed. Error(kUser) at the spec's place where it does not fit
// the array; `who` is "input 1 of softmax".
Shape block_shape(const BlockSpec& spec, const Shape& array, const std::string& who);

bool is_squeezed(const BlockSpec& spec, std::size_t axis);
// What the body sees of a block: without the squeezed dimensions.
Shape window_shape(const BlockSpec& spec, const Shape& block);
Ref squeezed(const BlockSpec& spec, const Ref& block);

// The block that a grid point sees; one place for each dimension of the block. `scalars` are what a map takes after
// its indices.
std::vector<Index> block_at(const BlockSpec& spec, const std::vector<Index>& point, const std::vector<Ref>& scalars,
                            std::size_t rank, const std::string& who);

// "input 1" or "output 0", counted from 0 in each group.
std::string operand_name(std::size_t i, std::size_t inputs);

}  // namespace millrace::dsl
