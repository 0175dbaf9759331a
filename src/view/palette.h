// SPDX-License-Identifier: Apache-2.0
// Colours and patterns. A slot is told apart three ways at once: the colour of its buffer, the pattern of its number,
// its label. Text stands on tints light (or, in the dark form, dark) enough for a contrast of 4.5 to 1, outlines for 3
// to 1.
#pragma once

#include <cstdint>
#include <string>

namespace millrace::view {

inline constexpr std::uint32_t kColours = 8, kPatterns = 4;

struct Colour {
  const char* line;  // outlines and stripes, on the page's ground
  const char* tint;  // below text
};
Colour colour_of(std::uint32_t letter, bool dark);

// "s-3-1": the class and pattern of slot 1 of the buffer D.
std::string class_of(std::uint32_t letter, std::uint32_t slot);

// Number of a letter: A 0, B 1, ..., Z 25, AA 26.
std::uint32_t number_of(const std::string& letter);

// <pattern> elements and the style sheet that all pictures share, light with a dark form for who prefers it.
std::string patterns();
std::string style();

}  // namespace millrace::view
