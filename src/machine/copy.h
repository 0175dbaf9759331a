// SPDX-License-Identifier: Apache-2.0
// Moves the elements of views, in runs that are as long as both sides allow.
#pragma once

#include <cstddef>

#include "machine/view.h"

namespace millrace::machine {

// Row-major elements of the view's shown dimensions <-> a dense tile.
void load(const View& from, std::byte* tile);
// Where the elements lie as the tile would: their address; null where they do not.
const std::byte* as_tile(const View& from);
void store(const std::byte* tile, const View& to);
void store_masked(const std::byte* tile, const std::byte* mask, const View& to);  // mask: one byte an element

// View to view of the same shown shape. Elements of the source that lie in tile padding arrive as poison; those of the
// target that do are dropped.
void copy(const View& from, const View& to);

}  // namespace millrace::machine
