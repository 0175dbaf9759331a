// Copies (8, 128) into (16, 128); right where both ends have one shape.
module {
  func.func @dma_mismatch(%x: memref<8x128xf32, #tpu.memory_space<any>>, %out: memref<16x128xf32, #tpu.memory_space<any>>,
                          %done: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
      attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 1 : i64,
                  tpu.core_type = #tpu.core_type<tc>} {
    "tpu.enqueue_dma"(%x, %out, %done) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>} :
      (memref<8x128xf32, #tpu.memory_space<any>>, memref<16x128xf32, #tpu.memory_space<any>>,
       memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> ()
    return
  }
}
