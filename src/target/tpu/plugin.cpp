// SPDX-License-Identifier: Apache-2.0
#include "target/tpu/plugin.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>

#include "millrace/error.h"

namespace millrace::target {

namespace {

constexpr auto kLastSlot = static_cast<std::size_t>(pjrt::Slot::kCompile);

std::string shown(const pjrt::NamedValue& value) {
  std::string text;
  switch (value.kind) {
    case pjrt::ValueKind::kString: return {value.string, value.size};
    case pjrt::ValueKind::kInt64: return std::to_string(value.int64);
    case pjrt::ValueKind::kFloat: return fmt::format("{}", value.float32);
    case pjrt::ValueKind::kBool: return value.boolean ? "true" : "false";
    case pjrt::ValueKind::kInt64List:
      for (std::size_t i = 0; i < std::min<std::size_t>(value.size, 100); ++i)
        text += (i ? "," : "") + std::to_string(value.int64s[i]);
      return text;
  }
  return "?";
}

}  // namespace

Plugin::Plugin(const std::string& path) {
  const auto refuse = [&](millrace::ErrorCode code, const std::string& why) {
    throw millrace::Error(code, fmt::format("{} {}", path, why));
  };
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // never closed: plugins leave threads behind
  if (!library) {
    const char* why = ::dlerror();
    refuse(millrace::ErrorCode::kUser, fmt::format("cannot be loaded: {}", why ? why : "no reason given"));
  }
  const auto get = reinterpret_cast<const pjrt::Api* (*)()>(::dlsym(library, "GetPjrtApi"));
  if (!get) refuse(millrace::ErrorCode::kUser, "is no PJRT plugin: it has no GetPjrtApi");
  api_ = get();
  if (!api_) refuse(millrace::ErrorCode::kUser, "gives no function table");
  if (api_->head.size < pjrt::kTableBegins)
    refuse(millrace::ErrorCode::kUnsupported, fmt::format("has a function table of {} bytes", api_->head.size));
  if (api_->version.major != 0)
    refuse(millrace::ErrorCode::kUnsupported,
           fmt::format("speaks PJRT {}.{}; Millrace speaks 0.81 and later of major version 0", api_->version.major,
                       api_->version.minor));
  const std::size_t needed = pjrt::kTableBegins + 8 * (kLastSlot + 1);
  if (api_->head.size < needed)
    refuse(millrace::ErrorCode::kUnsupported,
           fmt::format("speaks PJRT {}.{} with a table of {} bytes; at least {} are needed (PJRT 0.81 has them)",
                       api_->version.major, api_->version.minor, api_->head.size, needed));
}

void* Plugin::function(pjrt::Slot slot) const {
  void* f = api_->functions[static_cast<std::size_t>(slot)];
  if (!f)
    throw millrace::Error(millrace::ErrorCode::kUnsupported,
                          fmt::format("the plugin leaves function {} of PJRT out", static_cast<unsigned>(slot)));
  return f;
}

std::optional<PjrtFault> Plugin::taken(pjrt::Error* error) const {
  if (!error) return {};
  // The three functions about errors answer with nothing, or nothing that can be asked further.
  const auto plain = [&](pjrt::Slot slot, auto& arguments) {
    using Arguments = std::remove_reference_t<decltype(arguments)>;
    arguments.head = {sizeof(Arguments), nullptr};
    reinterpret_cast<void* (*)(Arguments*)>(function(slot))(&arguments);
  };
  PjrtFault fault;
  pjrt::ErrorMessage message{{}, error, nullptr, 0};
  plain(pjrt::Slot::kErrorMessage, message);
  constexpr std::size_t kMost = 1 << 20;
  if (message.message) fault.message.assign(message.message, std::min(message.size, kMost));
  pjrt::ErrorCode code{{}, error, 0};
  plain(pjrt::Slot::kErrorCode, code);
  fault.code = code.code;
  pjrt::ErrorDestroy destroy{{}, error};
  plain(pjrt::Slot::kErrorDestroy, destroy);
  return fault;
}

std::optional<PjrtFault> Plugin::initialise() const {
  pjrt::PluginInitialize arguments{};
  return call(pjrt::Slot::kPluginInitialize, arguments);
}

std::map<std::string, std::string> Plugin::attributes() const {
  std::map<std::string, std::string> all;
  pjrt::PluginAttributes arguments{};
  if (call(pjrt::Slot::kPluginAttributes, arguments) || !arguments.attributes) return all;
  for (std::size_t i = 0; i < std::min<std::size_t>(arguments.count, 100); ++i) {
    const pjrt::NamedValue& value = arguments.attributes[i];
    all[std::string(value.name, value.name_size)] = shown(value);
  }
  return all;
}

std::optional<PjrtFault> Plugin::await(pjrt::Event* event) const {
  if (!event) return {};
  pjrt::EventAwait arguments{{}, event};
  auto fault = call(pjrt::Slot::kEventAwait, arguments);
  pjrt::EventDestroy destroy{{}, event};
  release(pjrt::Slot::kEventDestroy, destroy);
  return fault;
}

}  // namespace millrace::target
