"builtin.module"() <{sym_name = "k"}> ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg6: i32, %arg7: i32, %arg8: i32, %arg9: memref<1x8x128xf32, #tpu.memory_space<vmem>>, %arg10: memref<1x8x128xf32, #tpu.memory_space<vmem>>):
    %2 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %3 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %4 = "stable_mosaic.arith.constant"() {value = 9223372036854775807 : index} : () -> index
    %5 = "stable_mosaic.vector.load"(%arg9, %2, %3, %4) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>, index, index, index) -> vector<1x8x128xf32>
    %6 = "stable_mosaic.vector.shape_cast"(%5) : (vector<1x8x128xf32>) -> vector<8x128xf32>
    %7 = "stable_mosaic.arith.constant"() {value = 5.000000e-01 : f32} : () -> f32
    %8 = "stable_mosaic.vector.broadcast"(%7) : (f32) -> vector<8x128xf32>
    %9 = "stable_mosaic.arith.mulf"(%6, %8) {fastmath = #arith.fastmath<none>} : (vector<8x128xf32>, vector<8x128xf32>) -> vector<8x128xf32>
    %10 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %11 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %12 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %13 = "stable_mosaic.vector.load"(%arg10, %10, %11, %3) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>, index, index, index) -> vector<1x8x128xf32>
    %14 = "stable_mosaic.vector.shape_cast"(%13) : (vector<1x8x128xf32>) -> vector<8x128xf32>
    %15 = "stable_mosaic.vector.shape_cast"(%9) : (vector<8x128xf32>) -> vector<1x8x128xf32>
    "stable_mosaic.tpu.vector_store"(%15, %arg10, %10, %11, %12) {add = false, operandSegmentSizes = array<i32: 1, 1, 3, 0>, strides = array<i32>} : (vector<1x8x128xf32>, memref<1x8x128xf32, #tpu.memory_space<vmem>>, index, index, index) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>, #tpu.dimension_semantics<arbitrary>], function_type = (i32, i32, i32, memref<1x8x128xf32, #tpu.memory_space<vmem>>, memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> (), iteration_bounds = array<i64: 3, 2, 2>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, sym_name = "main", window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 8, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 8, 128>}]} : () -> ()
  "stable_mosaic.func.func"() ({
  ^bb0(%arg3: i32, %arg4: i32, %arg5: i32):
    %1 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    "stable_mosaic.func.return"(%arg3, %arg4, %arg5) : (i32, i32, i32) -> ()
  }) {function_type = (i32, i32, i32) -> (i32, i32, i32), sym_name = "transform_0"} : () -> ()
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: i32, %arg1: i32, %arg2: i32):
    %0 = "stable_mosaic.arith.constant"() {value = 7 : i32} : () -> i32
    "stable_mosaic.func.return"(%arg0, %arg1, %arg2) : (i32, i32, i32) -> ()
  }) {function_type = (i32, i32, i32) -> (i32, i32, i32), sym_name = "transform_1"} : () -> ()
}) {stable_mosaic.version = 9 : i64} : () -> ()

