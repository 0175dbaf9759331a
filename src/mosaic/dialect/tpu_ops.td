// SPDX-License-Identifier: Apache-2.0
// The `tpu` dialect: tile arithmetic, and what a kernel can ask of its surroundings. Brings in the memory operations.
include "tpu_memory_ops.td"
#ifndef MILLRACE_TPU_OPS
#define MILLRACE_TPU_OPS

//----------------------------------------------------------------------------------------------------------------------
// Contraction

def Tpu_MatmulOp : Tpu_CheckedOp<"matmul"> {
  let arguments = (ins Tpu_Vector:$lhs, Tpu_Vector:$rhs, Tpu_Vector:$acc, FalseAttr:$transpose_lhs,
                       FalseAttr:$transpose_rhs, OptionalAttr<Tpu_ContractPrecisionAttr>:$precision,
                       OptionalAttr<Tpu_DotDimensionNumbersAttr>:$dimension_numbers);
  let results = (outs Tpu_Vector:$result);
}
def Tpu_MatmulPushRhsOp : Tpu_CheckedOp<"matmul_push_rhs"> {
  let arguments = (ins Tpu_Vector:$rhs, I32Attr:$staging_register, I32Attr:$mxu_index, FalseAttr:$transpose);
}
def Tpu_MatmulAccLhsOp : Tpu_CheckedOp<"matmul_acc_lhs"> {
  let arguments = (ins Tpu_Vector:$lhs, I32Attr:$acc, I32Attr:$mxu_index, OptionalAttr<I32Attr>:$load_staged_rhs);
}
def Tpu_MatmulPopOp : Tpu_Op<"matmul_pop"> {
  let arguments = (ins I32Attr:$acc, I32Attr:$mxu_index);
  let results = (outs Tpu_Vector:$result);
}

//----------------------------------------------------------------------------------------------------------------------
// Moving elements

def Tpu_IotaOp : Tpu_CheckedOp<"iota"> {
  let arguments = (ins DenseI32ArrayAttr:$dimensions);
  let results = (outs VectorOfAnyRankOf<[AnySignlessInteger]>:$result);
}
def Tpu_TransposeOp : Tpu_CheckedOp<"transpose"> {
  let arguments = (ins Tpu_Vector:$vector, DenseI64ArrayAttr:$permutation);
  let results = (outs Tpu_Vector:$result);
}
def Tpu_ConcatenateOp : Tpu_CheckedOp<"concatenate"> {
  let arguments = (ins Variadic<Tpu_Vector>:$sources, I32Attr:$dimension);
  let results = (outs Tpu_Vector:$result);
}
def Tpu_RepeatOp : Tpu_CheckedOp<"repeat"> {
  let arguments = (ins Tpu_Vector:$source, I32Attr:$dimension, I32Attr:$times);
  let results = (outs Tpu_Vector:$result);
}
def Tpu_ReshapeOp : Tpu_CheckedOp<"reshape"> {
  let arguments = (ins Tpu_Vector:$source);
  let results = (outs Tpu_Vector:$result);
}
def Tpu_RotateOp : Tpu_CheckedOp<"rotate", [AllTypesMatch<["value", "result"]>]> {
  let arguments = (ins Tpu_Vector:$value, SI32Attr:$amount, SI32Attr:$dimension, OptionalAttr<SI32Attr>:$stride,
                       OptionalAttr<SI32Attr>:$stride_dimension);
  let results = (outs Tpu_Vector:$result);
}
def Tpu_DynamicRotateOp : Tpu_CheckedOp<"dynamic_rotate", [AllTypesMatch<["value", "result"]>]> {
  let summary = "element i moves to (i + amount) modulo the size, amount growing by `stride` along stride_dimension";
  let arguments = (ins Tpu_Vector:$value, I32:$amount, SI32Attr:$dimension, OptionalAttr<SI32Attr>:$stride,
                       OptionalAttr<SI32Attr>:$stride_dimension);
  let results = (outs Tpu_Vector:$result);
}
def Tpu_DynamicGatherOp : Tpu_CheckedOp<"dynamic_gather"> {
  let arguments = (ins Tpu_Vector:$source, VectorOfAnyRankOf<[AnySignlessInteger]>:$indices,
                       DenseI32ArrayAttr:$dimensions);
  let results = (outs Tpu_Vector:$result);
}

