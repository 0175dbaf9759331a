// SPDX-License-Identifier: Apache-2.0
#include "front/stablehlo.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "front/base64.h"
#include "front/json_text.h"
#include "front/mlir_text.h"

namespace millrace::front {

namespace {

constexpr std::string_view kOperations[] = {"stablehlo.custom_call", "mhlo.custom_call"};
constexpr std::string_view kTarget = "tpu_custom_call";

// A call as it stands in the text; what is in it is looked at only where it is picked.
struct Found {
  int line = 0;
  std::string kernel_name, config;
  std::string_view aliases, operands, results;
};

[[noreturn]] void refuse(const std::string& name, int line, const std::string& what) {
  throw Error(ErrorCode::kUser, fmt::format("{}:{}: {}", name, line, what));
}

std::string unquoted(std::string_view text) {
  const auto value = Cursor(text).string();
  return value.value_or(std::string());
}

using Attributes = std::map<std::string, std::string_view>;

// Both dictionaries of a call, in the generic form <{...}> and {...}.
Attributes dictionaries(Cursor& cursor, const std::string& name, int line) {
  Attributes all;
  for (int i = 0; i < 2; ++i) {
    const bool properties = cursor.take("<");
    cursor.skip_space();
    if (cursor.peek() != '{') break;
    const auto inside = cursor.bracketed('{');
    const auto attributes = inside ? attributes_of(*inside) : std::nullopt;
    if (!attributes || (properties && !cursor.take(">")))
      refuse(name, line, "the attributes of this call do not parse");
    all.insert(attributes->begin(), attributes->end());
  }
  return all;
}

std::string_view value_in(const Attributes& attributes, const std::string& key) {
  const auto found = attributes.find(key);
  return found == attributes.end() ? std::string_view() : found->second;
}

// Reads a call from behind the operation's name; nothing where it calls something else.
std::optional<Found> read_call(Cursor& cursor, const std::string& name, int line) {
  std::string target;
  if (cursor.take("@")) {
    if (auto quoted = cursor.string())
      target = *quoted;
    else
      target = cursor.identifier().value_or("");
    if (target != kTarget) return {};
  }
  if (!cursor.bracketed('(')) refuse(name, line, "the operands of this call do not parse");
  const Attributes attributes = dictionaries(cursor, name, line);
  if (target.empty()) {
    const std::string_view value = value_in(attributes, "call_target_name");
    target = value.starts_with('@') ? std::string(value.substr(1)) : unquoted(value);
    if (target != kTarget) return {};
  }
  Found call{line,
             unquoted(value_in(attributes, "kernel_name")),
             unquoted(value_in(attributes, "backend_config")),
             value_in(attributes, "output_operand_aliases"),
             {},
             {}};
  std::optional<std::string_view> operands, results;
  if (cursor.take(":")) operands = cursor.bracketed('(');
  if (operands && cursor.take("->")) {
    cursor.skip_space();
    if (cursor.peek() == '(') {
      results = cursor.bracketed('(');
    } else if (cursor.take("tuple")) {
      results = cursor.bracketed('<');
    } else {
      const std::size_t begin = cursor.at();
      const std::string_view from = cursor.rest();
      if (cursor.take("tensor") && cursor.bracketed('<')) results = from.substr(0, cursor.at() - begin);
    }
  }
  if (!results) refuse(name, line, "the types of this call do not parse: `: (tensor<...>) -> tensor<...>` is due");
  call.operands = *operands, call.results = *results;
  return call;
}

// The operation's name at the cursor, alone or in quotes.
bool take_operation(Cursor& cursor) {
  for (std::string_view operation : kOperations) {
    for (const std::string& form : {std::string(operation), fmt::format("\"{}\"", operation)}) {
      if (!cursor.rest().starts_with(form)) continue;
      cursor.take(form);
      return true;
    }
  }
  return false;
}

std::vector<Found> all_calls(std::string_view text, const std::string& name) {
  std::vector<Found> calls;
  Cursor cursor(text);
  std::size_t counted = 0;
  int line = 1;
  while (!cursor.done()) {
    const char c = cursor.peek();
    if ((c == 's' || c == 'm' || c == '"') && take_operation(cursor)) {
      line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                          text.begin() + static_cast<std::ptrdiff_t>(cursor.at()), '\n'));
      counted = cursor.at();
      if (auto call = read_call(cursor, name, line)) calls.push_back(std::move(*call));
    } else {
      cursor.step();
    }
  }
  return calls;
}

