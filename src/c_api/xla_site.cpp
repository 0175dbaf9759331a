// SPDX-License-Identifier: Apache-2.0
#include "c_api/xla_site.h"

#include <fmt/format.h>

#include <functional>

#include "front/json_text.h"

namespace millrace::c_api {

namespace {

using nlohmann::json;

constexpr std::size_t kMostSites = 1024;

struct Known {
  std::string module, meta;
  std::shared_ptr<const XlaSite> site;
};

struct Sites {
  std::mutex mutex;
  std::multimap<std::size_t, Known> by_hash;
};

Sites& sites() {
  static Sites* const instance = new Sites;  // threads of XLA may outlive static objects
  return *instance;
}

std::shared_ptr<const XlaSite> find(Sites& all, std::size_t hash, std::string_view module, std::string_view meta) {
  const std::lock_guard lock(all.mutex);
  const auto [begin, end] = all.by_hash.equal_range(hash);
  for (auto at = begin; at != end; ++at)
    if (at->second.meta == meta && at->second.module == module) return at->second.site;
  return {};
}

XlaSite site_of(std::string_view module, std::string_view meta) {
  const json whole = front::parse_json_object(meta, "the attribute meta of the call");
  const json& call = whole.at("call");
  XlaSite site;
  site.call = call.at("id").get<std::int64_t>();
  site.devices = call.value("devices", std::int64_t{1});
  site.together = call.value("together", false) && site.devices > 1;
  const std::string on_finding = call.value("on_finding", "");
  if (!on_finding.empty()) site.raise = on_finding == "raise";
  site.caller.kernel = call.value("kernel", "kernel");
  site.caller.kernel_at = call.value("kernel_at", "");
  site.caller.called_at = call.value("called_at", std::vector<std::string>());
  site.caller.devices = site.devices;
  site.caller.asks_for_races = call.value("asks_for_races", true);
  json options = whole.at("options");
  if (site.together) options["devices"] = site.devices;
  site.caller.chip = options.value("chip", "v5e"), site.caller.check = options.value("check", "all");
  try {
    site.module = Module::open(module, options.dump());
    if (site.devices == 1 || site.together || !site.module->asks_for_device()) return site;
    site.together = true;
    options["devices"] = site.devices;
    site.module = Module::open(module, options.dump());
  } catch (const Error& error) {
    site.unreadable = error;
  }
  return site;
}

}  // namespace

std::shared_ptr<const XlaSite> xla_site(std::string_view module, std::string_view meta) {
  const std::hash<std::string_view> hash_of;
  const std::size_t hash = hash_of(module) * 31 + hash_of(meta);
  Sites& all = sites();
  if (auto found = find(all, hash, module, meta)) return found;
  std::shared_ptr<const XlaSite> site;
  try {
    site = std::make_shared<const XlaSite>(site_of(module, meta));
  } catch (const json::exception& error) {
    throw Error(ErrorCode::kInternal, fmt::format("the attribute meta of the call: {}", error.what()));
  }
  const std::lock_guard lock(all.mutex);
  if (all.by_hash.size() >= kMostSites) all.by_hash.clear();
  all.by_hash.emplace(hash, Known{std::string(module), std::string(meta), site});
  return site;
}

}  // namespace millrace::c_api
