// SPDX-License-Identifier: Apache-2.0
// Skeletons of several cores, explored as one piece.
#pragma once

#include "explore/explore.h"

namespace millrace::explore {

Result explore_several(const Skeleton& skeleton, const Options& options);

}  // namespace millrace::explore
