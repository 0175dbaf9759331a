// SPDX-License-Identifier: Apache-2.0
// How deep modules may nest, so that nothing that recurses over them runs out of stack.
#pragma once

#include <string>
#include <string_view>

namespace millrace::mosaic {

inline constexpr int kMaxRegionDepth = 256;   // regions within regions
inline constexpr int kMaxBracketDepth = 640;  // brackets of any kind in text: two a region, and the attributes'

// Error(kUser) with the line and column where text nests its brackets too deep, or holds an array attribute of index
// elements, before MLIR's parser sees it.
void check_text_nesting(std::string_view text, const std::string& name);

}  // namespace millrace::mosaic
