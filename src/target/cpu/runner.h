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

  // `outputs` empty: they are made. Error(kUser) for arrays of other dtypes or shapes.
  void run(const std::vector<Array>& inputs, std::vector<Array>& outputs);

  const Plan& plan() const { return plan_; }
  bool from_cache() const { return from_cache_; }
  double compile_seconds() const { return compile_seconds_; }
  int threads() const { return threads_; }  // that the last run used
  std::vector<std::string> movement() const;
  std::vector<Span> take_spans();  // of the last run, with explicit copies; of its first thread

 private:
  void take(const std::vector<Array>& inputs, std::vector<Array>& outputs);
  void give(std::vector<Array>& outputs);
  bool may_share();
  bool blocks_apart(int threads, std::int64_t points, std::int64_t each);

  Plan plan_;
  NativeOptions options_;
  std::shared_ptr<const Code> code_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<target::Together> together_;
  std::vector<Array> converted_, results_;  // what arrays hold otherwise than the kernel's memory
  std::vector<std::byte*> arrays_;          // by memory slot
  bool from_cache_ = false;
  double compile_seconds_ = 0;
  int threads_ = 1;
  std::optional<bool> apart_;  // whether threads write blocks of their own, where that depends on no data
};

}  // namespace millrace::cpu
