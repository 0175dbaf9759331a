// SPDX-License-Identifier: Apache-2.0
// A kernel that is read once and run often: the module, how it is to be run, and what it was lowered to for the shapes
// that came.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "c_api/options.h"
#include "front/run_kernel.h"

namespace millrace::c_api {

class Module {
 public:
  Module(std::string_view bytes, Options options);

  // The same object for the same bytes and options, as long as a few hundred others were not asked for meanwhile.
  // `options` is a JSON object or empty.
  static std::shared_ptr<Module> open(std::string_view bytes, const std::string& options);

  const Options& options() const { return options_; }
  const std::string& description() const { return description_; }  // see millrace_module_describe
  std::string sha256() const;                                      // of the module as it was given
  std::size_t bounds() const { return bounds_; }                   // dynamic bounds of the grid
  std::size_t inputs() const { return inputs_; }                   // of one device, bounds not counted
  std::size_t outputs() const { return outputs_; }
  bool asks_for_device() const { return asks_for_device_; }  // what it does depends on which device runs it

  // The file of a source that findings name `name`: as the module had it.
  std::string source_of(const std::string& name) const;

  // Ready to run on arrays like these, of one device; without inputs. Error(kUser) where they do not fit.
  front::LoadedKernel prepared(const std::vector<front::Tensor>& inputs, const std::vector<front::Tensor>& outputs,
                               const std::vector<std::int64_t>& bounds);

 private:
  api::Names names() const;
  front::LoadedKernel prepare(const std::vector<front::Tensor>& inputs, const std::vector<front::Tensor>& outputs,
                              const std::vector<std::int64_t>& bounds) const;

  Options options_;
  std::string bytes_;
  std::shared_ptr<const front::Kernel> kernel_;
  std::size_t bounds_ = 0, inputs_ = 0, outputs_ = 0, scratch_ = 0;
  bool asks_for_device_ = false;
  std::string description_;
  std::map<std::string, std::string, std::less<>> sources_;  // as the module had them, by the short names
  std::mutex mutex_;
  std::map<std::string, front::LoadedKernel> prepared_;  // by shapes and bounds
};

}  // namespace millrace::c_api
