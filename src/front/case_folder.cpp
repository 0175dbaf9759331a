// SPDX-License-Identifier: Apache-2.0
#include "front/case_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "millrace/error.h"

namespace millrace::front {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::kUser, what); }

Tensor tensor_of(const Json& json) {
  std::string name = json.at("dtype");
  if (name == "bool") name = "i1";
  const auto dtype = dtype_named(name);
  if (!dtype) throw Error(ErrorCode::kUnsupported, fmt::format("arrays of {} are not supported", name));
  Tensor tensor{*dtype, json.at("shape").get<Shape>()};
  element_count(tensor.shape);
  return tensor;
}

std::vector<CaseOperand> operands_of(const Json& json) {
  std::vector<CaseOperand> operands;
  for (const Json& o : json)
    operands.push_back({tensor_of(o), o.value("file", std::string()), o.value("unwritten", false)});
  return operands;
}

std::vector<Aliased> aliases_of(const Json& json, std::size_t inputs, std::size_t outputs) {
  std::vector<Aliased> aliases;
  for (const auto& [key, value] : json.items()) {
    std::uint32_t input = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), input);
    const auto output = value.get<std::uint32_t>();
    if (error != std::errc() || end != key.data() + key.size() || input >= inputs || output >= outputs)
      refuse(fmt::format("the alias {}: {} names no input and output of the case", key, value.dump()));
    aliases.push_back({input, output});
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
  c.cores = json.value("cores", std::int64_t{1});
  c.devices = json.value("devices", std::int64_t{1});
  c.bounds = json.value("dynamic_grid_bounds", std::size_t{0});
  c.inputs = operands_of(json.at("inputs"));
  c.outputs = operands_of(json.at("outputs"));
  c.aliases = aliases_of(json.value("aliases", Json::object()), c.inputs.size(), c.outputs.size());
  if (c.bounds > c.inputs.size()) refuse("dynamic_grid_bounds is more than there are inputs");
  if (json.contains("tolerance")) {
    c.rtol = json["tolerance"].value("rtol", 0.0);
    c.atol = json["tolerance"].value("atol", 0.0);
  }
  c.findings = json.value("findings", Json::array());
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
  const Json json = Json::parse(read_file(path), nullptr, false);
  if (json.is_discarded() || !json.is_object()) refuse(fmt::format("{} is no JSON object", path.string()));
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
