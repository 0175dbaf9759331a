// SPDX-License-Identifier: Apache-2.0
// The functions of millrace/c_api.h: handles, codes and texts in place of objects and exceptions.
#include <cstring>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "c_api/call.h"
#include "c_api/ledger.h"
#include "c_api/module.h"
#include "c_api/settings.h"
#include "c_api/xla_call.h"
#include "front/json_text.h"
#include "millrace/c_api.h"
#include "report/json.h"
#include "report/text.h"

struct millrace_module {
  std::shared_ptr<millrace::c_api::Module> module;
};

struct millrace_result {
  std::string json, text;
};

namespace millrace::c_api {
namespace {

thread_local std::string last_error;

// What a function does, and what became of it.
int guarded(const std::function<int()>& work) noexcept {
  try {
    last_error.clear();
    return work();
  } catch (const Error& error) {
    last_error = error.what();
    return static_cast<int>(error.code());
  } catch (const std::bad_alloc&) {
    last_error = "there is not enough memory";
    return MILLRACE_USER;
  } catch (const std::exception& error) {
    last_error = error.what();
    return MILLRACE_INTERNAL;
  }
}

char* text_for_caller(const std::string& text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

// A folder that is there, made where it is not.
std::string folder_of(const std::string& name) {
  std::error_code error;
  if (!name.empty()) std::filesystem::create_directories(name, error);
  if (name.empty() || std::filesystem::is_directory(name)) return name;
  throw Error(ErrorCode::kUser,
              name + " cannot be made a folder of reports: " + (error ? error.message() : "something else is there"));
}

void configure(const nlohmann::json& options) {
  for (const auto& [name, value] : options.items()) {
    if (name == "on_finding" && (value == "raise" || value == "report"))
      settings().raise = value == "raise";
    else if (name == "draw" && value.is_boolean())
      settings().draw = value.get<bool>();
    else if (name == "reports" && value.is_string())
      settings().reports.set(folder_of(value.get<std::string>()));
    else if (name == "meeting_seconds" && value.is_number() && value.get<double>() > 0)
      settings().meeting_seconds = value.get<double>();
    else
      throw Error(ErrorCode::kUser, "there is no setting `" + name + "` of " + value.dump());
  }
}

}  // namespace
}  // namespace millrace::c_api

using namespace millrace;
using c_api::guarded;

extern "C" {

const char* millrace_version(void) { return MILLRACE_VERSION; }

const char* millrace_last_error(void) { return c_api::last_error.c_str(); }

int millrace_module_open(const void* bytes, size_t size, const char* options, millrace_module** module) {
  return guarded([&] {
    *module = nullptr;
    auto opened = c_api::Module::open({static_cast<const char*>(bytes), size}, options ? options : "");
    *module = new millrace_module{std::move(opened)};
    return MILLRACE_OK;
  });
}

const char* millrace_module_describe(const millrace_module* module) { return module->module->description().c_str(); }

void millrace_module_close(millrace_module* module) { delete module; }

int millrace_call(millrace_module* module, const millrace_array* inputs, size_t input_count,
                  const millrace_array* outputs, size_t output_count, millrace_result** result) {
  return guarded([&] {
    *result = nullptr;
    const std::span results(outputs, output_count);
    const c_api::Judged judged =
        c_api::judged(*module->module, c_api::loaded_for(*module->module, {inputs, input_count}, results));
    c_api::fill(results, judged.outcome);
    *result = new millrace_result{report::to_json(judged.checked).dump(), report::to_text(judged.checked, false)};
    return report::new_errors(judged.checked) > 0 ? MILLRACE_FINDING : MILLRACE_OK;
  });
}

int millrace_draw(millrace_module* module, const millrace_array* inputs, size_t input_count,
                  const millrace_array* outputs, size_t output_count, char** svg) {
  return guarded([&] {
    *svg = nullptr;
    c_api::Module& m = *module->module;
    *svg =
        c_api::text_for_caller(c_api::drawn(m, c_api::loaded_for(m, {inputs, input_count}, {outputs, output_count})));
    return MILLRACE_OK;
  });
}

int millrace_report(millrace_module* module, const millrace_array* inputs, size_t input_count,
                    const millrace_array* outputs, size_t output_count, char** html) {
  return guarded([&] {
    *html = nullptr;
    c_api::Module& m = *module->module;
    const front::LoadedKernel loaded = c_api::loaded_for(m, {inputs, input_count}, {outputs, output_count});
    *html = c_api::text_for_caller(
        c_api::page_of(m, loaded, c_api::judged(m, loaded).checked, loaded.executable->program.name));
    return MILLRACE_OK;
  });
}

const char* millrace_result_json(const millrace_result* result) { return result->json.c_str(); }

const char* millrace_result_text(const millrace_result* result) { return result->text.c_str(); }

void millrace_result_close(millrace_result* result) { delete result; }

void millrace_ledger_begin(void) {
  guarded([] {
    c_api::Ledger::instance().begin();
    return MILLRACE_OK;
  });
}

char* millrace_ledger_end(void) {
  char* text = nullptr;
  guarded([&] {
    text = c_api::text_for_caller(c_api::Ledger::instance().end());
    return MILLRACE_OK;
  });
  return text;
}

char* millrace_ledger_json(void) {
  char* text = nullptr;
  guarded([&] {
    text = c_api::text_for_caller(c_api::Ledger::instance().json());
    return MILLRACE_OK;
  });
  return text;
}

void millrace_text_free(char* text) { std::free(text); }

int millrace_last_run_raced(void) { return c_api::Ledger::instance().last_run_raced() ? 1 : 0; }

int millrace_configure(const char* options) {
  return guarded([&] {
    c_api::configure(front::parse_json_object(options, "the settings"));
    return MILLRACE_OK;
  });
}

void* millrace_xla_call(void* frame) { return c_api::xla_call(*static_cast<const c_api::xla::CallFrame*>(frame)); }
}
