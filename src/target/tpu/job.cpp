// SPDX-License-Identifier: Apache-2.0
#include "target/tpu/job.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "millrace/error.h"
#include "millrace/file.h"

namespace millrace::target {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const std::vector<ArrayType>& types) {
  Json list = Json::array();
  for (const ArrayType& t : types) list.push_back({{"dtype", name_of(t.dtype)}, {"shape", t.shape}});
  return list;
}

std::vector<ArrayType> types_in(const Json& list) {
  std::vector<ArrayType> types;
  for (const Json& t : list) {
    const auto dtype = dtype_named(t.at("dtype").get<std::string>());
    if (!dtype) throw Error(ErrorCode::kUser, "job.json names no element type");
    types.push_back({*dtype, t.at("shape").get<Shape>()});
  }
  return types;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  return text.str();
}

// Any bytes at all, kept printable: JSON takes UTF-8 only.
std::string readable(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 32 || c == '\n' || c == '\t') result += byte < 127 ? c : '?';
  }
  return result;
}

void write(const std::filesystem::path& file, const Json& json) { write_whole_file(file, json.dump(1) + "\n"); }

}  // namespace

void write_job(const std::filesystem::path& folder, const CompileJob& job) {
  Json flags = Json::array();
  for (const CompileFlag& f : job.flags)
    flags.push_back(f.is_number ? Json{{"name", f.name}, {"number", f.number}}
                                : Json{{"name", f.name}, {"text", f.text}});
  write(folder / "job.json", {{"kind", "compile"},
                              {"library", job.library},
                              {"topology", job.topology},
                              {"flags", flags},
                              {"repeat", job.repeat}});
}

void write_job(const std::filesystem::path& folder, const RunJob& job) {
  Json outputs = Json::array();
  for (const auto& types : job.outputs) outputs.push_back(json_of(types));
  write(folder / "job.json", {{"kind", "run"},
                              {"library", job.library},
                              {"platform", job.platform},
                              {"programs", job.programs},
                              {"inputs", json_of(job.inputs)},
                              {"outputs", outputs},
                              {"warm_ups", job.warm_ups},
                              {"samples", job.samples}});
}

Job read_job(const std::filesystem::path& folder) {
  try {
    const Json json = Json::parse(text_of(folder / "job.json"));
    Job job;
    if (json.at("kind") == "compile") {
      CompileJob c{json.at("library"), json.at("topology"), {}, json.at("repeat")};
      for (const Json& f : json.at("flags"))
        c.flags.push_back(
            {f.at("name"), f.value("text", ""), f.contains("number"), f.value("number", std::int64_t{0})});
      job.compile = std::move(c);
    } else {
      RunJob r{json.at("library"), json.at("platform"), json.at("programs"), types_in(json.at("inputs")), {}, 5, 0};
      for (const Json& types : json.at("outputs")) r.outputs.push_back(types_in(types));
      r.warm_ups = json.at("warm_ups"), r.samples = json.at("samples");
      if (r.outputs.size() != r.programs.size())
        throw Error(ErrorCode::kUser, "job.json: outputs of each program are due");
      job.run = std::move(r);
    }
    return job;
  } catch (const nlohmann::json::exception& fault) {
    throw Error(ErrorCode::kUser, fmt::format("{} holds no job: {}", folder.string(), fault.what()));
  }
}

void write_answer(const std::filesystem::path& folder, const Answer& a) {
  Json json{{"stage", a.stage},
            {"api_minor", a.api_minor},
            {"table_bytes", a.table_bytes},
            {"refused", readable(a.refused)},
            {"refused_user", a.refused_user},
            {"load_seconds", a.load_seconds},
            {"initialise_seconds", a.initialise_seconds},
            {"compile_seconds", a.compile_seconds},
            {"platform", readable(a.platform)},
            {"platform_version", readable(a.platform_version)},
            {"device_kind", readable(a.device_kind)},
            {"milliseconds", a.milliseconds}};
  json["plugin"] = Json::object();
  for (const auto& [name, value] : a.plugin) json["plugin"][readable(name)] = readable(value);
  if (a.fault) json["fault"] = {{"code", a.fault->code}, {"message", readable(a.fault->message)}};
  if (a.code_bytes) json["code_bytes"] = *a.code_bytes;
  write(folder / "answer.json", json);
}

std::optional<Answer> read_answer(const std::filesystem::path& folder) {
  const Json json = Json::parse(text_of(folder / "answer.json"), nullptr, false);
  if (!json.is_object()) return {};
  try {
    Answer a;
    a.stage = json.at("stage"), a.api_minor = json.at("api_minor"), a.table_bytes = json.at("table_bytes");
    a.refused = json.at("refused"), a.refused_user = json.at("refused_user");
    a.load_seconds = json.at("load_seconds"), a.initialise_seconds = json.at("initialise_seconds");
    a.compile_seconds = json.at("compile_seconds").get<std::vector<double>>();
    a.platform = json.at("platform"), a.platform_version = json.at("platform_version");
    a.device_kind = json.at("device_kind");
    a.milliseconds = json.at("milliseconds").get<std::vector<std::vector<double>>>();
    a.plugin = json.at("plugin").get<std::map<std::string, std::string>>();
    if (json.contains("fault")) a.fault = PjrtFault{json["fault"].at("code"), json["fault"].at("message")};
    if (json.contains("code_bytes")) a.code_bytes = json["code_bytes"].get<std::int64_t>();
    return a;
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

}  // namespace millrace::target
