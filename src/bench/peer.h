// SPDX-License-Identifier: Apache-2.0
// Another program that runs the same workloads, asked line by line over its standard input and output, so that both
// can be measured in turn. jax_peer.py is one.
//
//   the peer, first:                  hello WHO IT IS
//   prepare NAME STEPS FOLDER         reads FOLDER/in0.npy ..., compiles, runs once, writes FOLDER/out0.npy: ready
//   run NAME STEPS                    runs once more: the milliseconds that it took (cpu_peer.py: runs STEPS times in
//                                     a row, and says the mean)
//   whatever goes wrong:              error SENTENCE
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>

#include "bench/workloads.h"

namespace millrace::bench {

class Peer {
 public:
  // Starts `command` with the shell. Error(kUser) where it does not say hello. One that does not answer for so long is
  // ended, with an Error(kUser) too.
  explicit Peer(const std::string& command, int patience_ms = 600'000);
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  const std::string& who() const { return who_; }
  // What it makes of the inputs, an array of `output`'s type.
  Array prepare(const std::string& name, std::int64_t steps, const std::vector<Array>& inputs, DType output);
  double milliseconds(const std::string& name, std::int64_t steps);
  Array prepare(const Workload& w) { return prepare(w.name, w.steps, w.inputs, DType::f32); }
  double milliseconds(const Workload& w) { return milliseconds(w.name, w.steps); }
  // Its answer to any line. Error(kUser) where it has none, or says that something went wrong.
  std::string ask(const std::string& line);

 private:
  std::string answer();

  int patience_ms_;
  pid_t child_ = -1;
  std::FILE *to_ = nullptr, *from_ = nullptr;
  std::string command_, who_;
};

}  // namespace millrace::bench
