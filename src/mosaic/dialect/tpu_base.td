// SPDX-License-Identifier: Apache-2.0
// The `tpu` dialect: its types and attributes, spelled as JAX spells them. Operations are in the tpu_*_ops.td files.
#ifndef MILLRACE_TPU_BASE
#define MILLRACE_TPU_BASE

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Tpu_Dialect : Dialect {
  let name = "tpu";
  let cppNamespace = "::millrace::mosaic::tpu";
  let summary = "Kernels for one TPU core: memories, copies between them, semaphores, and tile arithmetic";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

//----------------------------------------------------------------------------------------------------------------------
// Types

class Tpu_Type<string name, string keyword> : TypeDef<Tpu_Dialect, name, [MemRefElementTypeInterface]> {
  let mnemonic = keyword;
}

def Tpu_SemaphoreType : Tpu_Type<"Semaphore", "semaphore"> { let summary = "a counter of signals"; }
def Tpu_DmaSemaphoreType : Tpu_Type<"DmaSemaphore", "dma_semaphore"> { let summary = "a counter of bytes arrived"; }

//----------------------------------------------------------------------------------------------------------------------
// Attributes that are one keyword

class Tpu_Enum<string name, list<I32EnumAttrCase> cases> : I32EnumAttr<name, name, cases> {
  let cppNamespace = "::millrace::mosaic::tpu";
  let genSpecializedAttr = 0;
}
class Tpu_EnumAttr<EnumInfo info, string keyword> : EnumAttr<Tpu_Dialect, info, keyword> {
  let assemblyFormat = "`<` $value `>`";
}

def Tpu_CoreType : Tpu_Enum<"CoreType", [
  I32EnumAttrCase<"kTc", 0, "tc">,
  I32EnumAttrCase<"kScScalarSubcore", 1, "sc_scalar_subcore">,
  I32EnumAttrCase<"kScVectorSubcore", 2, "sc_vector_subcore">]>;
def Tpu_DimensionSemantics : Tpu_Enum<"DimensionSemantics", [
  I32EnumAttrCase<"kParallel", 0, "parallel">,
  I32EnumAttrCase<"kArbitrary", 1, "arbitrary">,
  I32EnumAttrCase<"kCoreParallel", 2, "core_parallel">,
  I32EnumAttrCase<"kSubcoreParallel", 3, "subcore_parallel">]>;
def Tpu_PipelineMode : Tpu_Enum<"PipelineMode", [
  I32EnumAttrCase<"kSynchronous", 0, "synchronous">,
  I32EnumAttrCase<"kDoubleBuffered", 1, "double_buffered">]>;
def Tpu_RevisitMode : Tpu_Enum<"RevisitMode", [
  I32EnumAttrCase<"kImmediate", 0, "immediate">,
  I32EnumAttrCase<"kAny", 1, "any">]>;
def Tpu_ContractPrecision : Tpu_Enum<"ContractPrecision", [
  I32EnumAttrCase<"kBf16", 0, "bf16">,
  I32EnumAttrCase<"kFp32", 1, "fp32">]>;
def Tpu_ReductionKind : Tpu_Enum<"ReductionKind", [
  I32EnumAttrCase<"kSum", 0, "sum">,
  I32EnumAttrCase<"kMax", 1, "max">,
  I32EnumAttrCase<"kMin", 2, "min">,
  I32EnumAttrCase<"kArgMax", 3, "arg_max">,
  I32EnumAttrCase<"kArgMin", 4, "arg_min">,
  I32EnumAttrCase<"kFindFirstSet", 5, "find_first_set">]>;
def Tpu_MemorySpace : Tpu_Enum<"MemorySpace", [
  I32EnumAttrCase<"kVmem", 0, "vmem">,
  I32EnumAttrCase<"kSmem", 1, "smem">,
  I32EnumAttrCase<"kHbm", 2, "hbm">,
  I32EnumAttrCase<"kCmem", 3, "cmem">,
  I32EnumAttrCase<"kSemaphore", 4, "semaphore_mem">,
  I32EnumAttrCase<"kVmemShared", 5, "vmem_shared">,
  I32EnumAttrCase<"kHost", 6, "host">,
  I32EnumAttrCase<"kAny", 7, "any">]>;

def Tpu_CoreTypeAttr : Tpu_EnumAttr<Tpu_CoreType, "core_type">;
def Tpu_DimensionSemanticsAttr : Tpu_EnumAttr<Tpu_DimensionSemantics, "dimension_semantics">;
def Tpu_PipelineModeAttr : Tpu_EnumAttr<Tpu_PipelineMode, "pipeline_mode">;
def Tpu_RevisitModeAttr : Tpu_EnumAttr<Tpu_RevisitMode, "revisit_mode">;
def Tpu_ContractPrecisionAttr : Tpu_EnumAttr<Tpu_ContractPrecision, "contract_precision">;
def Tpu_ReductionKindAttr : Tpu_EnumAttr<Tpu_ReductionKind, "reduction_kind">;

//----------------------------------------------------------------------------------------------------------------------
// Attributes of several parts

class Tpu_Attr<string name, string keyword> : AttrDef<Tpu_Dialect, name> { let mnemonic = keyword; }

// A list of whole numbers, which may be empty. It is written and read by custom<IntegerList>.
def IntegerList : ArrayRefParameter<"int64_t">;

def Tpu_MemorySpaceAttr : Tpu_Attr<"MemorySpace", "memory_space"> {
  let parameters = (ins EnumParameter<Tpu_MemorySpace>:$value, OptionalParameter<"std::optional<CoreType>">:$core_type);
  let assemblyFormat = "`<` $value (`,` $core_type^)? `>`";
}

def Tpu_ElementWindowAttr : Tpu_Attr<"ElementWindow", "element_window"> {
  let summary = "the transform returns elements rather than blocks, with so much virtual padding on each side";
  let parameters = (ins IntegerList:$pad_low, IntegerList:$pad_high);
  let assemblyFormat = "`<` custom<IntegerList>($pad_low) `,` custom<IntegerList>($pad_high) `>`";
}

def Tpu_DotDimensionNumbersAttr : Tpu_Attr<"DotDimensionNumbers", "dot_dimension_numbers"> {
  let parameters = (ins IntegerList:$lhs_contracting, IntegerList:$rhs_contracting, IntegerList:$lhs_free,
                        IntegerList:$rhs_free, IntegerList:$output_order, IntegerList:$lhs_batch,
                        IntegerList:$rhs_batch);
  let assemblyFormat = [{
    `<` custom<IntegerList>($lhs_contracting) `,` custom<IntegerList>($rhs_contracting) `,`
        custom<IntegerList>($lhs_free) `,` custom<IntegerList>($rhs_free) `,` custom<IntegerList>($output_order) `,`
        custom<IntegerList>($lhs_batch) `,` custom<IntegerList>($rhs_batch) `>`
  }];
}

//----------------------------------------------------------------------------------------------------------------------
// Operands

def Tpu_Vector : Type<AnyVectorOfAnyRank.predicate, "vector", "::mlir::VectorType">;
def Tpu_Vector32 : VectorOfAnyRankOf<[I32]>;
def Tpu_Mask : VectorOfAnyRankOf<[I1]>;
def Tpu_Memref : MemRefOf<[AnyType]>;
def Tpu_SemaphoreRef : MemRefOf<[Tpu_SemaphoreType, Tpu_DmaSemaphoreType]>;
def Tpu_Scalar : AnyTypeOf<[AnySignlessIntegerOrIndex, AnyFloat]>;

class Tpu_Op<string mnemonic, list<Trait> traits = []> : Op<Tpu_Dialect, mnemonic, traits>;
// An operation with rules beyond those that the operand lists say.
class Tpu_CheckedOp<string mnemonic, list<Trait> traits = []> : Tpu_Op<mnemonic, traits> { let hasVerifier = 1; }

def FalseAttr : DefaultValuedAttr<BoolAttr, "false">;

#endif
