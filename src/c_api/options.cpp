// SPDX-License-Identifier: Apache-2.0
#include "c_api/options.h"

#include <fmt/format.h>

#include <functional>
#include <limits>
#include <map>

#include "front/json_text.h"
#include "machine/choice.h"

namespace millrace::c_api {

namespace {

using nlohmann::json;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::kUser, what); }

std::string text_of(const json& value, const std::string& name) {
  if (!value.is_string()) refuse(fmt::format("option {} is no text", name));
  return value.get<std::string>();
}

bool flag_of(const json& value, const std::string& name) {
  if (!value.is_boolean()) refuse(fmt::format("option {} is true or false", name));
  return value.get<bool>();
}

std::int64_t count_of(const json& value, const std::string& name, std::int64_t least, std::int64_t most) {
  return front::integer_of(value, "option " + name, least, most);
}

Check check_of(const std::string& word) {
  if (word == "all") return Check::kAll;
  if (word == "races") return Check::kRaces;
  if (word == "none") return Check::kNone;
  refuse(fmt::format("option check is all, races or none, not `{}`", word));
}

std::vector<front::Aliased> aliases_of(const json& value) {
  std::vector<front::Aliased> aliases;
  if (!value.is_array()) refuse("option aliases is a list of [input, output]");
  for (const json& pair : value) {
    if (!pair.is_array() || pair.size() != 2) refuse("option aliases is a list of [input, output]");
    constexpr std::int64_t kMostOperands = 1 << 16;
    const auto number = [&](int i) {
      return static_cast<std::uint32_t>(front::integer_of(pair[i], "option aliases", 0, kMostOperands));
    };
    aliases.push_back({number(0), number(1)});
  }
  return aliases;
}

std::vector<std::string> names_of(const json& value, const std::string& option) {
  std::vector<std::string> names;
  if (!value.is_array()) refuse(fmt::format("option {} is a list of names", option));
  for (const json& name : value) names.push_back(name.is_null() ? "" : text_of(name, option));
  return names;
}

using Setter = std::function<void(Options&, const json&)>;

std::map<std::string, Setter, std::less<>> text_setters() {
  return {
      {"name", [](Options& o, const json& v) { o.name = text_of(v, "name"); }},
      {"pick", [](Options& o, const json& v) { o.request.kernel.pick = text_of(v, "pick"); }},
      {"chip", [](Options& o, const json& v) { o.request.kernel.chip = text_of(v, "chip"); }},
      {"schedule", [](Options& o, const json& v) { o.request.kernel.schedule = text_of(v, "schedule"); }},
      {"dma_signal", [](Options& o, const json& v) { o.request.kernel.dma_signal = text_of(v, "dma_signal"); }},
      {"check", [](Options& o, const json& v) { o.check = check_of(text_of(v, "check")); }},
      {"root", [](Options& o, const json& v) { o.root = text_of(v, "root"); }},
      {"explore", [](Options& o, const json& v) { o.request.explore = flag_of(v, "explore"); }},
      {"rules", [](Options& o, const json& v) { o.request.rules = flag_of(v, "rules"); }},
      {"aliases", [](Options& o, const json& v) { o.request.kernel.wish.aliases = aliases_of(v); }},
      {"arguments", [](Options& o, const json& v) { o.arguments = names_of(v, "arguments"); }},
      {"scoped", [](Options& o, const json& v) { o.scoped = names_of(v, "scoped"); }},
      {"scoped_semaphores", [](Options& o, const json& v) { o.scoped_semaphores = names_of(v, "scoped_semaphores"); }},
  };
}

std::map<std::string, Setter, std::less<>> number_setters() {
  using front::kMostCores;
  using front::kMostDevices;
  const auto unsigned_of = [](const json& v, const char* name) {
    return static_cast<std::uint64_t>(count_of(v, name, 1, kMost));
  };
  return {
      {"outputs",
       [](Options& o, const json& v) {
         o.request.kernel.wish.outputs = static_cast<std::size_t>(count_of(v, "outputs", 0, 1 << 16));
       }},
      {"devices",
       [](Options& o, const json& v) { o.request.kernel.devices = count_of(v, "devices", 1, kMostDevices); }},
      {"cores", [](Options& o, const json& v) { o.request.kernel.cores = count_of(v, "cores", 1, kMostCores); }},
      {"max_steps", [=](Options& o, const json& v) { o.request.kernel.max_steps = unsigned_of(v, "max_steps"); }},
      {"max_bytes", [=](Options& o, const json& v) { o.request.kernel.max_bytes = unsigned_of(v, "max_bytes"); }},
      {"max_classes", [=](Options& o, const json& v) { o.request.max_classes = unsigned_of(v, "max_classes"); }},
  };
}

}  // namespace

std::string_view name_of(Check check) {
  return check == Check::kAll ? "all" : check == Check::kRaces ? "races" : "none";
}

Options options_of(const json& options) {
  static const auto texts = text_setters(), numbers = number_setters();
  Options result;
  for (const auto& [name, value] : options.items()) {
    const auto text = texts.find(name), number = numbers.find(name);
    if (text == texts.end() && number == numbers.end()) refuse(fmt::format("there is no option `{}`", name));
    (text == texts.end() ? number : text)->second(result, value);
  }
  const front::KernelRequest& kernel = result.request.kernel;
  front::require_machine(kernel.target, kernel.chip, kernel.dma_signal, kernel.cores, kernel.devices);
  machine::choice_named(kernel.schedule);
  return result;
}

}  // namespace millrace::c_api
