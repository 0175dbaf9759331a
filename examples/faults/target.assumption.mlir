// Promises that the number it is given is a multiple of 8; right where it is.
module {
  func.func @target_assumption(%n: memref<1xi32, #tpu.memory_space<smem>>, %out: memref<1xi32, #tpu.memory_space<smem>>)
      attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64,
                  tpu.core_type = #tpu.core_type<tc>} {
    %zero = arith.constant 0 : index
    %rows = memref.load %n[%zero] : memref<1xi32, #tpu.memory_space<smem>>
    %whole = "tpu.assume_multiple"(%rows) {multiple = 8 : i32} : (i32) -> i32
    memref.store %whole, %out[%zero] : memref<1xi32, #tpu.memory_space<smem>>
    return
  }
}
