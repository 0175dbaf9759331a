// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/device.h"

#include <algorithm>
#include <fstream>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace millrace::cpu {

namespace {

std::string trimmed(std::string text) {
  text.erase(std::find(text.begin(), text.end(), '\0'), text.end());
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

std::string brand() {
#if defined(__x86_64__)
  constexpr unsigned kFirst = 0x80000002, kLast = 0x80000004;
  if (__get_cpuid_max(0x80000000, nullptr) < kLast) return {};
  std::string text;
  for (unsigned leaf = kFirst; leaf <= kLast; ++leaf) {
    unsigned r[4] = {};
    __get_cpuid(leaf, &r[0], &r[1], &r[2], &r[3]);
    text.append(reinterpret_cast<const char*>(r), sizeof r);
  }
  return trimmed(text);
#else
  return {};
#endif
}

}  // namespace

std::string device_name() {
  if (const std::string name = brand(); !name.empty()) return name;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && line.starts_with("model name")) return trimmed(line.substr(colon + 1));
  }
  return "unknown CPU";
}

}  // namespace millrace::cpu
