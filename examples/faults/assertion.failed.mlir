// Asserts that the number it is given is at most 8; right where it is.
module {
  func.func @assertion_failed(%n: memref<1xi32, #tpu.memory_space<smem>>, %out: memref<1xi32, #tpu.memory_space<smem>>)
      attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64,
                  tpu.core_type = #tpu.core_type<tc>} {
    %zero = arith.constant 0 : index
    %eight = arith.constant 8 : i32
    %rows = memref.load %n[%zero] : memref<1xi32, #tpu.memory_space<smem>>
    %fit = arith.cmpi sle, %rows, %eight : i32
    cf.assert %fit, "at most 8 rows fit"
    memref.store %rows, %out[%zero] : memref<1xi32, #tpu.memory_space<smem>>
    return
  }
}
