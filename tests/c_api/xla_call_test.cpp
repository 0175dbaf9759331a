// SPDX-License-Identifier: Apache-2.0
// The handler that XLA calls, called by a stand-in for XLA.
#include "c_api/xla_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>

#include "c_api/four_bits.h"
#include "c_api/ledger.h"
#include "millrace/c_api.h"

namespace millrace::c_api::xla {

struct Error {
  std::string message;
  std::int32_t code;
};

}  // namespace millrace::c_api::xla

namespace millrace::c_api {
namespace {

using testing::HasSubstr;

xla::Error* make_error(xla::ErrorCreate* args) { return new xla::Error{args->message, args->code}; }

xla::Error* tell_run_id(xla::RunIdGet* args) {
  args->run_id = 1;
  return nullptr;
}

std::string module_of(const std::string& name) {
  std::ifstream in(MILLRACE_SOURCE_DIR "/tests/cases/faults_small/" + name + "/kernel.mlirbc", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// One call with f32 arrays of 32 x 128, as XLA frames it.
class Frame {
 public:
  Frame(std::string module, std::string meta) : module_(std::move(module)), meta_(std::move(meta)) {
    std::iota(x.begin(), x.end(), 0.0F);
    api_.error_create = make_error, api_.run_id = tell_run_id;
    frame_.api = &api_, frame_.stage = xla::kExecute;
    frame_.arguments.size = 2, frame_.arguments.buffers = arguments_;
    frame_.results.size = 1, frame_.results.buffers = results_;
    frame_.attributes = {0, nullptr, 2, kinds_, names_, values_};
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  // The error's words; empty where there is none.
  std::string call() {
    xla::Error* error = xla_call(frame_);
    if (!error) return "";
    std::string message = error->message;
    code = error->code;
    delete error;
    return message;
  }

  std::vector<float> x = std::vector<float>(32 * 128), y = std::vector<float>(32 * 128);
  std::uint32_t device = 0;
  std::int32_t code = 0;
  xla::Buffer in = {0, nullptr, xla::kF32, x.data(), 2, dims_}, number = {0, nullptr, xla::kU32, &device, 0, nullptr},
              out = {0, nullptr, xla::kF32, y.data(), 2, dims_};

 private:
  std::string module_, meta_;
  std::int64_t dims_[2] = {32, 128};
  xla::Api api_ = {};
  void *arguments_[2] = {&in, &number}, *results_[1] = {&out};
  xla::Span meta_name_ = {"meta", 4}, module_name_ = {"module", 6}, text_ = {meta_.data(), meta_.size()};
  xla::ArrayAttribute bytes_ = {xla::kU8, module_.size(), module_.data()};
  std::int32_t kinds_[2] = {xla::kString, xla::kArray};
  xla::Span* names_[2] = {&meta_name_, &module_name_};
  void* values_[2] = {&text_, &bytes_};
  xla::CallFrame frame_ = {};
};

std::string meta(const std::string& more = "") {
  return R"({"options": {}, "call": {"id": 1, "kernel": "copy", "called_at": ["a.py:3"])" + more + "}}";
}

nlohmann::json ledger_of(const std::function<void()>& work) {
  millrace_ledger_begin();
  work();
  char* text = millrace_ledger_end();
  auto json = nlohmann::json::parse(text);
  millrace_text_free(text);
  return json;
}

TEST(XlaCall, ACleanKernelFillsItsResultAndStandsInTheLedger) {
  Frame frame(module_of("load_awaited_in_step"), meta());
  const auto ledger = ledger_of([&] {
    EXPECT_EQ(frame.call(), "");
    EXPECT_EQ(frame.call(), "");
  });
  EXPECT_NE(frame.y, std::vector<float>(32 * 128));
  ASSERT_EQ(ledger.at("calls").size(), 1U);
  EXPECT_EQ(ledger.at("calls").at(0).at("runs"), 2);
  EXPECT_EQ(ledger.at("calls").at(0).at("findings").size(), 0U);
}

TEST(XlaCall, AFaultyKernelFailsTheCallOrOnlyReports) {
  Frame raises(module_of("load_awaited_one_step_late"), meta(R"(, "on_finding": "raise")"));
  Frame reports(module_of("load_awaited_one_step_late"), meta(R"(, "on_finding": "report")"));
  const auto ledger = ledger_of([&] {
    EXPECT_THAT(
        raises.call(),
        HasSubstr("millrace: race.read-write in kernel copy called at a.py:3\nerror[race.read-write]: scratch0["));
    EXPECT_EQ(raises.code, xla::kAborted);
    EXPECT_EQ(reports.call(), "");
  });
  EXPECT_EQ(ledger.at("calls").at(0).at("faulty_runs"), 2);
  EXPECT_EQ(millrace_last_run_raced(), 0);  // of the ledger below
}

TEST(XlaCall, WhatCannotRunIsAnErrorAndInTheLedger) {
  Frame frame("no module", meta());
  const auto ledger = ledger_of([&] {
    EXPECT_THAT(frame.call(), HasSubstr("millrace: "));
    EXPECT_EQ(frame.code, xla::kInvalidArgument);
  });
  EXPECT_EQ(ledger.at("calls").at(0).at("errors").at(0).at("code"), 2);

  Frame doubles(module_of("load_awaited_in_step"), meta());
  doubles.in.dtype = 12;
  EXPECT_THAT(doubles.call(), HasSubstr("operand 0 has XLA's element type 12"));
  EXPECT_EQ(doubles.code, xla::kUnimplemented);

  Frame damaged(module_of("load_awaited_in_step"), "{}");
  EXPECT_THAT(damaged.call(), HasSubstr("the attribute meta"));
  EXPECT_EQ(damaged.code, xla::kInternal);
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The folder of reports, for as long as this lives.
struct Reports {
  Reports() { millrace_configure(nlohmann::json{{"reports", folder.string()}}.dump().c_str()); }
  ~Reports() {
    millrace_configure(R"({"reports": ""})");
    std::filesystem::remove_all(folder);
  }
  Reports(const Reports&) = delete;
  Reports& operator=(const Reports&) = delete;

  std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) all.insert(entry.path().filename().string());
    return all;
  }

  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("millrace_reports_" + std::to_string(getpid()));
};

TEST(XlaCall, AReportIsOfTheFirstRunAndThenOfTheFirstThatIsFaulty) {
  const Reports reports;
  const auto file = reports.folder / "copy-a.py-3.html";
  const auto ledger = ledger_of([&] {
    Frame clean(module_of("load_awaited_in_step"), meta());
    EXPECT_EQ(clean.call(), "");
    const std::string first = text_of(file);
    EXPECT_THAT(first, HasSubstr("copy, called at a.py:3"));
    EXPECT_THAT(first, Not(HasSubstr("race.read-write")));
    std::filesystem::remove(file);
    EXPECT_EQ(clean.call(), "");
    EXPECT_FALSE(std::filesystem::exists(file));  // not again for the same

    Frame faulty(module_of("load_awaited_one_step_late"), meta(R"(, "on_finding": "raise")"));
    EXPECT_THAT(faulty.call(), HasSubstr("race.read-write"));
    EXPECT_THAT(text_of(file), HasSubstr("race.read-write"));
    std::filesystem::remove(file);
    EXPECT_EQ(clean.call(), "");
    EXPECT_THAT(faulty.call(), HasSubstr("race.read-write"));
    EXPECT_FALSE(std::filesystem::exists(file));
  });
  EXPECT_EQ(ledger.at("calls").at(0).at("report"), file.string());
}

TEST(XlaCall, CallsThatAreCalledAlikeHaveReportsOfTheirOwn) {
  const Reports reports;
  Frame here(module_of("load_awaited_in_step"), meta());
  for (int i = 0; i < 2; ++i) ledger_of([&] { EXPECT_EQ(here.call(), ""); });
  Frame hostile(module_of("load_awaited_in_step"),
                R"({"options": {}, "call": {"id": 3, "kernel": "index", "called_at": []}})");
  Frame nowhere(module_of("load_awaited_in_step"),
                R"({"options": {}, "call": {"id": 4, "kernel": "../a b", "called_at": []}})");
  ledger_of([&] { EXPECT_EQ(hostile.call() + nowhere.call(), ""); });
  EXPECT_THAT(reports.names(),
              testing::ElementsAre("-..-a-b.html", "copy-a.py-3-2.html", "copy-a.py-3-3.html", "index-2.html"));
}

TEST(XlaCall, AReportThatCannotBeWrittenIsAnErrorOfTheCall) {
  const Reports reports;
  std::filesystem::create_directories(reports.folder / "lost-a.py-3.html");
  Frame frame(module_of("load_awaited_in_step"),
              R"({"options": {}, "call": {"id": 5, "kernel": "lost", "called_at": ["a.py:3"]}})");
  EXPECT_THAT(frame.call(), HasSubstr("lost-a.py-3.html"));
  EXPECT_EQ(frame.code, xla::kInvalidArgument);
}

TEST(FourBits, GoTwoAByteTheFirstInTheLowHalf) {
  const std::int64_t dims[] = {5};
  std::uint8_t packed[3] = {0x98, 0x7f, 0x03}, back[3] = {0xee, 0xee, 0xee};
  FourBits bits;
  const millrace_array in = bits.input({packed, MILLRACE_I8, 1, dims}, true);
  const auto* values = static_cast<const std::int8_t*>(in.data);
  EXPECT_THAT(std::vector<int>(values, values + 5), testing::ElementsAre(-8, -7, -1, 7, 3));
  const millrace_array plain = bits.input({packed, MILLRACE_U8, 1, dims}, false);
  EXPECT_EQ(static_cast<const std::uint8_t*>(plain.data)[2], 15);
  const millrace_array out = bits.output({back, MILLRACE_I8, 1, dims}, true);
  std::copy(values, values + 5, static_cast<std::int8_t*>(out.data));
  bits.pack();
  EXPECT_THAT(back, testing::ElementsAre(0x98, 0x7f, 0x03));
}

}  // namespace
}  // namespace millrace::c_api
