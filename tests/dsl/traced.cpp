// SPDX-License-Identifier: Apache-2.0
#include "traced.h"

#include <algorithm>

#include <fmt/format.h>

#include "mosaic/io.h"

namespace millrace::test {
namespace {

void collect(const mosaic::Region& region, std::vector<std::string>& names) {
  for (const auto& op : region.ops) {
    names.push_back(op.name);
    for (const auto& inner : op.regions) collect(inner, names);
  }
}

Kernel one_to_one(const std::function<void(Ref, Ref)>& body) {
  return kernel("k", {vmem(f32, {8, 128})}, {vmem(f32, {8, 128})}, [body](Ref x, Ref out) { body(x, out); });
}

}  // namespace

std::shared_ptr<const mosaic::Module> module_of(const Kernel& kernel, const std::vector<dsl::Operand>& inputs) {
  auto traced = dsl::trace(kernel, inputs);
  mosaic::verify_module(*traced.module);
  return traced.module;
}

std::string text_of(const std::function<void(Ref, Ref)>& body) {
  auto traced = dsl::trace(one_to_one(body), {{f32, {8, 128}}});
  return mosaic::write_module(*traced.module, {mosaic::Form::kText, mosaic::Names::kPlain, 9, false});
}

std::vector<std::string> operations_of(const mosaic::Module& module) {
  std::vector<std::string> names;
  collect(module.kernel()->body, names);
  return names;
}

std::size_t count(const mosaic::Module& module, const std::string& operation) {
  auto names = operations_of(module);
  return static_cast<std::size_t>(std::count(names.begin(), names.end(), operation));
}

std::string refusal(const std::function<void(Ref, Ref)>& body) {
  return refusal_of([&] { dsl::trace(one_to_one(body), {{f32, {8, 128}}}); });
}

std::string refusal_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code() == ErrorCode::kUser ? error.what() : fmt::format("not the user's: {}", error.what());
  }
  return "no error";
}

std::string here(Site at) {
  std::string file = at.file_name();
  return fmt::format("{}:{}: ", file.substr(file.find_last_of('/') + 1), at.line());
}

}  // namespace millrace::test
