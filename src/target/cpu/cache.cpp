// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/cache.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>

#include "array/sha256.h"
#include "millrace/error.h"
#include "millrace/file.h"

namespace millrace::cpu {

namespace {

constexpr std::size_t kMostInMemory = 256;
constexpr std::size_t kHash = 64;  // a file is the hash of the object, then the object

struct InMemory {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const Code>> code;
};

InMemory& in_memory() {
  static InMemory all;
  return all;
}

// Where objects lie; empty: nowhere.
std::filesystem::path folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (variable("MILLRACE_CACHE") == "off") return {};
  const std::string caches = variable("XDG_CACHE_HOME"), home = variable("HOME");
  if (!caches.empty() && std::filesystem::path(caches).is_absolute()) return std::filesystem::path(caches) / "millrace";
  return home.empty() ? std::filesystem::path() : std::filesystem::path(home) / ".cache" / "millrace";
}

}  // namespace

std::string key_of(const std::string& module, const std::string& cpu) {
  Sha256 hash;
  hash.add("millrace " MILLRACE_VERSION " llvm " MILLRACE_LLVM_VERSION "\n");
  hash.add(cpu + "\n");
  hash.add(module);
  return hash.hex();
}

std::shared_ptr<const Code> cached_code(const std::string& key) {
  InMemory& all = in_memory();
  const std::scoped_lock lock(all.mutex);
  const auto found = all.code.find(key);
  return found == all.code.end() ? nullptr : found->second;
}

std::shared_ptr<const Code> keep(const std::string& key, std::shared_ptr<const Code> code) {
  InMemory& all = in_memory();
  const std::scoped_lock lock(all.mutex);
  if (all.code.size() >= kMostInMemory) all.code.clear();  // kernels that still use theirs keep it
  return all.code.try_emplace(key, std::move(code)).first->second;
}

std::string cached_object(const std::string& key) {
  const std::filesystem::path at = folder();
  if (at.empty()) return {};
  std::ifstream file(at / (key + ".o"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.size() <= kHash) return {};
  std::string object = bytes.substr(kHash);
  return sha256_of(object) == bytes.substr(0, kHash) ? object : std::string();
}

// A cache that cannot be written is none, not a fault.
void store_object(const std::string& key, const std::string& object) {
  const std::filesystem::path at = folder();
  if (at.empty()) return;
  try {
    std::filesystem::create_directories(at);
    write_whole_file(at / (key + ".o"), sha256_of(object), object);
  } catch (const std::filesystem::filesystem_error&) {
  } catch (const Error&) {
  }
}

}  // namespace millrace::cpu
