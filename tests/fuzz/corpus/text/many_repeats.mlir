module @sample {
  func.func @main(%x: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {
    dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %i = arith.constant dense<[[1.0,2.0]]> : vector<1x2xf32>
    %f = "tpu.repeat"(%i) {dimension = 0 : i32, times = 100000000 : i32} : (vector<1x2xf32>) -> vector<100000000x2xf32>
    %e = "vector.extract_strided_slice"(%f) {offsets = [0, 0], sizes = [8, 1], strides = [1, 1]} : (vector<100000000x2xf32>) -> vector<8x1xf32>
    %g = "vector.broadcast"(%e) : (vector<8x1xf32>) -> vector<8x128xf32>
    %c = arith.constant 0 : index
    "tpu.vector_store"(%g, %x, %c, %c) {operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xf32>, memref<8x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    return
  }
}
