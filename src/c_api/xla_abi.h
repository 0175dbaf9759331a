// SPDX-License-Identifier: Apache-2.0
// How XLA calls a foreign function, as far as one that runs on a CPU needs it: the layout of the structs of XLA's FFI,
// version 0.1 to 0.3, with names of our own. A build needs no header of XLA; tests/python holds every offset below
// against jaxlib's own header. Fields that are not used here have no type but their size.
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace::c_api::xla {

struct Extension {
  std::size_t struct_size;
  std::int32_t type;
  Extension* next;
};
inline constexpr std::int32_t kMetadataExtension = 1;

struct Version {
  std::size_t struct_size;
  Extension* extension;
  std::int32_t major, minor;
};

struct Metadata {
  std::size_t struct_size;
  Version version;
  std::uint32_t traits;
};

struct MetadataExtension {
  Extension base;
  Metadata* metadata;
};

struct Error;    // XLA's own
struct Context;  // of one execution

struct ErrorCreate {
  std::size_t struct_size;
  Extension* extension;
  const char* message;
  std::int32_t code;
};

// absl's status codes.
inline constexpr std::int32_t kInvalidArgument = 3, kAborted = 10, kUnimplemented = 12, kInternal = 13;

struct RunIdGet {
  std::size_t struct_size;
  Extension* extension;
  Context* context;
  std::int64_t run_id;
};

using Unused = void (*)();

struct Api {
  std::size_t struct_size;
  Extension* extension;
  Version version;
  const void* internal;
  Error* (*error_create)(ErrorCreate*);
  Unused error_message, error_destroy, handler_register, stream, type_register, context_get, state_set, state_get;
  Unused memory_allocate, memory_free, pool_schedule, pool_threads, future_create, future_available, future_error;
  Error* (*run_id)(RunIdGet*);
  Unused device_ordinal;
};

struct Buffer {
  std::size_t struct_size;
  Extension* extension;
  std::int32_t dtype;
  void* data;
  std::int64_t rank;
  std::int64_t* dims;
};

struct Span {
  const char* data;
  std::size_t size;
};

struct ArrayAttribute {
  std::int32_t dtype;
  std::size_t size;
  void* data;
};
inline constexpr std::int32_t kArray = 1, kString = 4;  // kinds of attributes

struct Buffers {  // arguments, and results
  std::size_t struct_size;
  Extension* extension;
  std::int64_t size;
  std::int32_t* types;  // 1: a buffer
  void** buffers;
};

struct Attributes {
  std::size_t struct_size;
  Extension* extension;
  std::int64_t size;
  std::int32_t* types;
  Span** names;
  void** values;
};

struct CallFrame {
  std::size_t struct_size;
  Extension* extension;
  const Api* api;
  Context* context;
  std::int32_t stage;
  Buffers arguments, results;
  Attributes attributes;
};
inline constexpr std::int32_t kExecute = 3;  // the stage

// XLA's numbers of element types.
enum ElementType : std::int32_t {
  kPred = 1,
  kS8 = 2,
  kS16 = 3,
  kS32 = 4,
  kU8 = 6,
  kU16 = 7,
  kU32 = 8,
  kF16 = 10,
  kF32 = 11,
  kBF16 = 16,
  kF8E5M2 = 19,
  kF8E4M3FN = 20,
  kS4 = 21,
  kU4 = 22,
  kF8E4M3B11FNUZ = 23,
};

}  // namespace millrace::c_api::xla
