// SPDX-License-Identifier: Apache-2.0
// Block specs against arrays: the checks that grid kernels and pipelines share.
#pragma once

#include <string>
#include <vector>

#include "dsl/view.h"
#include "millrace/block.h"

namespace millrace::dsl {

// The shape of a block of this array. Error(kUser) at the spec's place where it does not fit the array; `who` is
// "input 1 of softmax".
Shape block_shape(const BlockSpec& spec, const Shape& array, const std::string& who);

// The block that a grid point sees; one place for each dimension of the block.
std::vector<Index> block_at(const BlockSpec& spec, const std::vector<Index>& point, std::size_t rank,
                            const std::string& who);

// "input 1" or "output 0", counted from 0 in each group.
std::string operand_name(std::size_t i, std::size_t inputs);

}  // namespace millrace::dsl