std::optional<DType> element_of(std::string_view element) {
  if (element == "f32" || element == "bf16" || element == "f16" || element == "i1") return dtype_named(element);
  if (element == "i4") return DType::i8;  // a byte each
  for (std::string_view bits : {"8", "16", "32"}) {
    if (element == fmt::format("i{}", bits)) return dtype_named(element);
    if (element == fmt::format("ui{}", bits)) return dtype_named(fmt::format("u{}", bits));
  }
  if (element == "i4") return DType::i8;  // a byte each
  if (element == "ui4") return DType::u8;
  for (std::string_view f8 : {"f8E5M2", "f8E4M3FN", "f8E4M3B11FNUZ"})
    if (element == f8) return DType::u8;  // their bits
  return {};
}

Tensor tensor_of(std::string_view text, const std::string& name, int line) {
  const std::string_view whole = text;
  if (!text.starts_with("tensor<") || !text.ends_with('>')) refuse(name, line, fmt::format("{} is no tensor", text));
  text = text.substr(7, text.size() - 8);
  Tensor tensor;
  for (std::size_t x; (x = text.find('x')) != text.npos; text.remove_prefix(x + 1)) {
    std::int64_t n = 0;
    if (text.starts_with('?'))
      throw Error(ErrorCode::kUnsupported, fmt::format("{}:{}: {} has a size that is not known before the run; export "
                                                       "with fixed shapes",
                                                       name, line, whole));
    const auto [end, error] = std::from_chars(text.data(), text.data() + x, n);
    if (error != std::errc() || end != text.data() + x) break;
    tensor.shape.push_back(n);
  }
  text = trimmed(text.substr(0, text.find(',')));
  const auto element = element_of(text);
  if (!element)
    throw Error(ErrorCode::kUnsupported,
                fmt::format("{}:{}: arrays of {} are not supported; f32, bf16, f16, f8, i1 and "
                            "integers of 4, 8, 16 and 32 bits are",
                            name, line, whole));
  tensor.dtype = *element;
  element_count(tensor.shape);
  return tensor;
}

std::vector<Tensor> tensors_of(std::string_view text, const std::string& name, int line) {
  const auto types = list_of(text);
  if (!types) refuse(name, line, "the types of this call do not parse");
  std::vector<Tensor> result;
  for (std::string_view type : *types) result.push_back(tensor_of(type, name, line));
  return result;
}

std::optional<std::uint32_t> number_in(std::string_view text) {
  text = trimmed(text.substr(0, text.find(':')));  // `0 : i64`
  std::uint32_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return n;
}

// #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 2, operand_tuple_indices = []>
Aliased alias_of(std::string_view text, const CustomCall& call, const std::string& name) {
  const std::string sentence = fmt::format("the alias {} does not fit this call", text);
  const std::size_t open = text.find('<');
  if (open == text.npos || !text.ends_with('>')) refuse(name, call.line, sentence);
  const auto fields = attributes_of(text.substr(open + 1, text.size() - open - 2));
  if (!fields) refuse(name, call.line, sentence);
  const auto input = number_in(value_in(*fields, "operand_index"));
  std::string_view tuple = value_in(*fields, "output_tuple_indices");
  if (tuple.size() < 2) refuse(name, call.line, sentence);
  tuple = trimmed(tuple.substr(1, tuple.size() - 2));
  const auto output = tuple.empty() ? std::optional(0u) : number_in(tuple);
  if (!input || !output || *input >= call.operands.size() || *output >= call.results.size())
    refuse(name, call.line, sentence);
  return {*input, *output};
}

