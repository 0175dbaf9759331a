// SPDX-License-Identifier: Apache-2.0
// The `tpu` dialect: loads and stores, views, copies, semaphores and scopes.
include "tpu_base.td"
#ifndef MILLRACE_TPU_MEMORY_OPS
#define MILLRACE_TPU_MEMORY_OPS

//----------------------------------------------------------------------------------------------------------------------
// Loads and stores of tiles

def Tpu_VectorStoreOp : Tpu_CheckedOp<"vector_store", [AttrSizedOperandSegments]> {
  let arguments = (ins Tpu_Vector:$value, Tpu_Memref:$base, Variadic<Index>:$indices, DenseI32ArrayAttr:$strides,
                       Optional<Tpu_Mask>:$mask, FalseAttr:$add);
}
def Tpu_VectorLoadOp : Tpu_CheckedOp<"vector_load", [AttrSizedOperandSegments]> {
  let arguments = (ins Tpu_Memref:$base, Variadic<Index>:$indices, DenseI32ArrayAttr:$strides,
                       Optional<Tpu_Mask>:$mask);
  let results = (outs Tpu_Vector:$result);
}
def Tpu_StridedLoadOp : Tpu_CheckedOp<"strided_load"> {
  let arguments = (ins Tpu_Memref:$base, Variadic<Index>:$indices, DenseI32ArrayAttr:$strides);
  let results = (outs Tpu_Vector:$result);
}
def Tpu_StridedStoreOp : Tpu_CheckedOp<"strided_store"> {
  let arguments = (ins Tpu_Vector:$value, Tpu_Memref:$base, Variadic<Index>:$indices, DenseI32ArrayAttr:$strides);
}
def Tpu_LoadOp : Tpu_CheckedOp<"load"> {
  let arguments = (ins Tpu_Memref:$base, Variadic<Index>:$indices, DenseBoolArrayAttr:$sublane_mask,
                       OptionalAttr<I32Attr>:$sublane_stride);
  let results = (outs Tpu_Vector:$result);
}
def Tpu_StoreOp : Tpu_CheckedOp<"store", [AttrSizedOperandSegments]> {
  let arguments = (ins Tpu_Vector:$value, Tpu_Memref:$base, Variadic<Index>:$indices, DenseBoolArrayAttr:$sublane_mask,
                       Optional<Tpu_Mask>:$mask, OptionalAttr<I32Attr>:$sublane_stride);
}

//----------------------------------------------------------------------------------------------------------------------
// Views

def Tpu_MemrefSliceOp : Tpu_CheckedOp<"memref_slice", [AttrSizedOperandSegments]> {
  let arguments = (ins Tpu_Memref:$source, Variadic<I32>:$offsets, Variadic<I32>:$sizes);
  let results = (outs Tpu_Memref:$result);
}
class Tpu_ViewOp<string mnemonic> : Tpu_CheckedOp<mnemonic> {
  let arguments = (ins Tpu_Memref:$source);
  let results = (outs Tpu_Memref:$result);
}
def Tpu_MemrefSqueezeOp : Tpu_ViewOp<"memref_squeeze">;
def Tpu_MemrefReshapeOp : Tpu_ViewOp<"memref_reshape">;
def Tpu_MemrefBitcastOp : Tpu_ViewOp<"memref_bitcast">;

//----------------------------------------------------------------------------------------------------------------------
// Copies

def Tpu_EnqueueDmaOp : Tpu_CheckedOp<"enqueue_dma", [AttrSizedOperandSegments]> {
  let arguments = (ins Tpu_Memref:$source, Optional<Tpu_SemaphoreRef>:$source_semaphore, Tpu_Memref:$target,
                       Tpu_SemaphoreRef:$target_semaphore, Optional<I32>:$device_id, Optional<I32>:$core_id,
                       DefaultValuedAttr<I32Attr, "0">:$priority, FalseAttr:$strict_ordering,
                       OptionalAttr<Tpu_CoreTypeAttr>:$core_type);
}
def Tpu_WaitDma2Op : Tpu_CheckedOp<"wait_dma2", [AttrSizedOperandSegments]> {
  let arguments = (ins Tpu_SemaphoreRef:$semaphore, Tpu_Memref:$src, Tpu_Memref:$dst, Optional<I32>:$device_id,
                       Optional<I32>:$core_id, FalseAttr:$strict_ordering);
}
def Tpu_WaitDmaOp : Tpu_CheckedOp<"wait_dma"> {
  let summary = "the older form of wait_dma2: waits for the bytes of `ref`";
  let arguments = (ins Tpu_SemaphoreRef:$semaphore, Tpu_Memref:$ref);
}

//----------------------------------------------------------------------------------------------------------------------
// Semaphores

def Tpu_SemAllocOp : Tpu_CheckedOp<"sem_alloc"> { let results = (outs Tpu_SemaphoreRef:$result); }
def Tpu_SemBarrierOp : Tpu_CheckedOp<"sem_barrier"> { let results = (outs Tpu_SemaphoreRef:$result); }
def Tpu_SemReadOp : Tpu_CheckedOp<"sem_read"> {
  let arguments = (ins Tpu_SemaphoreRef:$semaphore);
  let results = (outs I32:$result);
}
def Tpu_SemWaitOp : Tpu_CheckedOp<"sem_wait"> { let arguments = (ins Tpu_SemaphoreRef:$semaphore, I32:$amount); }
def Tpu_SemSignalOp : Tpu_CheckedOp<"sem_signal", [AttrSizedOperandSegments]> {
  let arguments = (ins Tpu_SemaphoreRef:$semaphore, I32:$amount, Optional<I32>:$device_id, Optional<I32>:$core_id,
                       OptionalAttr<Tpu_CoreTypeAttr>:$core_type);
}

//----------------------------------------------------------------------------------------------------------------------
// Scopes

def Tpu_RegionOp : Tpu_CheckedOp<"region"> {
  let summary = "what is allocated inside lives until its end";
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
}
def Tpu_YieldOp : Tpu_Op<"yield", [Terminator, HasParent<"RegionOp">]> {
  let arguments = (ins Variadic<AnyType>:$results);
}

#endif
