"builtin.module"() <{sym_name = "k"}> ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>):
    %0 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %1 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %2 = "stable_mosaic.vector.load"(%arg0, %0, %1) : (memref<8x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    %3 = "stable_mosaic.scf.while"(%2) ({
    ^bb0(%arg3: vector<8x128xf32>):
      %10 = "stable_mosaic.vector.shape_cast"(%arg3) : (vector<8x128xf32>) -> vector<1x8x128xf32>
      %11 = "stable_mosaic.arith.constant"() {value = dense<0xFF800000> : vector<1xf32>} : () -> vector<1xf32>
      %12 = "stable_mosaic.vector.multi_reduction"(%10, %11) {kind = #vector.kind<maximumf>, reduction_dims = array<i64: 1, 2>} : (vector<1x8x128xf32>, vector<1xf32>) -> vector<1xf32>
      %13 = "stable_mosaic.vector.shape_cast"(%12) : (vector<1xf32>) -> vector<1x1x1xf32>
      %14 = "stable_mosaic.vector.extract"(%13) {static_position = array<i64: 0, -1, 0>} : (vector<1x1x1xf32>) -> f32
      %15 = "stable_mosaic.arith.constant"() {value = 1.000000e+00 : f32} : () -> f32
      %16 = "stable_mosaic.arith.cmpf"(%14, %15) {fastmath = #arith.fastmath<none>, predicate = 3 : i64} : (f32, f32) -> i1
      "stable_mosaic.scf.condition"(%16, %arg3) : (i1, vector<8x128xf32>) -> ()
    }, {
    ^bb0(%arg2: vector<8x128xf32>):
      %7 = "stable_mosaic.arith.constant"() {value = 5.000000e-01 : f32} : () -> f32
      %8 = "stable_mosaic.vector.broadcast"(%7) : (f32) -> vector<8x128xf32>
      %9 = "stable_mosaic.arith.mulf"(%arg2, %8) {fastmath = #arith.fastmath<none>} : (vector<8x128xf32>, vector<8x128xf32>) -> vector<8x128xf32>
      "stable_mosaic.scf.yield"(%9) : (vector<8x128xf32>) -> ()
    }) : (vector<8x128xf32>) -> vector<8x128xf32>
    %4 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %5 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %6 = "stable_mosaic.vector.load"(%arg1, %4, %5) : (memref<8x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    "stable_mosaic.tpu.vector_store"(%3, %arg1, %4, %5) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xf32>, memref<8x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<8x128xf32, #tpu.memory_space<vmem>>, memref<8x128xf32, #tpu.memory_space<vmem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, sym_name = "main"} : () -> ()
}) {stable_mosaic.version = 9 : i64} : () -> ()

