// SPDX-License-Identifier: Apache-2.0
// The functions of millrace/c_api.h as a caller from another language meets them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <regex>
#include <vector>

#include "front/report_kernel.h"
#include "millrace/c_api.h"
#include "view/report_html.h"

extern "C" int run_in_plain_c(const void* module, size_t size, const char* options, const float* x, float* y,
                              std::int64_t rows);

namespace millrace::c_api {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// Both load blocks of x (32 x 128) and store them into the output; the faulty one waits for each load a step late.
const std::string kClean = "load_awaited_in_step", kFaulty = "load_awaited_one_step_late";

std::string module_of(const std::string& name) {
  std::ifstream in(MILLRACE_SOURCE_DIR "/tests/cases/faults_small/" + name + "/kernel.mlirbc", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<float> counting(std::size_t n) {
  std::vector<float> x(n);
  std::iota(x.begin(), x.end(), 0.0F);
  return x;
}

struct Opened {
  explicit Opened(const std::string& bytes, const char* options = nullptr)
      : code(millrace_module_open(bytes.data(), bytes.size(), options, &module)) {}
  ~Opened() {
    if (module) millrace_module_close(module);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  millrace_module* module = nullptr;
  int code;
};

struct Called {
  Called(millrace_module* module, const std::vector<millrace_array>& in, const std::vector<millrace_array>& out)
      : code(millrace_call(module, in.data(), in.size(), out.data(), out.size(), &result)) {}
  ~Called() {
    if (result) millrace_result_close(result);
  }
  Called(const Called&) = delete;
  Called& operator=(const Called&) = delete;

  millrace_result* result = nullptr;
  int code;
};

constexpr std::int64_t kDims[] = {32, 128};
millrace_array array_of(std::vector<float>& x) { return {x.data(), MILLRACE_F32, 2, kDims}; }

TEST(CApi, AKernelRunsInPlainC) {
  const std::string module = module_of(kClean);
  const std::vector<float> x = counting(32 * 128);
  std::vector<float> y(x.size());
  ASSERT_EQ(run_in_plain_c(module.data(), module.size(), nullptr, x.data(), y.data(), 32), MILLRACE_OK)
      << millrace_last_error();
  EXPECT_NE(y, std::vector<float>(x.size()));
  EXPECT_EQ(run_in_plain_c(module.data(), module.size(), nullptr, x.data(), y.data(), 31), MILLRACE_USER);
  EXPECT_THAT(millrace_last_error(), HasSubstr("(31, 128)"));
}

TEST(CApi, AFaultyKernelLeavesAResultWithItsFindings) {
  const Opened opened(module_of(kFaulty), R"({"arguments": ["x_hbm", "out_hbm", "buf", "sem"]})");
  ASSERT_EQ(opened.code, MILLRACE_OK) << millrace_last_error();
  std::vector<float> x = counting(32 * 128), y(x.size());
  const Called called(opened.module, {array_of(x)}, {array_of(y)});
  ASSERT_EQ(called.code, MILLRACE_FINDING) << millrace_last_error();
  const json found = json::parse(millrace_result_json(called.result));
  EXPECT_EQ(found.at("verdict"), "faulty");
  EXPECT_EQ(found.at("findings").at(0).at("id"), "race.read-write");
  EXPECT_EQ(found.at("findings").at(0).at("memory"), "buf");
  EXPECT_THAT(millrace_result_text(called.result), HasSubstr("error[race.read-write]: buf["));
}

TEST(CApi, NamesThatDoNotFitOrAreNotApartAreLeftOut) {
  for (const char* options : {R"({"arguments": ["x_hbm", "out_hbm"]})", R"({"arguments": ["x", "x", "x", "sem"]})"}) {
    const Opened opened(module_of(kFaulty), options);
    std::vector<float> x = counting(32 * 128), y(x.size());
    const Called called(opened.module, {array_of(x)}, {array_of(y)});
    ASSERT_EQ(called.code, MILLRACE_FINDING) << millrace_last_error();
    EXPECT_EQ(json::parse(millrace_result_json(called.result)).at("findings").at(0).at("memory"), "scratch0");
  }
}

TEST(CApi, AnOutputMayLieWhereAnInputLies) {
  const Opened opened(module_of(kClean));
  std::vector<float> x = counting(32 * 128), y(x.size());
  ASSERT_EQ(Called(opened.module, {array_of(x)}, {array_of(y)}).code, MILLRACE_OK);
  ASSERT_EQ(Called(opened.module, {array_of(x)}, {array_of(x)}).code, MILLRACE_OK);
  EXPECT_EQ(x, y);
}

TEST(CApi, AModuleSaysWhatItTakes) {
  const Opened opened(module_of(kClean));
  const json about = json::parse(millrace_module_describe(opened.module));
  EXPECT_EQ(about.at("bounds"), 0);
  EXPECT_EQ(about.at("inputs").at(0).at("dtype"), "f32");
  EXPECT_EQ(about.at("outputs").at(0).at("shape"), json({32, 128}));
}

TEST(CApi, WhatCannotBeIsACodeAndASentence) {
  const std::string good = module_of(kClean);
  EXPECT_EQ(Opened("no module").code, MILLRACE_USER);
  EXPECT_STRNE(millrace_last_error(), "");
  for (const char* options : {"{", "[]", R"({"speed": 1})", R"({"chip": "v1"})", R"({"outputs": 1.5})",
                              R"({"aliases": [[0]]})", R"({"check": true})", R"({"devices": 100000})"}) {
    EXPECT_EQ(Opened(good, options).code, MILLRACE_USER) << options;
    EXPECT_STRNE(millrace_last_error(), "") << options;
  }
  const Opened opened(good);
  EXPECT_STREQ(millrace_last_error(), "");
  std::vector<float> x = counting(32 * 128), y(x.size());
  millrace_array in = array_of(x);
  EXPECT_EQ(Called(opened.module, {}, {array_of(y)}).code, MILLRACE_USER);
  in.dtype = 77;
  EXPECT_EQ(Called(opened.module, {in}, {array_of(y)}).code, MILLRACE_USER);
  EXPECT_THAT(millrace_last_error(), HasSubstr("dtype 77"));
  in = array_of(x), in.data = nullptr;
  EXPECT_EQ(Called(opened.module, {in}, {array_of(y)}).code, MILLRACE_USER);
  in = array_of(x), in.rank = -1;
  EXPECT_EQ(Called(opened.module, {in}, {array_of(y)}).code, MILLRACE_USER);
  EXPECT_EQ(millrace_configure(R"({"on_finding": "shout"})"), MILLRACE_USER);
}

// Here a place that has a line is told without the scope of JAX's that it is in.
std::string without_scopes(const std::string& page) {
  return std::regex_replace(page, std::regex("(dma_start|dma_wait|get|swap) at "), "");
}

TEST(CApi, AReportIsThePageThatTheCommandWrites) {
  for (const std::string& name : {kFaulty, kClean}) {
    front::ReportRequest request;
    request.view.kernel.module = MILLRACE_SOURCE_DIR "/tests/cases/faults_small/" + name + "/kernel.mlirbc";
    request.view.kernel.fill = "iota";
    request.view.millrace_version = millrace_version();
    const json options{{"name", request.view.kernel.module.string()}, {"rules", true}};
    const Opened opened(module_of(name), options.dump().c_str());
    std::vector<float> x = counting(32 * 128), y(x.size());
    const millrace_array in = array_of(x), out = array_of(y);
    char* html = nullptr;
    ASSERT_EQ(millrace_report(opened.module, &in, 1, &out, 1, &html), MILLRACE_OK) << millrace_last_error();
    EXPECT_EQ(without_scopes(html), without_scopes(view::to_html(front::report_kernel(request))));
    millrace_text_free(html);
    EXPECT_EQ(y, std::vector<float>(x.size()));  // nothing was filled
    EXPECT_EQ(millrace_report(opened.module, &in, 1, &out, 0, &html), MILLRACE_USER);
    EXPECT_EQ(html, nullptr);
  }
}

TEST(CApi, AFolderOfReportsIsMadeOrRefused) {
  const auto folder = std::filesystem::temp_directory_path() / ("millrace_c_api_" + std::to_string(getpid()));
  EXPECT_EQ(millrace_configure(json{{"reports", (folder / "a/b").string()}}.dump().c_str()), MILLRACE_OK);
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b"));
  std::ofstream(folder / "file") << "x";
  EXPECT_EQ(millrace_configure(json{{"reports", (folder / "file").string()}}.dump().c_str()), MILLRACE_USER);
  EXPECT_THAT(millrace_last_error(), HasSubstr("cannot be made a folder of reports"));
  EXPECT_EQ(millrace_configure(R"({"reports": ""})"), MILLRACE_OK);
  std::filesystem::remove_all(folder);
}

TEST(CApi, WhatIsNotLookedForIsSaid) {
  const std::string faulty = module_of(kFaulty);
  std::vector<float> x = counting(32 * 128), y(x.size());
  const Opened unchecked(faulty, R"({"check": "none"})"), races(faulty, R"({"check": "races"})");
  const Called a(unchecked.module, {array_of(x)}, {array_of(y)}), b(races.module, {array_of(x)}, {array_of(y)});
  EXPECT_EQ(a.code, MILLRACE_OK);
  EXPECT_THAT(millrace_result_text(a.result), HasSubstr("races were not looked for"));
  EXPECT_EQ(b.code, MILLRACE_FINDING);
}

}  // namespace
}  // namespace millrace::c_api
