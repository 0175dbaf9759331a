// SPDX-License-Identifier: Apache-2.0
// libFuzzer's door to one target, which the build names. One change in eight is libFuzzer's own.
#include <cstdint>
#include <cstring>
#include <string>

#include "targets.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using millrace::fuzz::Random;

const millrace::fuzz::Target& target() {
  static const millrace::fuzz::Target& named = millrace::fuzz::target_named(MILLRACE_FUZZ_TARGET);
  return named;
}

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

std::size_t put(const std::string& bytes, std::uint8_t* out, std::size_t most) {
  const std::size_t size = std::min(bytes.size(), most);
  std::memcpy(out, bytes.data(), size);
  return size;
}

}  // namespace

extern "C" {

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target().run(text_of(data, size));
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  if (seed % 8 == 0) return LLVMFuzzerMutate(data, size, max_size);
  Random random(seed);
  const std::string_view bytes = text_of(data, size);
  return put(target().mutate(bytes, bytes, random), data, max_size);
}

std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size, const std::uint8_t* second,
                                      std::size_t second_size, std::uint8_t* out, std::size_t max_size, unsigned seed) {
  Random random(seed);
  return put(target().mutate(text_of(first, first_size), text_of(second, second_size), random), out, max_size);
}

}  // extern "C"
