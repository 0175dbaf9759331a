// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "cli/app.h"

int main(int argc, char** argv) {
  return millrace::cli::run_command_line(argc, argv, std::cout, std::cerr, "/proc/self/exe");
}
