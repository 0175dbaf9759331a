// SPDX-License-Identifier: Apache-2.0
// A run on a real device: client, copies in, compiles, executions, copies back. Whatever a plugin gives is given back
// to it, on every way out.
#include <fmt/format.h>

#include <utility>

#include "millrace/error.h"
#include "target/tpu/owned.h"
#include "target/tpu/worker.h"

namespace millrace::target {

namespace {

// Ends the job with what the plugin said.
struct Refused {
  PjrtFault fault;
};

template <class Arguments>
void must(const Plugin& plugin, pjrt::Slot slot, Arguments& arguments) {
  if (auto fault = plugin.call(slot, arguments)) throw Refused{std::move(*fault)};
}

void must_await(const Plugin& plugin, pjrt::Event* event) {
  if (auto fault = plugin.await(event)) throw Refused{std::move(*fault)};
}

using Client = Owned<pjrt::Client, pjrt::ClientDestroy, pjrt::Slot::kClientDestroy>;
using Buffer = Owned<pjrt::Buffer, pjrt::BufferDestroy, pjrt::Slot::kBufferDestroy>;
using Loaded = Owned<pjrt::LoadedExecutable, pjrt::LoadedDestroy, pjrt::Slot::kLoadedDestroy>;
using Executable = Owned<pjrt::Executable, pjrt::ExecutableDestroy, pjrt::Slot::kExecutableDestroy>;

pjrt::BufferType type_of(DType dtype) {
  switch (dtype) {
    case DType::f32: return pjrt::BufferType::kF32;
    case DType::bf16: return pjrt::BufferType::kBF16;
    case DType::f16: return pjrt::BufferType::kF16;
    case DType::i8: return pjrt::BufferType::kS8;
    case DType::i16: return pjrt::BufferType::kS16;
    case DType::i32: return pjrt::BufferType::kS32;
    case DType::u8: return pjrt::BufferType::kU8;
    case DType::u16: return pjrt::BufferType::kU16;
    case DType::u32: return pjrt::BufferType::kU32;
    case DType::i1: return pjrt::BufferType::kPred;
  }
  return pjrt::BufferType::kF32;
}

std::string text_of(const Plugin& plugin, pjrt::Slot slot, pjrt::Client* client) {
  pjrt::ClientString arguments{{}, client, nullptr, 0};
  must(plugin, slot, arguments);
  return arguments.text ? std::string(arguments.text, arguments.size) : std::string();
}

// The first device that this process may use; its kind goes into the answer.
pjrt::Device* device_of(const Plugin& plugin, pjrt::Client* client, Answer& answer) {
  pjrt::ClientDevices devices{{}, client, nullptr, 0};
  must(plugin, pjrt::Slot::kClientAddressableDevices, devices);
  if (devices.count == 0 || !devices.devices) throw Refused{{5, "the client has no device"}};
  pjrt::DeviceGetDescription description{{}, devices.devices[0], nullptr};
  must(plugin, pjrt::Slot::kDeviceGetDescription, description);
  pjrt::DescriptionString kind{{}, description.description, nullptr, 0};
  must(plugin, pjrt::Slot::kDescriptionKind, kind);
  if (kind.text) answer.device_kind.assign(kind.text, kind.size);
  return devices.devices[0];
}

Buffer copied_in(const Plugin& plugin, pjrt::Client* client, pjrt::Device* device, const Array& array) {
  pjrt::BufferFromHost arguments{};
  arguments.client = client, arguments.device = device;
  arguments.data = array.data(), arguments.type = type_of(array.dtype());
  arguments.dims = array.shape().data(), arguments.dim_count = array.shape().size();
  arguments.semantics = pjrt::HostSemantics::kOnlyDuringCall;
  must(plugin, pjrt::Slot::kBufferFromHost, arguments);
  Buffer buffer(plugin, arguments.buffer);
  must_await(plugin, arguments.done);
  return buffer;
}

Array copied_back(const Plugin& plugin, pjrt::Buffer* buffer, const ArrayType& type) {
  Array array(type.dtype, type.shape);
  pjrt::BufferToHost arguments{{}, buffer, nullptr, nullptr, 0, nullptr};
  must(plugin, pjrt::Slot::kBufferToHost, arguments);
  if (arguments.size != array.bytes())
    throw Refused{{13, fmt::format("an output of {} bytes came back, {} were due", arguments.size, array.bytes())}};
  arguments.target = array.data();
  must(plugin, pjrt::Slot::kBufferToHost, arguments);
  must_await(plugin, arguments.event);
  return array;
}

Loaded compiled(const Plugin& plugin, pjrt::Client* client, std::string code, std::size_t outputs, Answer& answer) {
  std::string format = "mlir";
  const std::string options = compile_options();
  pjrt::Program program{{sizeof program, nullptr}, code.data(), code.size(), format.data(), format.size()};
  pjrt::ClientCompile arguments{{}, client, &program, options.data(), options.size(), nullptr};
  const double before = seconds_now();
  must(plugin, pjrt::Slot::kClientCompile, arguments);
  answer.compile_seconds.push_back(seconds_now() - before);
  Loaded loaded(plugin, arguments.executable);
  pjrt::LoadedGetExecutable get{{}, loaded.get(), nullptr};
  must(plugin, pjrt::Slot::kLoadedGetExecutable, get);
  const Executable executable(plugin, get.executable);
  pjrt::ExecutableSize count{{}, executable.get(), 0};
  must(plugin, pjrt::Slot::kExecutableNumOutputs, count);
  if (count.value != outputs)
    throw Refused{{13, fmt::format("the program gives {} outputs, {} were due", count.value, outputs)}};
  return loaded;
}

std::vector<Buffer> executed(const Plugin& plugin, const Loaded& program, const std::vector<pjrt::Buffer*>& inputs,
                             std::size_t outputs) {
  std::vector<pjrt::Buffer*> results(outputs, nullptr);
  pjrt::Buffer** result_list = results.data();
  pjrt::Buffer* const* input_list = inputs.data();
  pjrt::Event* done = nullptr;
  pjrt::ExecuteOptions options{};
  options.head.size = sizeof options;
  pjrt::Execute arguments{{}, program.get(), &options, &input_list, 1, inputs.size(), &result_list, &done, nullptr};
  must(plugin, pjrt::Slot::kLoadedExecute, arguments);
  std::vector<Buffer> owned;
  for (pjrt::Buffer* b : results) owned.emplace_back(plugin, b);
  must_await(plugin, done);
  return owned;
}

void run_on(const Plugin& plugin, const RunJob& job, const std::filesystem::path& folder, Stages& stages,
            Answer& answer) {
  stages.enter("client");
  pjrt::ClientCreate create{};
  must(plugin, pjrt::Slot::kClientCreate, create);
  const Client client(plugin, create.client);
  answer.platform = text_of(plugin, pjrt::Slot::kClientPlatformName, client.get());
  answer.platform_version = text_of(plugin, pjrt::Slot::kClientPlatformVersion, client.get());
  if (answer.platform != job.platform)
    throw millrace::Error(millrace::ErrorCode::kUnsupported,
                          fmt::format("the plugin runs programs on `{}`, not on `{}`", answer.platform, job.platform));
  pjrt::Device* device = device_of(plugin, client.get(), answer);
  stages.enter("copy");
  std::vector<Buffer> inputs;
  std::vector<pjrt::Buffer*> arguments;
  for (std::size_t i = 0; i < job.inputs.size(); ++i) {
    const Array array = read_npy(folder / fmt::format("in{}.npy", i), job.inputs[i].dtype);
    inputs.push_back(copied_in(plugin, client.get(), device, array));
    arguments.push_back(inputs.back().get());
  }
  std::vector<Loaded> programs;
  for (std::size_t p = 0; p < job.programs.size(); ++p) {
    stages.enter("compile");
    programs.push_back(
        compiled(plugin, client.get(), program_text(folder / job.programs[p]), job.outputs[p].size(), answer));
  }
  stages.enter("execute");
  for (std::size_t p = 0; p < programs.size(); ++p) {
    const std::vector<Buffer> results = executed(plugin, programs[p], arguments, job.outputs[p].size());
    for (std::size_t i = 0; i < results.size(); ++i)
      write_npy(folder / fmt::format("{}.out{}.npy", job.programs[p], i),
                copied_back(plugin, results[i].get(), job.outputs[p][i]));
  }
  if (job.samples == 0) return;
  stages.enter("measure");
  answer.milliseconds.resize(programs.size());
  for (int s = -job.warm_ups; s < job.samples; ++s) {
    for (std::size_t p = 0; p < programs.size(); ++p) {
      const double before = seconds_now();
      executed(plugin, programs[p], arguments, job.outputs[p].size());
      if (s >= 0) answer.milliseconds[p].push_back(1000 * (seconds_now() - before));
    }
  }
}

}  // namespace

void execute(const Plugin& plugin, const RunJob& job, const std::filesystem::path& folder, Stages& stages,
             Answer& answer) {
  try {
    run_on(plugin, job, folder, stages, answer);
  } catch (const Refused& refused) {
    answer.fault = refused.fault;
  }
}

}  // namespace millrace::target