//----------------------------------------------------------------------------------------------------------------------
// Element by element

def Tpu_BitcastOp : Tpu_CheckedOp<"bitcast"> {
  let arguments = (ins Tpu_Vector:$input);
  let results = (outs Tpu_Vector:$output);
}
def Tpu_ReduceIndexOp : Tpu_CheckedOp<"reduce_index"> {
  let arguments = (ins VectorOfAnyRankOf<[F32]>:$input, I32Attr:$axis, Tpu_ReductionKindAttr:$kind);
  let results = (outs Tpu_Vector32:$output);
}
def Tpu_ReciprocalOp : Tpu_Op<"reciprocal", [AllTypesMatch<["input", "output"]>]> {
  let arguments = (ins VectorOfAnyRankOf<[F32, BF16]>:$input, FalseAttr:$approx, FalseAttr:$full_range);
  let results = (outs Tpu_Vector:$output);
}
def Tpu_WeirdOp : Tpu_CheckedOp<"weird"> {
  let summary = "true for what is infinite or not a number";
  let arguments = (ins AnyTypeOf<[F32, VectorOfAnyRankOf<[F32]>]>:$input);
  let results = (outs AnyTypeOf<[I1, Tpu_Mask]>:$output);
}
def Tpu_PackElementwiseOp : Tpu_CheckedOp<"pack_elementwise"> {
  let arguments = (ins Variadic<Tpu_Vector>:$sources, TypeAttr:$target_type);
  let results = (outs Tpu_Vector32:$output);
}
def Tpu_UnpackElementwiseOp : Tpu_CheckedOp<"unpack_elementwise"> {
  let arguments = (ins Tpu_Vector32:$source, TypeAttr:$source_type, I32Attr:$index);
  let results = (outs Tpu_Vector:$output);
}
def Tpu_StochasticConvertOp : Tpu_CheckedOp<"stochastic_convert"> {
  let arguments = (ins VectorOfAnyRankOf<[F32]>:$input, Tpu_Vector32:$random);
  let results = (outs VectorOfAnyRankOf<[AnyFloat]>:$output);
}
def Tpu_AssumeMultipleOp : Tpu_CheckedOp<"assume_multiple", [AllTypesMatch<["value", "result"]>]> {
  let arguments = (ins AnySignlessIntegerOrIndex:$value, I32Attr:$multiple);
  let results = (outs AnySignlessIntegerOrIndex:$result);
}

//----------------------------------------------------------------------------------------------------------------------
// Surroundings

def Tpu_PrngSetSeed32Op : Tpu_Op<"prng_set_seed_32"> { let arguments = (ins Variadic<I32>:$seeds); }
def Tpu_PrngRandomBitsOp : Tpu_Op<"prng_random_bits"> { let results = (outs Tpu_Vector32:$output); }
def Tpu_IterationBoundOp : Tpu_Op<"iteration_bound"> {
  let arguments = (ins I32Attr:$dim);
  let results = (outs I32:$result);
}
def Tpu_DeviceIdOp : Tpu_Op<"device_id"> { let results = (outs I32:$result); }
def Tpu_TraceStartOp : Tpu_Op<"trace_start"> { let arguments = (ins StrAttr:$message, I32Attr:$level); }
def Tpu_TraceStopOp : Tpu_Op<"trace_stop">;
def Tpu_TraceValueOp : Tpu_Op<"trace_value"> { let arguments = (ins Tpu_Scalar:$value, StrAttr:$label); }
def Tpu_LogOp : Tpu_Op<"log"> {
  let arguments = (ins Variadic<AnyType>:$inputs, StrAttr:$tag, FalseAttr:$formatted);
}
def Tpu_LogBufferOp : Tpu_CheckedOp<"log_buffer"> {
  let arguments = (ins Tpu_Memref:$input, DenseI64ArrayAttr:$shape, StrAttr:$tag);
}
def Tpu_DelayOp : Tpu_Op<"delay"> {
  let summary = "does nothing for so many nanoseconds";
  let arguments = (ins I32:$nanoseconds);
}

#endif
