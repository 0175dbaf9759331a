// SPDX-License-Identifier: Apache-2.0
// Reading, verifying and writing Mosaic modules. Nothing of MLIR shows here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mosaic/ir.h"

namespace millrace::mosaic {

enum class Form { kText, kBytecode };  // text is MLIR's generic form, which any reader takes
enum class Names { kPlain, kStable };  // kStable: every operation under `stable_mosaic.`, as JAX serialises

struct WriteOptions {
  Form form = Form::kBytecode;
  Names names = Names::kStable;
  int serde_version = 9;
  bool locations = true;
};

// Text or bytecode (told apart by the magic), plain or stable names, upgraded to the operations of version 9 and
// verified. `name` stands in messages. Throws Error(kUser) with line and column where it does not parse or verify,
// Error(kUnsupported) for a serde version or construct that is not read.
Module read_module(std::string_view bytes, const std::string& name);

// How a module was written, before it was read.
struct Origin {
  Form form = Form::kText;
  Names names = Names::kPlain;
  std::int64_t serde_version = 0;  // of stable names
};
Module read_module(std::string_view bytes, const std::string& name, Origin& origin);

// Throws as read_module does; what it accepts, the verifiers of every operation accept.
void verify_module(const Module& module);

// Every operation that a module may hold, sorted: those of the dialects that are read.
std::vector<std::string> operation_names();

// Verifies, then writes. Bytecode is of MLIR's format version 0, which JAX and libtpu read.
std::string write_module(const Module& module, const WriteOptions& options = {});

}  // namespace millrace::mosaic
