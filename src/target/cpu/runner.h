// SPDX-License-Identifier: Apache-2.0
// A program on this CPU: planned and compiled once, run with arrays again and again.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "millrace/array.h"
#include "millrace/native.h"
#include "target/cpu/code.h"
#include "target/cpu/plan.h"
#include "target/together.h"

namespace millrace::cpu {

class Runner {
 public:
  Runner(const program::Program& program, std::vector<program::OperandSpec> inputs,
         std::vector<program::OperandSpec> outputs, const NativeOptions& options);

  // Of several devices the arrays of device 0, then those of device 1, ... `outputs` empty: they are made. Error(kUser)
  // for arrays of other dtypes or shapes.
  void run(const std::vector<Array>& inputs, std::vector<Array>& outputs);

  const Plan& plan() const { return plan_; }
  bool from_cache() const { return from_cache_; }
  double compile_seconds() const { return compile_seconds_; }
  int threads() const { return threads_; }  // that the last run used: one a core, where there are several
  std::vector<std::string> movement() const;
  std::vector<Span> take_spans();  // of the last run, with explicit copies; of all cores, of one its first thread

 private:
  void take(const std::vector<Array>& inputs, std::vector<Array>& outputs);
  void take_device(int device, const std::vector<Array>& inputs, std::vector<Array>& outputs);
  void give(std::vector<Array>& outputs);
  void hire(int workers);
  int share_out(std::int64_t points);  // among how many threads
  bool may_share();
  bool blocks_apart(int threads, std::int64_t points, std::int64_t each);

  Plan plan_;
  NativeOptions options_;
  std::shared_ptr<const Code> code_;
  std::vector<std::unique_ptr<Semaphores>> semaphores_;  // of all cores; of one, by thread
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<target::Together> together_;
  std::vector<Array> converted_, results_;       // what arrays hold otherwise than the kernel's memory
  std::vector<std::vector<std::byte*>> arrays_;  // by device and memory slot
  bool from_cache_ = false;
  double compile_seconds_ = 0;
  int threads_ = 1;
  std::optional<bool> apart_;  // whether threads write blocks of their own, where that depends on no data
};

}  // namespace millrace::cpu
