// SPDX-License-Identifier: Apache-2.0
#include "target/tpu/stablehlo_call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "millrace/error.h"

namespace millrace::target {

namespace {

std::string tensor_type(const Tensor& tensor) {
  std::string text = "tensor<";
  for (std::int64_t n : tensor.shape) text += fmt::format("{}x", n);
  return text + std::string(tensor_element(tensor.element)) + ">";
}

// Row-major: the last dimension changes fastest.
std::string layout(const Tensor& tensor) {
  const std::size_t rank = tensor.shape.size();
  if (rank == 0) return "dense<> : tensor<0xindex>";
  std::string order;
  for (std::size_t d = rank; d-- > 0;) order += fmt::format("{}{}", d, d ? ", " : "");
  return fmt::format("dense<[{}]> : tensor<{}xindex>", order, rank);
}

template <class F>
std::string listed(const std::vector<Tensor>& tensors, F&& f) {
  std::string text;
  for (std::size_t i = 0; i < tensors.size(); ++i) text += (i ? ", " : "") + f(i);
  return text;
}

std::string config_of(const KernelCall& call) {
  nlohmann::ordered_json config = nlohmann::ordered_json::object();
  if (!call.settings.empty()) config = nlohmann::ordered_json::parse(call.settings, nullptr, false);
  if (!config.is_object()) throw Error(ErrorCode::kUser, "the backend_config of this call is no JSON object");
  auto& inner = config["custom_call_config"];
  inner["body"] = encode_base64(call.body);
  inner["serialization_format"] = 1;
  inner["needs_layout_passes"] = true;
  return config.dump();
}

// A string of MLIR's: quotes, backslashes and what does not print as \XX.
std::string mlir_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 32 || byte > 126 || c == '"' || c == '\\')
      result += fmt::format("\\{:02X}", byte);
    else
      result += c;
  }
  return result + "\"";
}

std::string alias_list(const KernelCall& call) {
  if (call.aliases.empty()) return "";
  std::vector<std::string> entries;
  for (const auto& a : call.aliases)
    entries.push_back(
        fmt::format("#stablehlo.output_operand_alias<output_tuple_indices = [{}], operand_index = {}, "
                    "operand_tuple_indices = []>",
                    call.results.size() > 1 ? std::to_string(a.result) : "", a.operand));
  return fmt::format(", output_operand_aliases = [{}]", fmt::join(entries, ", "));
}

}  // namespace

std::string_view tensor_element(mosaic::Element element) {
  using mosaic::Element;
  switch (element) {
    case Element::kF32: return "f32";
    case Element::kBF16: return "bf16";
    case Element::kF16: return "f16";
    case Element::kF8E5M2: return "f8E5M2";
    case Element::kF8E4M3FN: return "f8E4M3FN";
    case Element::kF8E4M3B11FNUZ: return "f8E4M3B11FNUZ";
    case Element::kF64: return "f64";
    case Element::kI1: return "i1";
    case Element::kI2: return "i2";
    case Element::kI4: return "i4";
    case Element::kI8: return "i8";
    case Element::kI16: return "i16";
    case Element::kI32: return "i32";
    case Element::kI64: return "i64";
    default:
      throw Error(ErrorCode::kUnsupported, "an index or a semaphore as an operand of a kernel: no array has such");
  }
}

std::string call_name(std::string_view kernel_name) {
  std::string name;
  for (const char c : kernel_name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    if (name.size() < 60) name += plain ? c : '_';
  }
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "kernel_" + name;
  return name;
}

std::string encode_base64(std::string_view bytes) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) word = word << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= n ? kDigits[word >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string stablehlo_of(const KernelCall& call) {
  const std::size_t results = call.results.size();
  const auto type_of = [](const std::vector<Tensor>& t) { return [&](std::size_t i) { return tensor_type(t[i]); }; };
  const auto layout_of = [](const std::vector<Tensor>& t) { return [&](std::size_t i) { return layout(t[i]); }; };
  const std::string name = call_name(call.kernel_name);
  const std::string parameters =
      listed(call.operands, [&](std::size_t i) { return fmt::format("%arg{}: {}", i, tensor_type(call.operands[i])); });
  const std::string arguments = listed(call.operands, [](std::size_t i) { return fmt::format("%arg{}", i); });
  const std::string operand_types = listed(call.operands, type_of(call.operands));
  const std::string result_types = listed(call.results, type_of(call.results));
  const std::string returned = results == 1 ? result_types : "(" + result_types + ")";
  const std::string values =
      listed(call.results, [&](std::size_t i) { return results == 1 ? std::string("%0") : fmt::format("%0#{}", i); });
  std::string text = fmt::format(
      "module @{} attributes {{mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32}} {{\n"
      "  func.func public @main({}) -> {} {{\n",
      name, parameters, returned);
  text += results == 0 ? "    " : results == 1 ? "    %0 = " : fmt::format("    %0:{} = ", results);
  text += fmt::format(
      "stablehlo.custom_call @tpu_custom_call({}) {{backend_config = {}, kernel_name = {}, operand_layouts = [{}], "
      "result_layouts = [{}]{}}} : ({}) -> {} loc({})\n",
      arguments, mlir_string(config_of(call)), mlir_string(name), listed(call.operands, layout_of(call.operands)),
      listed(call.results, layout_of(call.results)), alias_list(call), operand_types, returned, mlir_string(name));
  text += results == 0 ? "    return\n" : fmt::format("    return {} : {}\n", values, result_types);
  return text + "  }\n}\n";
}

}  // namespace millrace::target
