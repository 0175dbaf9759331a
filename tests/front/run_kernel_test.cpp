// SPDX-License-Identifier: Apache-2.0
// Files in, files out. The kernels of tests/data/stablehlo double a matrix, and add two.
#include "front/run_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "front/files.h"

namespace millrace::front {
namespace {

using test::data;
using test::error_of;
using test::Folder;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Array counted(const Shape& shape, float first = 0) {
  Array a(f32, shape);
  for (std::int64_t i = 0; i < a.size(); ++i)
    a.as<float>()[static_cast<std::size_t>(i)] = first + static_cast<float>(i);
  return a;
}

KernelRequest of(const std::string& file, const std::string& pick = "") {
  KernelRequest request;
  request.module = data(file);
  request.pick = pick;
  request.fill = "iota";
  return request;
}

TEST(RunKernel, FillsRunsAndWrites) {
  const Folder folder;
  KernelRequest request = of("data/stablehlo/two.mlir", "scale");
  request.output_files = {folder / "out.npy"};
  const KernelRun run = run_kernel(request);
  EXPECT_TRUE(run.stops.empty());
  const Array out = read_npy(folder / "out.npy");
  EXPECT_EQ(out.shape(), (Shape{24, 128}));
  for (std::int64_t i = 0; i < out.size(); ++i) ASSERT_EQ(out.flat(i), 2.0 * static_cast<double>(i));
}

TEST(RunKernel, ReadsInputsInFortranOrder) {
  const Folder folder;
  const Array x = counted({24, 128});
  std::string data_bytes(x.bytes(), '\0');
  for (std::size_t i = 0; i < 24; ++i)
    for (std::size_t j = 0; j < 128; ++j)
      std::copy_n(reinterpret_cast<const char*>(x.data()) + 4 * (128 * i + j), 4, data_bytes.data() + 4 * (24 * j + i));
  const std::string dict = "{'descr': '<f4', 'fortran_order': True, 'shape': (24, 128), }\n";
  std::ofstream(folder / "x.npy", std::ios::binary)
      << std::string("\x93NUMPY\x01\x00", 8) << static_cast<char>(dict.size()) << '\0' << dict << data_bytes;
  KernelRequest request = of("data/stablehlo/two.mlir", "scale");
  request.input_files = {folder / "x.npy"};
  const KernelRun run = run_kernel(request);
  EXPECT_EQ(run.outputs[0].at({1, 0}), 256);
}

TEST(RunKernel, TakesGridBoundsFromTheFirstInputsOrTheOption) {
  const Folder folder;
  write_npy(folder / "n.npy", Array::full(i32, {}, 2));
  write_npy(folder / "x.npy", counted({24, 128}));
  KernelRequest files = of("data/stablehlo/dynamic.mlir"), option = files;
  files.input_files = {folder / "n.npy", folder / "x.npy"};
  option.input_files = {folder / "x.npy"};
  option.wish.grid_bounds = {2};
  const Array a = run_kernel(files).outputs[0], b = run_kernel(option).outputs[0];
  EXPECT_TRUE(same_bits(a, b));
  EXPECT_EQ(a.at({15, 0}), 2 * 15 * 128);
  EXPECT_EQ(a.at({16, 0}), 16 * 128);  // aliased, and not reached
  EXPECT_THAT(error_of([&] { run_kernel(of("data/stablehlo/dynamic.mlir")); }),
              HasSubstr("the first 1 inputs are the dynamic bounds of the grid"));
}

TEST(RunKernel, OfABareModuleTakesTheShapesItIsTold) {
  KernelRequest request = of("cases/kernels_small/alias_in_place/kernel.mlirbc");
  const Shape shape = run_kernel(request).outputs[0].shape();
  request.wish.aliases = {{0, 0}};
  EXPECT_EQ(run_kernel(request).outputs[0].shape(), shape);
  request.wish.aliases = {{0, 1}};
  EXPECT_EQ(error_of([&] { run_kernel(request); }), "user: --alias 0:1, but the kernel has 1 inputs and 1 outputs");
  request.wish.aliases.clear();
  request.wish.outputs = 5;
  EXPECT_EQ(error_of([&] { run_kernel(request); }), "user: --outputs 5, but the kernel has 2 operands in all");
}

TEST(RunKernel, TakesFourBitElementsAByteEach) {
  const Folder folder;
  std::ofstream(folder / "k.mlir")
      << "func.func @main(%a: memref<8x128xi4, #tpu.memory_space<vmem>>, %o: memref<8x128xi32, "
         "#tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, "
         "scratch_operands = 0 : i64} {\n"
         "  %c = arith.constant 0 : index\n"
         "  %v = vector.load %a[%c, %c] : memref<8x128xi4, #tpu.memory_space<vmem>>, vector<8x128xi4>\n"
         "  %w = arith.extsi %v : vector<8x128xi4> to vector<8x128xi32>\n"
         "  vector.store %w, %o[%c, %c] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>\n"
         "  return\n"
         "}\n";
  KernelRequest request;
  request.module = folder / "k.mlir";
  request.fill = "iota";
  const Array filled = run_kernel(request).outputs[0];
  EXPECT_EQ(filled.dtype(), i32);
  EXPECT_EQ(filled.flat(7), 7);
  EXPECT_EQ(filled.flat(8), -8);  // what is filled in wraps
  Array x(i8, {8, 128});
  x.as<std::int8_t>()[130] = -8;
  write_npy(folder / "x.npy", x);
  request.input_files = {folder / "x.npy"};
  EXPECT_EQ(run_kernel(request).outputs[0].flat(130), -8);
  x.as<std::int8_t>()[130] = 8;
  write_npy(folder / "x.npy", x);
  EXPECT_THAT(error_of([&] { run_kernel(request); }),
              HasSubstr("x.npy holds 8 at its element 130 (row-major); the kernel's elements have four bits: -8 to 7"));
}

TEST(RunKernel, AsksForTheShapeThatHangsOnData) {
  EXPECT_THAT(error_of([] { run_kernel(of("cases/kernels_small/prefetch_gather/kernel.mlirbc")); }),
              StartsWith("user: in1 is read through a map that needs data"));
}

TEST(RunKernel, RefusesInputsThatAreMissingTooManyOrWrong) {
  const Folder folder;
  write_npy(folder / "x.npy", counted({24, 128}));
  write_npy(folder / "small.npy", counted({8, 128}));
  KernelRequest request = of("data/stablehlo/two.mlir", "scale");
  request.fill.clear();
  EXPECT_EQ(error_of([&] { run_kernel(request); }),
            "user: the kernel takes 1 inputs, but 0 --input were given; --fill zeros makes the others");
  request.input_files = {folder / "x.npy", folder / "x.npy"};
  EXPECT_EQ(error_of([&] { run_kernel(request); }), "user: 2 inputs were given, but the kernel takes 1");
  request.input_files = {folder / "small.npy"};
  EXPECT_THAT(error_of([&] { run_kernel(request); }),
              HasSubstr("is f32 (8, 128), but the call takes f32 (24, 128) as input 0"));
  request.input_files = {"2:x.npy"};
  EXPECT_EQ(error_of([&] { run_kernel(request); }),
            "user: --input 2:x.npy: there is no such device; --devices 1 are numbered from 0");
}

TEST(RunKernel, OfSeveralDevicesTakesTheArraysOfEachAndWritesTheirs) {
  const Folder folder;
  write_npy(folder / "x.npy", counted({24, 128}));
  write_npy(folder / "other.npy", counted({24, 128}, 1000));
  KernelRequest request = of("data/stablehlo/two.mlir", "scale");
  request.devices = 3;
  request.input_files = {"0:" + (folder / "x.npy").string(), "1:" + (folder / "other.npy").string(),
                         "2:" + (folder / "x.npy").string()};
  request.output_files = {(folder / "y.npy").string()};
  const KernelRun run = run_kernel(request);
  ASSERT_EQ(run.outputs.size(), 3u);
  EXPECT_EQ(run.files, (std::vector<std::string>{folder / "y.0.npy", folder / "y.1.npy", folder / "y.2.npy"}));
  EXPECT_TRUE(same_bits(read_npy(folder / "y.0.npy"), run.outputs[2]));
  EXPECT_EQ(read_npy(folder / "y.1.npy").flat(0) - read_npy(folder / "y.0.npy").flat(0), 2000);
  EXPECT_FALSE(std::filesystem::exists(folder / "y.npy"));

  request.input_files = {folder / "x.npy"};  // the same for all
  EXPECT_TRUE(same_bits(run_kernel(request).outputs[1], run.outputs[0]));
  request.input_files.push_back("1:" + (folder / "x.npy").string());
  EXPECT_EQ(error_of([&] { run_kernel(request); }), "user: 2 inputs were given, but the kernel takes 1");
}

TEST(RunKernel, NamesWhatIsNotThere) {
  KernelRequest request = of("data/stablehlo/two.mlir", "scale");
  const auto refused = [&](auto change) {
    KernelRequest changed = request;
    change(changed);
    return error_of([&] { run_kernel(changed); });
  };
  EXPECT_THAT(refused([](auto& r) { r.target = "tpu"; }), StartsWith("unsupported: there is no tpu target"));
  EXPECT_THAT(refused([](auto& r) { r.target = "cpu"; }), StartsWith("unsupported: only `run` and `view` run"));
  EXPECT_THAT(refused([](auto& r) { r.target = "gpu"; }), StartsWith("user: --target `gpu`"));
  EXPECT_EQ(refused([](auto& r) { r.cores = 0; }), "user: --cores 0: take 1 to 64");
  EXPECT_EQ(refused([](auto& r) { r.devices = 257; }), "user: --devices 257: take 1 to 256");
  EXPECT_THAT(refused([](auto& r) { r.chip = "v3"; }), StartsWith("unsupported: --chip v3"));
  EXPECT_THAT(refused([](auto& r) { r.chip = "v1"; }), StartsWith("user: there is no chip `v1`; there are v2, v3"));
  EXPECT_THAT(refused([](auto& r) { r.dma_signal = "half"; }), StartsWith("user: --dma-signal `half` is none of"));
  EXPECT_THAT(refused([](auto& r) { r.schedule = "fast"; }), StartsWith("user: "));
}

TEST(RunKernel, StopsAtItsLimitsBeforeAnythingIsWritten) {
  const Folder folder;
  KernelRequest request = of("data/stablehlo/two.mlir", "scale");
  request.output_files = {folder / "out.npy"};
  request.max_bytes = 20'000;
  EXPECT_THAT(error_of([&] { run_kernel(request); }), HasSubstr("of memory; 20000 bytes are allowed (--max-bytes N"));
  request.max_bytes = 0;
  request.max_steps = 5;
  EXPECT_THAT(error_of([&] { run_kernel(request); }), HasSubstr("stopped after 5 instructions"));
  request.max_steps = 1'000'000;
  request.output_files = {folder / "none/out.npy"};
  EXPECT_THAT(error_of([&] { run_kernel(request); }), HasSubstr("is no folder"));
  request.output_files = {folder / "out.npy", folder / "more.npy"};
  EXPECT_THAT(error_of([&] { run_kernel(request); }), HasSubstr("the kernel has 1 outputs, but 2 --output were given"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace millrace::front
