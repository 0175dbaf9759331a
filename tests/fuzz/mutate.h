// SPDX-License-Identifier: Apache-2.0
// Changes of a file that keep most of its structure: cut, flipped, spliced. What they make is read as deep as possible
// before it is refused.
#pragma once

#include <string>
#include <string_view>

#include "random.h"

namespace millrace::fuzz {

// Any bytes: flipped, cut, repeated, or mixed with a piece of `other`.
std::string mutate_bytes(std::string_view bytes, std::string_view other, Random& random);

// MLIR bytecode: a string, an attribute, a type or a number of an operation changes, or a section is cut, doubled or
// taken from `other`; lengths and counts are then stated anew, mostly. Bytes that are no bytecode: mutate_bytes.
std::string mutate_bytecode(std::string_view bytes, std::string_view other, Random& random);

// Text, MLIR's or JSON: lines are dropped, doubled, swapped or taken from `other`; a word, number, name or bracketed
// piece is replaced by another one; brackets pile up.
std::string mutate_text(std::string_view text, std::string_view other, Random& random);

// A text that holds modules in base64: as text, or one of the modules as bytecode.
std::string mutate_call(std::string_view text, std::string_view other, Random& random);

// A module that still verifies, in the form it came in: an operand, an attribute, a type or an operation is another.
// Bytes that are no module come back as they are.
std::string mutate_tree(std::string_view bytes, Random& random);

// Bytecode or text, told apart by the magic; one time in three by its tree.
std::string mutate_module(std::string_view bytes, std::string_view other, Random& random);

std::string encode_base64(std::string_view bytes);

}  // namespace millrace::fuzz
