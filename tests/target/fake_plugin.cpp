// SPDX-License-Identifier: Apache-2.0
// A PJRT plugin for tests, in the interface of src/target/tpu/pjrt_abi.h. MILLRACE_FAKE says how it behaves; what it
// is to leave as dumps is copied from the folder MILLRACE_FAKE_DUMPS.
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "target/tpu/pjrt_abi.h"

namespace pjrt = millrace::target::pjrt;

namespace {

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool behaves(const char* how) { return setting("MILLRACE_FAKE") == how; }

struct Fault {
  int code;
  std::string message;
};

pjrt::Error* fault(int code, std::string message) {
  return reinterpret_cast<pjrt::Error*>(new Fault{code, std::move(message)});
}

const Fault& of(const pjrt::Error* error) { return *reinterpret_cast<const Fault*>(error); }

void* error_destroy(pjrt::ErrorDestroy* a) {
  delete reinterpret_cast<Fault*>(a->error);
  return nullptr;
}

void* error_message(pjrt::ErrorMessage* a) {
  a->message = of(a->error).message.data();
  a->size = of(a->error).message.size();
  return nullptr;
}

pjrt::Error* error_code(pjrt::ErrorCode* a) {
  a->code = of(a->error).code;
  return nullptr;
}

pjrt::Error* initialise(pjrt::PluginInitialize*) {
  if (behaves("dies at once")) ::abort();
  return behaves("does not initialise") ? fault(10, "the lock is taken") : nullptr;
}

pjrt::Error* attributes(pjrt::PluginAttributes* a) {
  static const pjrt::NamedValue value = [] {
    pjrt::NamedValue v{};
    v.name = "xla_version", v.name_size = 11, v.kind = pjrt::ValueKind::kInt64, v.int64 = 2, v.size = 1;
    return v;
  }();
  a->attributes = &value, a->count = 1;
  return nullptr;
}

pjrt::Error* topology_create(pjrt::TopologyCreate* a) {
  if (behaves("knows no topology")) return fault(3, "no such topology: " + std::string(a->name, a->name_size));
  a->topology = reinterpret_cast<pjrt::Topology*>(new int(0));
  return nullptr;
}

pjrt::Error* topology_destroy(pjrt::TopologyDestroy* a) {
  delete reinterpret_cast<int*>(a->topology);
  return nullptr;
}

// The folder of the worker is its last argument.
std::string worker_folder() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string line((std::istreambuf_iterator<char>(file)), {});
  const std::size_t end = line.find_last_not_of('\0');
  return line.substr(line.rfind('\0', end) + 1, end - line.rfind('\0', end));
}

void leave_dumps() {
  const std::string from = setting("MILLRACE_FAKE_DUMPS"), flags = setting("LIBTPU_INIT_ARGS");
  const std::string key = "--xla_jf_dump_to=";
  const std::size_t at = flags.find(key);
  if (from.empty() || at == flags.npos) return;
  const std::string to = flags.substr(at + key.size(), flags.find(' ', at) - at - key.size());
  std::filesystem::copy(from, to);
}

pjrt::Error* misbehave(const std::string& how) {
  if (how == "aborts") {
    std::cerr << "I0101 00:00:00.000001 7 start.h:1] all is well\n"
                 "F0101 00:00:00.000002 7 layout.h:320] Check failed: 1 == 2 (1 vs. 2) \n    @ 0x7f somewhere\n"
              << std::flush;
    ::abort();
  }
  if (how == "hangs") {
    std::cerr << "still thinking" << std::endl;
    for (;;) ::pause();
  }
  if (how == "ends quietly") std::_Exit(0);
  if (how == "gives up") std::_Exit(7);
  if (how == "forges an answer") {
    std::ofstream(worker_folder() + "/answer.json") << "{\"stage\": \"compile\", \"plugin\": 5}";
    std::_Exit(0);
  }
  if (how == "refuses")
    return fault(
        13,
        "Mosaic failed to compile TPU kernel: E2003: cannot statically prove that index in dimension 0 is a "
        "multiple of 8\nSee somewhere for more.\n\nat location: loc(\"get:\"(\"get\"(\"compute.py\":396:31)))\n\n"
        "The MLIR operation involved:\n  %6 = \"tpu.vector_load\"(%arg1)\n");
  if (how == "refuses without a word") return fault(13, "");
  return nullptr;
}

pjrt::Error* compile(pjrt::Compile* a) {
  const std::string how = setting("MILLRACE_FAKE");
  if (pjrt::Error* error = misbehave(how)) return error;
  const std::string code(a->program->code, a->program->code_size);
  if (code.find("stablehlo.custom_call @tpu_custom_call") == code.npos) return fault(3, "this is no call of a kernel");
  leave_dumps();
  a->executable = how == "gives no executable" ? nullptr : reinterpret_cast<pjrt::Executable*>(new int(0));
  return nullptr;
}

pjrt::Error* code_size(pjrt::ExecutableInt64* a) {
  a->value = behaves("lies about the size") ? -5 : 44544;
  return nullptr;
}

pjrt::Error* executable_destroy(pjrt::ExecutableDestroy* a) {
  delete reinterpret_cast<int*>(a->executable);
  return nullptr;
}

pjrt::Error* client_create(pjrt::ClientCreate*) {
  return fault(5, "TPU initialization failed: No jellyfish device found.");
}

struct Table {
  pjrt::Head head;
  pjrt::Version version;
  void* functions[132];
};

template <class F>
void put(Table& table, pjrt::Slot slot, F* function) {
  table.functions[static_cast<unsigned>(slot)] = reinterpret_cast<void*>(function);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const Table* GetPjrtApi() {
  static Table table{};
  if (behaves("has no table")) return nullptr;
  table.head.size = behaves("has a short table") ? 200 : sizeof table;
  table.version = {{sizeof table.version, nullptr}, behaves("is of another age") ? 1 : 0, 98};
  put(table, pjrt::Slot::kErrorDestroy, error_destroy);
  put(table, pjrt::Slot::kErrorMessage, error_message);
  put(table, pjrt::Slot::kErrorCode, error_code);
  put(table, pjrt::Slot::kPluginInitialize, initialise);
  put(table, pjrt::Slot::kPluginAttributes, attributes);
  put(table, pjrt::Slot::kClientCreate, client_create);
  put(table, pjrt::Slot::kTopologyCreate, topology_create);
  put(table, pjrt::Slot::kTopologyDestroy, topology_destroy);
  if (!behaves("leaves compiling out")) put(table, pjrt::Slot::kCompile, compile);
  put(table, pjrt::Slot::kExecutableCodeSize, code_size);
  put(table, pjrt::Slot::kExecutableDestroy, executable_destroy);
  return &table;
}
