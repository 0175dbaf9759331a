// SPDX-License-Identifier: Apache-2.0
// The slice of the PJRT C interface that Millrace speaks, in names of its own. The interface grows at the ends of its
// records and of its function table only, so what is written here holds from version 0.81 to 0.115 and after: a plugin
// refuses a record that is too small and takes one that is too large.
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace::target::pjrt {

// Owned by the plugin; seen only as pointers.
struct Error;
struct Client;
struct Device;
struct DeviceDescription;
struct Topology;
struct Executable;
struct LoadedExecutable;
struct Buffer;
struct Event;

// Every record begins with its own size and a list of extensions, of which none is used here.
struct Head {
  std::size_t size;
  void* extensions;
};

struct Version {
  Head head;
  std::int32_t major, minor;
};

enum class ValueKind : std::int32_t { kString = 0, kInt64, kInt64List, kFloat, kBool };
struct NamedValue {
  Head head;
  const char* name;
  std::size_t name_size;
  ValueKind kind;
  union {
    const char* string;
    std::int64_t int64;
    const std::int64_t* int64s;
    float float32;
    bool boolean;
  };
  std::size_t size;
};

struct ErrorDestroy {
  Head head;
  Error* error;
};
struct ErrorMessage {
  Head head;
  const Error* error;
  const char* message;
  std::size_t size;
};
struct ErrorCode {
  Head head;
  const Error* error;
  std::int32_t code;
};
struct PluginInitialize {
  Head head;
};
struct PluginAttributes {
  Head head;
  const NamedValue* attributes;
  std::size_t count;
};

struct EventDestroy {
  Head head;
  Event* event;
};
struct EventAwait {
  Head head;
  Event* event;
};

struct ClientCreate {
  Head head;
  const NamedValue* options;
  std::size_t option_count;
  void *get, *get_argument, *put, *put_argument;
  Client* client;
  void *try_get, *try_get_argument;
};
struct ClientDestroy {
  Head head;
  Client* client;
};
struct ClientString {
  Head head;
  Client* client;
  const char* text;
  std::size_t size;
};  // platform name, version
struct ClientDevices {
  Head head;
  Client* client;
  Device* const* devices;
  std::size_t count;
};
struct DeviceGetDescription {
  Head head;
  Device* device;
  DeviceDescription* description;
};
struct DescriptionString {
  Head head;
  DeviceDescription* description;
  const char* text;
  std::size_t size;
};

struct TopologyCreate {
  Head head;
  const char* name;
  std::size_t name_size;
  const NamedValue* options;
  std::size_t option_count;
  Topology* topology;
};
struct TopologyDestroy {
  Head head;
  Topology* topology;
};

struct Program {
  Head head;
  char* code;
  std::size_t code_size;
  const char* format;
  std::size_t format_size;
};
struct Compile {
  Head head;
  const Topology* topology;
  const Program* program;
  const char* options;
  std::size_t options_size;
  Client* client;
  Executable* executable;
};
struct ClientCompile {
  Head head;
  Client* client;
  const Program* program;
  const char* options;
  std::size_t options_size;
  LoadedExecutable* executable;
};

struct ExecutableDestroy {
  Head head;
  Executable* executable;
};
struct ExecutableInt64 {
  Head head;
  Executable* executable;
  std::int64_t value;
};
struct ExecutableSize {
  Head head;
  Executable* executable;
  std::size_t value;
};
struct LoadedDestroy {
  Head head;
  LoadedExecutable* executable;
};
struct LoadedGetExecutable {
  Head head;
  LoadedExecutable* loaded;
  Executable* executable;
};

enum class BufferType : std::int32_t {
  kPred = 1,
  kS8,
  kS16,
  kS32,
  kS64,
  kU8,
  kU16,
  kU32,
  kU64,
  kF16,
  kF32,
  kF64,
  kBF16
};
enum class HostSemantics : std::int32_t { kOnlyDuringCall = 0 };
struct BufferFromHost {
  Head head;
  Client* client;
  const void* data;
  BufferType type;
  const std::int64_t* dims;
  std::size_t dim_count;
  const std::int64_t* strides;
  std::size_t stride_count;
  HostSemantics semantics;
  Device* device;
  void *memory, *layout;
  Event* done;
  Buffer* buffer;
};
struct BufferDestroy {
  Head head;
  Buffer* buffer;
};
struct BufferToHost {
  Head head;
  Buffer* source;
  void* layout;
  void* target;  // null: only asks for the size
  std::size_t size;
  Event* event;
};

struct ExecuteOptions {
  Head head;
  void **send_callbacks, **receive_callbacks;
  std::size_t sends, receives;
  int launch_id;
  const std::int64_t* kept_inputs;  // that a donation must leave alone
  std::size_t kept_count;
  void* later[16];  // what newer versions have: all null
};
struct Execute {
  Head head;
  LoadedExecutable* executable;
  ExecuteOptions* options;
  Buffer* const* const* arguments;
  std::size_t device_count, argument_count;
  Buffer** const* outputs;
  Event** done;
  Device* device;
};

// Places in the function table.
enum class Slot : unsigned {
  kErrorDestroy = 0,
  kErrorMessage = 1,
  kErrorCode = 2,
  kPluginInitialize = 3,
  kPluginAttributes = 4,
  kEventDestroy = 5,
  kEventAwait = 8,
  kClientCreate = 10,
  kClientDestroy = 11,
  kClientPlatformName = 12,
  kClientPlatformVersion = 14,
  kClientAddressableDevices = 16,
  kClientCompile = 20,
  kBufferFromHost = 22,
  kDescriptionKind = 26,
  kDeviceGetDescription = 29,
  kExecutableDestroy = 40,
  kExecutableNumOutputs = 44,
  kExecutableCodeSize = 45,
  kLoadedDestroy = 50,
  kLoadedGetExecutable = 51,
  kLoadedExecute = 55,
  kBufferDestroy = 58,
  kBufferToHost = 70,
  kTopologyCreate = 82,
  kTopologyDestroy = 83,
  kCompile = 89,
};

// What GetPjrtApi gives. The table is as long as head.size says.
struct Api {
  Head head;
  Version version;
  void* functions[1];
};
inline constexpr std::size_t kTableBegins = 40;
static_assert(offsetof(Api, functions) == kTableBegins);
static_assert(sizeof(NamedValue) == 56 && sizeof(Compile) == 64 && sizeof(ClientCreate) == 88);
static_assert(sizeof(BufferFromHost) == 120 && sizeof(Execute) == 80 && offsetof(ExecuteOptions, later) == 72);

}  // namespace millrace::target::pjrt
