// SPDX-License-Identifier: Apache-2.0
// What the calls of one process found, kept here because a caller need not look at a result: a call whose result is
// dropped has run all the same. One record a call site; a fault that comes again there is the same fault.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "millrace/error.h"
#include "report/checked.h"

namespace millrace::c_api {

// Who calls a kernel.
struct Caller {
  std::string kernel;                  // its name
  std::string kernel_at;               // where it is defined: "lesson.py:12", or empty
  std::vector<std::string> called_at;  // the innermost first
  std::string chip, check;
  std::int64_t devices = 1;
  bool asks_for_races = true;  // it looks at last_run_raced
};

class Ledger {
 public:
  static Ledger& instance();

  // Error(kFinding) and the like are for kernels that did not run at all.
  void add(const Caller& caller, const report::Checked& checked, bool raised);
  void add(const Caller& caller, const Error& error);
  bool is_drawn(const Caller& caller);
  void add_drawing(const Caller& caller, std::string svg);
  // Writes `page` into a file of this caller's in `folder`: for its first run, and once more for the first that is
  // faulty. Two callers of one process have two files.
  void write_report(const std::string& folder, const Caller& caller, bool faulty,
                    const std::function<std::string()>& page);

  void begin();
  std::string end();
  std::string json() const;
  bool last_run_raced() const;

 private:
  struct Record {
    Caller caller;
    std::uint64_t runs = 0, faulty_runs = 0;
    std::set<std::string> known;  // by what tells findings apart
    nlohmann::ordered_json findings = nlohmann::ordered_json::array();
    std::string text, svg;
    std::string report;  // the file
    bool report_is_of_fault = false;
    bool raised = false;
    std::map<std::pair<int, std::string>, std::uint64_t> errors;
    report::Schedules schedules;
    Work work;
  };
  struct Page {
    std::vector<Record> records;
    std::map<std::string, std::size_t> by_caller;
    bool last_run_raced = false;
  };

  static nlohmann::ordered_json json_of(const Record& record);
  static std::string json_of(const Page& page);
  Record& record_of(const Caller& caller);

  std::string report_file_of(const std::string& folder, const Caller& caller, bool faulty);

  std::mutex reports_mutex_;       // one at a time, so that none is replaced by an older one
  std::set<std::string> reports_;  // all files, of all pages
  mutable std::mutex mutex_;
  std::vector<Page> pages_ = std::vector<Page>(1);
};

}  // namespace millrace::c_api