// Takes the body and what else stands in the configuration.
void read_config(const Found& found, const std::string& name, CustomCall& call) {
  auto json = parse_json_object(found.config, fmt::format("{}:{}: backend_config of this call", name, found.line));
  if (json.contains("device_type") && json["device_type"] == "DEVICE_TYPE_SPARSECORE")
    throw Error(ErrorCode::kUnsupported,
                fmt::format("{}:{}: kernels for the SparseCore are not supported", name, found.line));
  const auto config = json.find("custom_call_config");
  if (config == json.end() || !config->is_object() || !config->contains("body") || !(*config)["body"].is_string())
    refuse(name, found.line, "backend_config of this call has no custom_call_config.body");
  auto body = decode_base64((*config)["body"].get<std::string>());
  if (!body) refuse(name, found.line, "custom_call_config.body of this call is no base64");
  call.body = std::move(*body);
  config->erase("body");
  call.settings = json.dump();
}

CustomCall opened(const Found& found, const std::string& name) {
  CustomCall call;
  call.kernel_name = found.kernel_name, call.line = found.line;
  read_config(found, name, call);
  call.operands = tensors_of(found.operands, name, found.line);
  call.results = tensors_of(found.results, name, found.line);
  if (found.aliases.empty()) return call;
  const auto inside = Cursor(found.aliases).bracketed('[');
  const auto aliases = inside ? list_of(*inside) : std::nullopt;
  if (!aliases) refuse(name, found.line, "output_operand_aliases of this call do not parse");
  for (std::string_view alias : *aliases) call.aliases.push_back(alias_of(alias, call, name));
  return call;
}

std::string listed(const std::vector<Found>& calls) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < calls.size() && i < 20; ++i)
    lines.push_back(fmt::format("{} ({}, line {})", i, calls[i].kernel_name.empty() ? "no name" : calls[i].kernel_name,
                                calls[i].line));
  if (calls.size() > 20) lines.push_back("...");
  return fmt::format("{}", fmt::join(lines, ", "));
}

}  // namespace

bool is_stablehlo(std::string_view text) {
  // Bytecode begins with MLïR; a Mosaic module cannot hold a custom call.
  if (text.starts_with("ML\xefR")) return false;
  for (std::string_view operation : kOperations)
    if (text.find(operation) != text.npos) return true;
  return false;
}

std::optional<std::int64_t> vmem_limit_of(const CustomCall& call) {
  constexpr int kVmem = 1;  // as the configuration numbers memories
  const nlohmann::json json = nlohmann::json::parse(call.settings, nullptr, false);
  if (!json.is_object() || !json.contains("scoped_memory_configs")) return {};
  for (const auto& memory : json["scoped_memory_configs"])
    if (memory.is_object() && memory.value("memory_space", nlohmann::json()) == kVmem && memory.contains("size") &&
        memory["size"].is_number_integer())
      return memory["size"].get<std::int64_t>();
  return {};
}

CustomCall find_custom_call(std::string_view text, const std::string& kernel, const std::string& name) {
  const std::vector<Found> calls = all_calls(text, name);
  if (calls.empty()) throw Error(ErrorCode::kUser, fmt::format("{} holds no call of {}", name, kTarget));
  std::vector<std::size_t> chosen;
  const auto number = number_in(kernel);
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (kernel.empty() || (number ? *number == i : calls[i].kernel_name == kernel)) chosen.push_back(i);
  if (chosen.size() == 1) return opened(calls[chosen[0]], name);
  const std::string there = fmt::format("{} holds {}", name, listed(calls));
  if (chosen.empty()) throw Error(ErrorCode::kUser, fmt::format("no kernel `{}`: {}", kernel, there));
  throw Error(ErrorCode::kUser, fmt::format("{} kernels{}; pick one by its number with --kernel: {}", chosen.size(),
                                            kernel.empty() ? "" : fmt::format(" are named `{}`", kernel), there));
}

}  // namespace millrace::front
