// SPDX-License-Identifier: Apache-2.0
#include "c_api/meeting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>

namespace millrace::c_api {

Meetings& Meetings::instance() {
  static Meetings* const meetings = new Meetings;  // threads of XLA may outlive static objects
  return *meetings;
}

std::optional<Error> Meetings::carry_out(const Group& group, const Run& run) {
  Operands all;
  for (const auto& one : group.there) {
    all.inputs.insert(all.inputs.end(), one->inputs.begin(), one->inputs.end());
    all.outputs.insert(all.outputs.end(), one->outputs.begin(), one->outputs.end());
  }
  try {
    run(all);
  } catch (const Error& error) {
    return error;
  } catch (const std::exception& error) {
    return Error(ErrorCode::kInternal, error.what());
  }
  return {};
}

void Meetings::wait(Group& group, std::unique_lock<std::mutex>& lock, std::condition_variable& changed,
                    double seconds) {
  const auto patience = std::chrono::duration<double>(seconds);
  const bool came = changed.wait_for(lock, patience, [&] { return group.full || group.done; });
  if (!came) {
    std::vector<std::size_t> missing;
    for (std::size_t d = 0; d < group.there.size(); ++d)
      if (!group.there[d]) missing.push_back(d);
    group.done = true;
    group.error = Error(ErrorCode::kUser,
                        fmt::format("{} of {} devices came to this kernel within {} s; missing: {}. Do all devices of "
                                    "the mesh call it?",
                                    group.count, group.there.size(), seconds, fmt::join(missing, ", ")));
    changed.notify_all();
  }
  changed.wait(lock, [&] { return group.done; });
}

void Meetings::run(const Key& key, std::size_t devices, std::size_t device, Operands operands, const Run& run,
                   double seconds) {
  if (device >= devices)
    throw Error(ErrorCode::kUser, fmt::format("device {} calls a kernel for {} devices", device, devices));
  std::unique_lock lock(mutex_);
  std::shared_ptr<Group>& place = groups_[key];
  if (!place || place->done)
    place = std::make_shared<Group>(Group{decltype(Group::there)(devices), 0, false, false, {}});
  const std::shared_ptr<Group> group = place;
  if (group->there.size() != devices || group->there[device])
    throw Error(ErrorCode::kUser, fmt::format("device {} comes to a kernel twice before the others came once", device));
  group->there[device] = std::move(operands);
  group->full = ++group->count == devices;
  if (group->full) {
    lock.unlock();
    auto error = carry_out(*group, run);
    lock.lock();
    group->error = std::move(error), group->done = true;
    changed_.notify_all();
  } else {
    wait(*group, lock, changed_, seconds);
  }
  if (const auto at = groups_.find(key); at != groups_.end() && at->second == group) groups_.erase(at);
  if (group->error) throw Error(*group->error);
}

}  // namespace millrace::c_api
