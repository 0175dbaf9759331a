// SPDX-License-Identifier: Apache-2.0
#include "target/tpu/receipt.h"

#include <fmt/format.h>

namespace millrace::target {

namespace {

constexpr const char* kBoundary =
    "Time of one execution, from the call to its completion, seen from the host; inputs lie on the device. Copies to "
    "and from it, and compiling, are not in it.";

}  // namespace

ReceiptFacts facts_of(const Measured& measured, const Library& library, const std::string& millrace_version) {
  using Json = nlohmann::ordered_json;
  ReceiptFacts facts;
  facts.device = measured.device_kind;
  facts.platform = measured.platform, facts.platform_version = measured.platform_version;
  facts.versions = {{"millrace", millrace_version},
                    {"libtpu", library.version.empty() ? Json() : Json(library.version)},
                    {"pjrt", fmt::format("0.{}", measured.api_minor)}};
  facts.boundary = kBoundary;
  return facts;
}

}  // namespace millrace::target
