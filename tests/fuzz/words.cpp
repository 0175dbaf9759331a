// SPDX-License-Identifier: Apache-2.0
#include "fuzz/words.h"

namespace millrace::fuzz {

const std::vector<std::string_view>& operation_words() {
  static const std::vector<std::string_view> words{
      "arith.constant", "arith.addi",      "arith.addf",       "arith.cmpi",          "arith.select",
      "arith.bitcast",  "arith.trunci",    "arith.extf",       "arith.index_cast",    "arith.sitofp",
      "scf.for",        "scf.if",          "scf.while",        "scf.yield",           "scf.condition",
      "scf.parallel",   "scf.forall",      "scf.execute_region", "scf.index_switch",  "func.func",
      "func.return",    "func.call",       "func.constant",    "cf.assert",           "cf.br",
      "cf.cond_br",     "cf.switch",       "memref.alloca",    "memref.load",         "memref.store",
      "memref.subview", "memref.global",   "memref.get_global", "memref.reinterpret_cast", "memref.expand_shape",
      "memref.cast",    "memref.view",     "vector.broadcast", "vector.shape_cast",   "vector.multi_reduction",
      "vector.extract", "vector.insert",   "vector.contract",  "vector.transfer_read", "vector.shuffle",
      "vector.mask",    "vector.load",     "vector.extract_strided_slice", "vector.bitcast", "vector.create_mask",
      "math.exp",       "math.fma",        "builtin.module",   "builtin.unrealized_conversion_cast",
      "tpu.region",     "tpu.yield",       "tpu.enqueue_dma",  "tpu.wait_dma2",       "tpu.wait_dma",
      "tpu.sem_alloc",  "tpu.sem_signal",  "tpu.sem_wait",     "tpu.memref_slice",    "tpu.memref_squeeze",
      "tpu.memref_reshape", "tpu.memref_bitcast", "tpu.matmul", "tpu.vector_store",   "tpu.strided_load",
      "tpu.iota",       "tpu.transpose",   "tpu.concatenate",  "tpu.dynamic_rotate",  "tpu.dynamic_gather",
      "tpu.bitcast",    "tpu.reduce_index", "tpu.iteration_bound", "tpu.prng_random_bits", "tpu.no_such_operation",
  };
  return words;
}

const std::vector<std::string_view>& attribute_words() {
  static const std::vector<std::string_view> words{
      "0 : i32", "-1 : i64", "1 : i1", "true", "unit", "9223372036854775807 : i64", "0 : index", "0 : i0", "1 : si32",
      "1 : i128", "0x7FC00000 : f32", "1.0 : f64", "1.0 : bf16", "\"text\"", "@transform_0", "@a::@b",
      "array<i32>", "array<i32: 0, 1>", "array<i64: -1>", "array<i1: true>", "array<f32: 1.0>", "array<i8: 1, 2>",
      "array<i5: 1>", "dense<0> : vector<8xi32>", "dense<1.0> : vector<8x128xf32>", "dense<true> : vector<8xi1>",
      "dense<\"0x00\"> : vector<1xi8>", "dense<[1, 2]> : vector<2xi32>", "dense<0> : tensor<2xi32>",
      "dense<0> : vector<0xi32>", "dense<> : tensor<0xi32>", "dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>",
      "dense<\"a\"> : tensor<2x!tpu.semaphore>", "sparse<[[0]], [1]> : tensor<4xi32>",
      "dense_resource<blob> : tensor<4xi32>", "affine_map<(d0) -> (d0)>", "affine_map<() -> ()>",
      "affine_map<(d0)[s0] -> (d0 floordiv 0 + s0 mod 0)>", "affine_set<(d0) : (d0 >= 0)>",
      "strided<[1], offset: ?>", "strided<[1, 1]>", "distinct[0]<1 : i32>", "loc(\"f\":1:2)", "loc(unknown)",
      "loc(callsite(\"a\" at \"b\"))", "[]", "[1, \"a\"]", "{}", "{a = 1}", "i32", "memref<8xf32>",
      "#tpu.memory_space<vmem>", "#tpu.memory_space<semaphore_mem>", "#tpu.memory_space<none>",
      "#tpu.dimension_semantics<parallel>", "#tpu.core_type<tc>", "#tpu.pipeline_mode<synchronous>",
      "#tpu.revisit_mode<any>", "#tpu.element_window<[0, 0], [8, 0]>", "#tpu.element_window<[], []>",
      "#tpu.contract_precision<fp32>", "#tpu.dot_dimension_numbers<[1],[0],[0],[1],[0, 0, 1, 1],[],[]>",
      "#tpu.dot_dimension_numbers<[9],[-1],[],[],[0],[],[]>", "#tpu.reduction_kind<arg_max>", "#tpu.tiled<(8,128)>",
      "#tpu.nothing", "#arith.fastmath<fast>", "#arith.overflow<nsw>", "#vector.kind<add>", "#vector.kind<maxsi>",
      "#unknown.attribute<1>", "#scf.x", "#llvm.y<z>",
  };
  return words;
}

const std::vector<std::string_view>& type_words() {
  static const std::vector<std::string_view> words{
      "i0", "i1", "i2", "i4", "i8", "i16", "i32", "i64", "i128", "i16777215", "si32", "ui8", "index", "f16", "bf16",
      "f32", "f64", "f80", "f128", "tf32", "f8E5M2", "f8E4M3FN", "f8E4M3B11FNUZ", "f4E2M1FN", "f8E8M0FNU", "none",
      "vector<8x128xf32>", "vector<4xi1>", "vector<f32>", "vector<[4]xf32>", "vector<0xf32>", "vector<8xindex>",
      "vector<1048576x1048576x1048576xf32>", "vector<8x!tpu.semaphore>", "tensor<8xf32>", "tensor<*xf32>",
      "tensor<?xf32>", "memref<8x128xf32, #tpu.memory_space<vmem>>", "memref<?x128xf32, #tpu.memory_space<any>>",
      "memref<*xf32>", "memref<8xf32>", "memref<8xf32, 3>", "memref<f32, #tpu.memory_space<smem>>",
      "memref<0xf32, #tpu.memory_space<vmem>>", "memref<8xf32, strided<[1], offset: 5>>",
      "memref<8x8xf32, affine_map<(d0, d1) -> (d1, d0)>, #tpu.memory_space<vmem>>",
      "memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>",
      "memref<2x!tpu.semaphore, #tpu.memory_space<semaphore_mem>>",
      "memref<4611686018427387904xf32, #tpu.memory_space<hbm>>", "memref<4xvector<8xf32>>", "!tpu.semaphore",
      "!tpu.dma_semaphore", "!tpu.float8_exmy<f8E4M3FN>", "!tpu.nothing", "!unknown.type<1>", "complex<f32>",
      "tuple<i32, f32>", "() -> ()", "(i32) -> i32", "((i32) -> ()) -> ()", "!llvm.ptr",
  };
  return words;
}

const std::vector<std::string_view>& number_words() {
  static const std::vector<std::string_view> words{
      "0", "1", "-1", "2", "7", "8", "9", "127", "128", "129", "255", "256", "1024", "65536", "2147483647",
      "-2147483648", "4294967296", "4611686018427387904", "9223372036854775807", "-9223372036854775808",
      "18446744073709551615", "18446744073709551616", "99999999999999999999999999", "1.0", "1e308", "-0.0", "0x7F", "?",
  };
  return words;
}

}  // namespace millrace::fuzz
