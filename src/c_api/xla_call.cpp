// SPDX-License-Identifier: Apache-2.0
#include "c_api/xla_call.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "c_api/call.h"
#include "c_api/four_bits.h"
#include "c_api/ledger.h"
#include "c_api/meeting.h"
#include "c_api/settings.h"
#include "c_api/xla_site.h"
#include "report/text.h"

namespace millrace::c_api {

namespace {

// Of another build of the bridge, or of XLA: nothing that a user did.
[[noreturn]] void fail(const std::string& what) { throw Error(ErrorCode::kInternal, what); }

std::int32_t dtype_of(std::int32_t element, const std::string& what) {
  switch (element) {
    case xla::kF32: return MILLRACE_F32;
    case xla::kBF16: return MILLRACE_BF16;
    case xla::kF16: return MILLRACE_F16;
    case xla::kS4:
    case xla::kS8: return MILLRACE_I8;
    case xla::kS16: return MILLRACE_I16;
    case xla::kS32: return MILLRACE_I32;
    case xla::kU4:
    case xla::kU8:
    case xla::kF8E5M2:
    case xla::kF8E4M3FN:
    case xla::kF8E4M3B11FNUZ: return MILLRACE_U8;  // the bits
    case xla::kU16: return MILLRACE_U16;
    case xla::kU32: return MILLRACE_U32;
    default:
      throw Error(ErrorCode::kUnsupported,
                  fmt::format("{} has XLA's element type {}; f32, bf16, f16, f8 and integers of up to 32 bits are "
                              "supported",
                              what, element));
  }
}

// The arrays of the call as they are here. Those of four-bit elements are copies in `packed`.
std::vector<millrace_array> arrays_of(const xla::Buffers& buffers, bool results, FourBits& packed) {
  std::vector<millrace_array> arrays;
  for (std::int64_t i = 0; i < buffers.size; ++i) {
    const auto& b = *static_cast<const xla::Buffer*>(buffers.buffers[i]);
    const std::int32_t dtype = dtype_of(b.dtype, fmt::format("{} {}", results ? "result" : "operand", i));
    const millrace_array array{b.data, dtype, static_cast<std::int32_t>(b.rank), b.dims};
    if (b.dtype != xla::kS4 && b.dtype != xla::kU4)
      arrays.push_back(array);
    else
      arrays.push_back(results ? packed.output(array, b.dtype == xla::kS4) : packed.input(array, b.dtype == xla::kS4));
  }
  return arrays;
}

std::string_view attribute(const xla::CallFrame& frame, std::string_view name, std::int32_t kind) {
  const xla::Attributes& all = frame.attributes;
  for (std::int64_t i = 0; i < all.size; ++i) {
    if (std::string_view(all.names[i]->data, all.names[i]->size) != name || all.types[i] != kind) continue;
    if (kind == xla::kString) {
      const auto& text = *static_cast<const xla::Span*>(all.values[i]);
      return {text.data, text.size};
    }
    const auto& array = *static_cast<const xla::ArrayAttribute*>(all.values[i]);
    if (array.dtype == xla::kU8) return {static_cast<const char*>(array.data), array.size};
  }
  fail(fmt::format("the call has no attribute {}", name));
}

std::int64_t run_id_of(const xla::CallFrame& frame) {
  xla::RunIdGet get{sizeof(xla::RunIdGet), nullptr, frame.context, 0};
  if (frame.api->run_id(&get)) fail("XLA does not say which execution this is");
  return get.run_id;
}

// One line: what, in which kernel, called where. The findings themselves follow it.
std::string headline(const Caller& caller, const Finding& f) {
  const std::string where = caller.called_at.empty() ? "" : " called at " + caller.called_at[0];
  return fmt::format("{} in kernel {}{}", f.id, caller.kernel, where);
}

// What a call fails with, if it fails: what stopped the kernel always; a fault beside which it ended where it is asked.
void judge(const XlaSite& site, const Judged& judged) {
  const report::Checked& checked = judged.checked;
  const bool faulty = report::new_errors(checked) > 0;
  const bool raise = faulty && (!judged.outcome.ended() || site.raise.value_or(settings().raise));
  Ledger::instance().add(site.caller, checked, raise);
  if (!raise) return;
  for (const Finding& f : checked.findings)
    if (f.severity == Severity::kError)
      throw Error(ErrorCode::kFinding, headline(site.caller, f) + "\n" + report::to_text(checked, false));
}

// What the settings ask to be kept for people to look at.
void show(const XlaSite& site, const front::LoadedKernel& loaded, const Judged& judged) {
  Ledger& ledger = Ledger::instance();
  const Caller& caller = site.caller;
  if (settings().draw && !ledger.is_drawn(caller)) ledger.add_drawing(caller, drawn(*site.module, loaded));
  const std::string folder = settings().reports.get();
  if (folder.empty()) return;
  const std::string title = caller.kernel + (caller.called_at.empty() ? "" : ", called at " + caller.called_at[0]);
  ledger.write_report(folder, caller, report::new_errors(judged.checked) > 0,
                      [&] { return page_of(*site.module, loaded, judged.checked, title); });
}

void run(const XlaSite& site, const Operands& operands) {
  Judged result;
  try {
    if (site.unreadable) throw Error(*site.unreadable);
    const front::LoadedKernel loaded = loaded_for(*site.module, operands.inputs, operands.outputs);
    result = judged(*site.module, loaded);
    fill(operands.outputs, result.outcome);
    show(site, loaded, result);
  } catch (const Error& error) {
    Ledger::instance().add(site.caller, error);
    throw;
  }
  judge(site, result);
}

void execute(const xla::CallFrame& frame) {
  const auto site = xla_site(attribute(frame, "module", xla::kArray), attribute(frame, "meta", xla::kString));
  FourBits packed;
  Operands operands{arrays_of(frame.arguments, false, packed), arrays_of(frame.results, true, packed)};
  if (operands.inputs.empty() || operands.inputs.back().rank != 0 || operands.inputs.back().dtype != MILLRACE_U32)
    fail("the call does not say which device it is on");
  const std::size_t device = *static_cast<const std::uint32_t*>(operands.inputs.back().data);
  operands.inputs.pop_back();
  if (site->together)
    Meetings::instance().run(
        {run_id_of(frame), site->call}, static_cast<std::size_t>(site->devices), device, std::move(operands),
        [&](const Operands& all) { run(*site, all); }, settings().meeting_seconds);
  else
    run(*site, operands);
  packed.pack();
}

void tell_version(const xla::CallFrame& frame) {
  xla::Metadata& metadata = *reinterpret_cast<xla::MetadataExtension*>(frame.extension)->metadata;
  metadata.version = {sizeof(xla::Version), nullptr, 0, 1};  // nothing newer than 0.1 is used
  metadata.traits = 0;
}

xla::Error* error_of(const xla::CallFrame& frame, std::int32_t code, const std::string& message) {
  xla::ErrorCreate create{sizeof(xla::ErrorCreate), nullptr, message.c_str(), code};
  return frame.api->error_create(&create);
}

std::int32_t status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kFinding: return xla::kAborted;
    case ErrorCode::kUser: return xla::kInvalidArgument;
    case ErrorCode::kUnsupported: return xla::kUnimplemented;
    case ErrorCode::kInternal: break;
  }
  return xla::kInternal;
}

}  // namespace

xla::Error* xla_call(const xla::CallFrame& frame) noexcept {
  try {
    if (frame.extension && frame.extension->type == xla::kMetadataExtension) {
      tell_version(frame);
      return nullptr;
    }
    if (frame.stage == xla::kExecute) execute(frame);
    return nullptr;
  } catch (const Error& error) {
    return error_of(frame, status_of(error.code()), std::string("millrace: ") + error.what());
  } catch (const std::exception& error) {
    return error_of(frame, xla::kInternal, std::string("millrace: ") + error.what());
  }
}

}  // namespace millrace::c_api
