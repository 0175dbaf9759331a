// SPDX-License-Identifier: Apache-2.0
// What the tests of the language share: tracing a body, its module as text, and the sentence of a refusal.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dsl/trace.h"
#include "millrace/language.h"

namespace millrace::test {

// The module of a kernel of whole arrays, verified.
std::shared_ptr<const mosaic::Module> module_of(const Kernel& kernel, const std::vector<dsl::Operand>& inputs);

// Traces a body that sees one f32 vector in VMEM, (8, 128), and an output of the same kind; gives the module's text.
std::string text_of(const std::function<void(Ref, Ref)>& body);

// The operations of the kernel's function, regions included, in order.
std::vector<std::string> operations_of(const mosaic::Module& module);
std::size_t count(const mosaic::Module& module, const std::string& operation);

// The user error that tracing this body ends with, "file.cpp:12: sentence"; "no error" where there is none.
std::string refusal(const std::function<void(Ref, Ref)>& body);
std::string refusal_of(const std::function<void()>& action);

// "traced_test.cpp:12: " for the line of the call.
std::string here(Site at = Site::current());

}  // namespace millrace::test
