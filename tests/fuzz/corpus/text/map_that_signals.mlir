module @sample {
  func.func @main(%i: i32, %x: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {
    dimension_semantics = [#tpu.dimension_semantics<arbitrary>],
    iteration_bounds = array<i64: 3>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64,
    window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8, 128>}]} {
    return
  }
  func.func @transform_0(%i: i32) -> (i32, i32) {
    %s = "tpu.sem_barrier"() : () -> memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>
    %one = "arith.constant"() {value = 1 : i32} : () -> i32
    "tpu.sem_signal"(%s, %one) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>, i32) -> ()
    return %i, %i : i32, i32
  }
}
