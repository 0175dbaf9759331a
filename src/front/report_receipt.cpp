// SPDX-License-Identifier: Apache-2.0
#include "front/report_receipt.h"

#include <fmt/format.h>

#include <algorithm>

#include "array/sha256.h"
#include "front/module_file.h"
#include "millrace/error.h"
#include "mosaic/io.h"

namespace millrace::front {

using Json = nlohmann::ordered_json;

namespace {

Json inputs_json(const LoadedKernel& loaded, std::int64_t devices) {
  Json inputs = Json::array();
  const std::size_t each = loaded.inputs.size() / static_cast<std::size_t>(std::max<std::int64_t>(devices, 1));
  for (std::size_t i = 0; i < loaded.inputs.size(); ++i) {
    const Array& a = loaded.inputs[i];
    const std::string name = fmt::format("in{}", i % each);
    inputs.push_back({{"name", devices > 1 ? fmt::format("device {}: {}", i / each, name) : name},
                      {"dtype", name_of(a.dtype())},
                      {"shape", a.shape()},
                      {"sha256", sha256_of(a)}});
  }
  return inputs;
}

bool is_receipt(const Json& json) {
  if (!json.is_object() || json.value("schema", Json()) != 1) return false;
  const auto text = [&](const char* key) { return json.contains(key) && json[key].is_string(); };
  if (!text("execution") || !text("implementation_sha256") || !text("boundary")) return false;
  return json["execution"] == "compiled"
             ? json.value("chips", Json()).is_array()
             : json["execution"] == "measured" && text("device") && json.value("measurement", Json()).is_object() &&
                   json.value("correctness", Json()).is_object();
}

}  // namespace

Json modeled_receipt(const ViewRequest& request, const LoadedKernel& loaded) {
  const KernelRequest& kernel = request.kernel;
  Json configuration = {{"kernel", title_of(kernel, loaded)},
                        {"schedule", kernel.schedule},
                        {"dma_signal", kernel.dma_signal},
                        {"devices", kernel.devices},
                        {"cores", kernel.cores},
                        {"inputs", inputs_json(loaded, kernel.devices)}};
  if (!request.costs.empty()) configuration["figures"] = request.costs;
  return {
      {"schema", 1},
      {"execution", "modeled"},
      {"device", nullptr},
      {"simulated_chip", kernel.chip},
      {"implementation_sha256",
       request.module_sha256.empty() ? sha256_of(mosaic::write_module(loaded.kernel->module)) : request.module_sha256},
      {"versions", {{"millrace", request.millrace_version}}},
      {"configuration", configuration},
      {"correctness", nullptr},
      {"measurement", nullptr},
      {"boundary",
       "Simulated: no device took part in this, and nothing of it was timed. The verdict is of these inputs and the "
       "schedules covered; times of it are modeled; what outputs should be was not asked."}};
}

Json read_receipt(const std::filesystem::path& file) {
  const Json json = Json::parse(read_file(file), nullptr, false);
  if (!is_receipt(json))
    throw Error(ErrorCode::kUser,
                fmt::format("{} is no receipt of Millrace: `run --target cpu --receipt F` and `compile --receipt F` "
                            "write them",
                            file.string()));
  return json;
}

}  // namespace millrace::front
