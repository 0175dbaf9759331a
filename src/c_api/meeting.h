// SPDX-License-Identifier: Apache-2.0
// The devices of one kernel come in one by one, each on a thread of its own; a kernel whose devices speak with each
// other is simulated once for all of them, by whoever comes last, while the others wait.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "millrace/c_api.h"
#include "millrace/error.h"

namespace millrace::c_api {

// What one device brings.
struct Operands {
  std::vector<millrace_array> inputs, outputs;
};

class Meetings {
 public:
  static Meetings& instance();

  using Key = std::pair<std::int64_t, std::int64_t>;  // which execution, which call in it
  using Run = std::function<void(const Operands& of_all_devices)>;

  // Returns when the run for all devices is over, and throws what it threw. A device comes to the same call again only
  // when it is through, so that a key needs no number of its own for each visit. Error(kUser) where the others
  // do not come within `seconds`, or the same device comes twice.
  void run(const Key& key, std::size_t devices, std::size_t device, Operands operands, const Run& run, double seconds);

 private:
  struct Group {
    std::vector<std::optional<Operands>> there;
    std::size_t count = 0;
    bool full = false, done = false;
    std::optional<Error> error;  // what the run ended with, or that somebody did not come
  };

  static void wait(Group& group, std::unique_lock<std::mutex>& lock, std::condition_variable& changed, double seconds);
  static std::optional<Error> carry_out(const Group& group, const Run& run);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Key, std::shared_ptr<Group>> groups_;
};

}  // namespace millrace::c_api
