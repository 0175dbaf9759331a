// SPDX-License-Identifier: Apache-2.0
#include "lab/environment.h"

#include <fstream>
#include <sstream>

namespace millrace::lab {

std::string cpu_name_in(const std::string& cpuinfo) {
  std::istringstream lines(cpuinfo);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t first = line.find_first_not_of(" \t", colon + 1);
    const std::size_t last = line.find_last_not_of(" \t\r");
    if (first != std::string::npos) return line.substr(first, last - first + 1);
  }
  return "cpu";
}

std::string host_cpu() {
  std::ifstream file("/proc/cpuinfo");
  std::ostringstream text;
  text << file.rdbuf();
  return cpu_name_in(text.str());
}

}  // namespace millrace::lab
