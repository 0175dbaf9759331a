// SPDX-License-Identifier: Apache-2.0
// What a picture says in words; the same words in text, SVG and HTML.
#pragma once

#include <string>
#include <vector>

#include "plan/digits.h"
#include "timing/timeline.h"

namespace millrace::view {

std::string time_text(timing::Time picoseconds);  // "0", "640 ps", "12.5 ns", "1.25 us", "3.4 ms", "2 s"

// "modeled for v5e (820 GB/s, DMA latency 0.6 us); not measured", or which device was measured.
std::string basis(const timing::Timeline& t);

// What limits the run, how much overlaps, a step simulated and in theory, what was left out: a sentence each.
std::vector<std::string> summary(const timing::Timeline& t);

// Everything about a bar, for its title: "A0: load in0, block (0, 1), 4,096 bytes, 0 to 605 ns; at k.py:12".
std::string about(const timing::Timeline& t, timing::Index bar);
std::string about(const timing::Timeline& t, const timing::Tenancy& life);

// "race.read-write: scratch0[0:8, 0:128]: ... (in all schedules)"
std::string sentence(const timing::Fault& fault);
std::string sentence(const timing::Timeline& t, const timing::Moment& moment);  // "core read at a.py:3, at 1.2 us"

// Where a picture of all of it ends: the end of the run, and room for waits that are never met.
timing::Time drawn_end(const timing::Timeline& t);

// Whose something is, where there are several: "core 1", "device 0", "device 0, core 1"; else empty.
std::string owner_of(const timing::Timeline& t, int device, int core);

// What may stand in a bar or beside it, the longest first: "A0 (0, 1), step (0, 2)", "A0 (0, 1)", "A0"; of a wait that
// is never met what it lacks. A picture takes the first for which there is room.
std::vector<std::string> labels_of(const timing::Timeline& t, const timing::Bar& bar);

// The same of a moment of the finding with this number, counted from 1: "1 core read, scratch0[0:8, 0:128]", "1 core
// read", "1".
std::vector<std::string> labels_of(const timing::Fault& fault, std::size_t number, const timing::Moment& moment);

using plan::grouped;

}  // namespace millrace::view
