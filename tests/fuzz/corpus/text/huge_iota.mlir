module @sample {
  func.func @main(%x: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {
    dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %i = "tpu.iota"() {dimensions = array<i32: 0>} : () -> vector<65536x65536xi32>
    %f = arith.sitofp %i : vector<65536x65536xi32> to vector<65536x65536xf32>
    %e = "vector.extract_strided_slice"(%f) {offsets = [0, 0], sizes = [8, 128], strides = [1, 1]} : (vector<65536x65536xf32>) -> vector<8x128xf32>
    %c = arith.constant 0 : index
    "tpu.vector_store"(%e, %x, %c, %c) {operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xf32>, memref<8x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    return
  }
}
