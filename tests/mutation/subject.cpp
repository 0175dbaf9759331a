// SPDX-License-Identifier: Apache-2.0
#include "subject.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "api/check.h"
#include "event/stream_text.h"
#include "front/case_load.h"
#include "front/module_file.h"
#include "millrace/error.h"

namespace millrace::mutation {

namespace {

// Lines without "@12", the number of a place: an edit moves those.
std::string without_places(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    const std::string_view line = text.substr(0, end);
    result += line.substr(0, line.rfind(" @"));
    result += '\n';
    text.remove_prefix(end + 1);
  }
  return result;
}

}  // namespace

Subject read_subject(const std::filesystem::path& path) {
  const front::CaseFolder folder = front::read_case_folder(path);
  if (folder.cores != 1 || folder.devices != 1)
    throw Error(ErrorCode::kUnsupported, path.string() + " is for several cores or devices");
  Subject subject;
  subject.name = folder.name;
  subject.module = front::read_kernel_file(path).module;
  front::CaseCall call = front::call_of(folder, 0);
  subject.environment = std::move(call.plan.environment);
  subject.inputs = std::move(call.inputs), subject.outputs = std::move(call.out);
  return subject;
}

Observed observe(const Subject& subject, const mosaic::Module& module, const std::string& schedule,
                 std::uint64_t max_steps) {
  Observed observed;
  std::vector<program::OperandSpec> inputs;
  for (const Array& input : subject.inputs) inputs.push_back({input.dtype(), input.shape()});
  std::unique_ptr<const api::Executable> executable;
  try {
    executable = api::prepare(module, inputs, subject.outputs, subject.environment);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) throw;
    observed.refused = true;
    return observed;
  }
  event::StreamText stream;
  RunOptions options;
  options.schedule = schedule, options.max_steps = max_steps;
  try {
    api::Checked s = api::check(*executable, subject.inputs, options, {}, {&stream});
    for (const Finding& finding : s.findings)
      if (finding.severity == Severity::kError) observed.findings.push_back(finding.id);
    if (s.outcome.ended()) observed.outputs = std::move(s.outcome.outputs);
    observed.steps = s.outcome.work.steps;
    observed.events = without_places(stream.text());
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) throw;
    observed.endless = true;  // or a rule that only the run can hold it to
  }
  return observed;
}

bool same_bits(const std::vector<Array>& a, const std::vector<Array>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Array& x, const Array& y) {
    return x.bytes() == y.bytes() && (x.bytes() == 0 || std::memcmp(x.data(), y.data(), x.bytes()) == 0);
  });
}

}  // namespace millrace::mutation
