// SPDX-License-Identifier: Apache-2.0
#include "front/case_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

#include "front/json_text.h"
#include "millrace/error.h"

namespace millrace::front {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr std::int64_t kMost = std::int64_t{1} << 62;

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::kUser, what); }

// The array type that holds elements of this name: i4 and u4 take a byte each, f8 types are kept as their bits.
std::optional<DType> held_in(std::string_view name) {
  if (name == "bool") return DType::i1;
  if (name == "i4") return DType::i8;
  if (name == "u4") return DType::u8;
  for (std::string_view f8 : {"f8e5m2", "f8e4m3fn", "f8e4m3b11fnuz"})
    if (name == f8) return DType::u8;
  return dtype_named(name);
}

Tensor tensor_of(const Json& json) {
  const std::string name = json.at("dtype");
  const auto dtype = held_in(name);
  if (!dtype) throw Error(ErrorCode::kUnsupported, fmt::format("arrays of {} are not supported", name));
  Tensor tensor{*dtype, {}};
  for (const Json& n : json.at("shape")) tensor.shape.push_back(integer_of(n, "a dimension", 0, kMost));
  element_count(tensor.shape);
  return tensor;
}

std::vector<CaseOperand> operands_of(const Json& json) {
  std::vector<CaseOperand> operands;
  for (const Json& o : json) {
    CaseOperand operand{tensor_of(o), o.value("files", std::vector<std::string>()), o.value("unwritten", false)};
    if (const std::string file = o.value("file", std::string()); !file.empty()) operand.files = {file};
    operands.push_back(std::move(operand));
  }
  return operands;
}

std::vector<Aliased> aliases_of(const Json& json, std::size_t inputs, std::size_t outputs) {
  std::vector<Aliased> aliases;
  for (const auto& [key, value] : json.items()) {
    std::uint32_t input = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), input);
    const std::int64_t output = integer_of(value, "an alias", 0, std::numeric_limits<std::int32_t>::max());
    if (error != std::errc() || end != key.data() + key.size() || input >= inputs ||
        output >= static_cast<std::int64_t>(outputs))
      refuse(fmt::format("the alias {}: {} names no input and output of the case", key, value.dump()));
    aliases.push_back({input, static_cast<std::uint32_t>(output)});
  }
  return aliases;
}

// A clean kernel has no races, so its runs are all of one class.
ClassCounts classes_of(const Json& json, bool clean) {
  ClassCounts counts;
  if (clean) counts = {1, 0};
  if (json.contains("classes")) counts.complete = json["classes"].get<std::uint64_t>();
  if (json.contains("classes_deadlocked")) counts.deadlocked = json["classes_deadlocked"].get<std::uint64_t>();
  return counts;
}

CaseFolder case_of(const Json& json, const fs::path& folder) {
  CaseFolder c;
  c.folder = folder;
  c.name = json.at("name");
  const auto number = [&](const char* name, std::int64_t otherwise) {
    return json.contains(name) ? integer_of(json[name], name, 0, std::numeric_limits<std::int32_t>::max()) : otherwise;
  };
  c.chip = json.value("chip", "v5e");
  c.cores = number("cores", 1);
  c.devices = number("devices", 1);
  c.bounds = static_cast<std::size_t>(number("dynamic_grid_bounds", 0));
  c.inputs = operands_of(json.at("inputs"));
  c.outputs = operands_of(json.at("outputs"));
  c.aliases = aliases_of(json.value("aliases", Json::object()), c.inputs.size(), c.outputs.size());
  if (c.bounds > c.inputs.size()) refuse("dynamic_grid_bounds is more than there are inputs");
  if (json.contains("tolerance")) {
    c.rtol = json["tolerance"].value("rtol", 0.0);
    c.atol = json["tolerance"].value("atol", 0.0);
  }
  for (const auto* operands : {&c.inputs, &c.outputs})
    for (const CaseOperand& o : *operands)
      if (o.files.size() > 1 && o.files.size() != static_cast<std::size_t>(c.devices))
        refuse(fmt::format("{} files for {} devices", o.files.size(), c.devices));
  c.findings = json.value("findings", Json::array());
  if (!c.findings.is_array()) refuse("findings is no list");
  require_whole_numbers(c.findings, "findings");
  if (json.contains("whole_signals")) {
    c.whole_findings = json["whole_signals"].value("findings", Json::array());
    if (!c.whole_findings->is_array()) refuse("whole_signals.findings is no list");
    require_whole_numbers(*c.whole_findings, "whole_signals.findings");
  }
  const std::string verdict = json.value("verdict", c.findings.empty() ? "clean" : "faulty");
  if (verdict != "clean" && verdict != "faulty")
    refuse(fmt::format("verdict `{}` is neither clean nor faulty", verdict));
  c.faulty = verdict == "faulty";
  c.classes = c.whole_classes = classes_of(json, !c.faulty);
  if (json.contains("whole_signals")) {
    const Json& whole = json["whole_signals"];
    c.whole_classes = classes_of(whole, whole.value("verdict", verdict) == "clean");
  }
  return c;
}

}  // namespace

CaseFolder read_case_folder(const fs::path& folder) {
  const fs::path path = folder / "case.json";
  const Json json = parse_json_object(read_file(path), path.string());
  try {
    return case_of(json, folder);
  } catch (const Json::exception& fault) {
    refuse(fmt::format("{}: {}", path.string(), fault.what()));
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", path.string(), error.what()));
  }
}

std::vector<fs::path> case_folders(const std::vector<std::string>& paths) {
  std::vector<fs::path> folders;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) refuse(fmt::format("{} is no folder", path));
    if (fs::exists(fs::path(path) / "case.json", error)) {
      folders.emplace_back(path);
      continue;
    }
    std::vector<fs::path> below;
    for (fs::recursive_directory_iterator i(path, error), end; !error && i != end; i.increment(error))
      if (i->path().filename() == "case.json") below.push_back(i->path().parent_path());
    if (error) refuse(fmt::format("{} cannot be read: {}", path, error.message()));
    if (below.empty()) refuse(fmt::format("{} holds no case: neither it nor a folder below has a case.json", path));
    std::sort(below.begin(), below.end());
    folders.insert(folders.end(), below.begin(), below.end());
  }
  return folders;
}

}  // namespace millrace::front
