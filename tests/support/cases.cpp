// SPDX-License-Identifier: Apache-2.0
#include "cases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "mosaic/io.h"
#include "runs.h"

namespace millrace::test {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

DType dtype_of(const Json& operand) {
  const std::string name = operand.at("dtype");
  return name == "bool" ? i1 : dtype_named(name).value();
}

Array input_of(const fs::path& folder, const Json& operand) {
  const DType dtype = dtype_of(operand);
  const fs::path file = folder / operand.value("file", "none");
  if (!fs::exists(file)) return counted(dtype, operand.at("shape").get<Shape>());
  return read_npy(file, dtype == bf16 ? std::optional(dtype) : std::nullopt);
}

Side side_of(const Json& j) {
  Side s;
  s.access = j.at("access"), s.at = j.at("at"), s.nth = j.at("nth");
  return s;
}

std::vector<Range> box_of(const Json& json) {
  std::vector<Range> box;
  for (const Json& r : json) box.push_back({r[0], r[1], r.size() > 2 ? r[2].get<int>() : 1});
  return box;
}

std::string text_of(const std::vector<Range>& ranges) {
  event::Box box;
  box.rank = static_cast<int>(ranges.size());
  std::copy(ranges.begin(), ranges.end(), box.ranges.begin());
  return event::to_string(box);
}

std::string described_undefined(const Finding& f) {
  std::string text = fmt::format("{} {}", f.id, f.memory);
  if (f.second) text += fmt::format(" {} {} #{}", f.second->access, f.second->at, f.second->nth);
  if (f.id != "uncovered.output") text += fmt::format(" {} {}", f.at, text_of(f.box));
  if (f.id == "uncovered.output")
    for (const auto& b : f.boxes) text += " " + text_of(b);
  if (!f.grid_step.empty() || !f.block.empty())
    text += fmt::format(" step ({}) block ({})", fmt::join(f.grid_step, ", "), fmt::join(f.block, ", "));
  return text + " | " + f.schedules;
}

Finding finding_of(const Json& j) {
  Finding f;
  f.id = j.at("id"), f.memory = j.value("memory", ""), f.schedules = j.value("schedules", "");
  if (j.contains("same_memory")) f.memory = j["same_memory"].back();  // the output's name (S5.7)
  if (j.contains("first")) f.first = side_of(j["first"]);
  if (j.contains("second")) f.second = side_of(j["second"]);
  f.box = box_of(j.value("box", Json::array()));
  for (const Json& b : j.value("boxes", Json::array())) f.boxes.push_back(box_of(b));
  f.at = j.value("at", ""), f.block = j.value("block", Shape{}), f.grid_step = j.value("grid_step", Shape{});
  for (const Json& w : j.value("waiters", Json::array()))
    f.waiters.push_back({w.at("semaphore"), w.at("at"), w.at("nth"), w.value("core", 0), w.at("has"), w.at("needs")});
  return f;
}

}  // namespace

Case read_case(const fs::path& folder) {
  const Json j = Json::parse(bytes_of(folder / "case.json"));
  Case c;
  c.name = j.at("name");
  c.module = mosaic::read_module(bytes_of(folder / "kernel.mlirbc"), c.name);
  for (const Json& operand : j.at("inputs")) c.inputs.push_back(input_of(folder, operand));
  for (const Json& operand : j.at("outputs"))
    c.outputs.push_back({dtype_of(operand), operand.at("shape").get<Shape>()});
  const Json aliases = j.value("aliases", Json::object());
  for (const auto& [input, output] : aliases.items())
    c.environment.aliases.push_back({static_cast<std::uint32_t>(std::stoul(input)), output.get<std::uint32_t>()});
  for (const Json& f : j.value("findings", Json::array()))
    if (std::string line = described(finding_of(f)); !line.empty()) c.findings.push_back(line);
  std::sort(c.findings.begin(), c.findings.end());
  return c;
}

std::vector<fs::path> folders_in(const fs::path& parent) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(parent))
    if (entry.is_directory()) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::string described(const Finding& f) {
  if (f.id == "deadlock") {
    std::string text = f.id;
    for (const Waiter& w : f.waiters)
      text += fmt::format(" | core {} {} {} #{} has {} needs {}", w.core, w.semaphore, w.at, w.nth, w.has, w.needs);
    return text;
  }
  if (f.id == "uninitialized.read" || f.id == "padding.reduction" || f.id == "uncovered.output")
    return described_undefined(f);
  if (!f.id.starts_with("race.") || !f.first || !f.second) return "";
  return fmt::format("{} {} {} {} #{} | {} {} #{} | {} | {}", f.id, f.memory, f.first->access, f.first->at,
                     f.first->nth, f.second->access, f.second->at, f.second->nth, text_of(f.box), f.schedules);
}

}  // namespace millrace::test
