# SPDX-License-Identifier: Apache-2.0
# MLIR 22.1 as Debian ships it. Only src/mosaic includes MLIR headers (10-16 s a file).
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# The component libraries that reading and writing modules takes, not all of libMLIR: a smaller program, a faster start.
add_library(millrace_mlir INTERFACE)
target_include_directories(millrace_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(MILLRACE_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_options(millrace_mlir INTERFACE ${MILLRACE_LLVM_DEFINITIONS})
if(NOT LLVM_ENABLE_RTTI)
  message(FATAL_ERROR "This LLVM is built without RTTI; Millrace needs Debian's, which has it.")
endif()
target_link_libraries(millrace_mlir INTERFACE
  MLIRParser MLIRBytecodeReader MLIRBytecodeWriter
  MLIRArithDialect MLIRControlFlowDialect MLIRFuncDialect MLIRMathDialect MLIRMemRefDialect MLIRSCFDialect
  MLIRVectorDialect)

# What compiling for this CPU takes beside that.
add_library(millrace_mlir_cpu INTERFACE)
target_link_libraries(millrace_mlir_cpu INTERFACE
  millrace_mlir MLIRArithToLLVM MLIRControlFlowToLLVM MLIRFuncToLLVM MLIRMathToLLVM MLIRMemRefToLLVM
  MLIRReconcileUnrealizedCasts MLIRSCFToControlFlow MLIRLinalgDialect MLIRLinalgTransforms MLIRLLVMDialect
  MLIRBuiltinToLLVMIRTranslation MLIRLLVMToLLVMIRTranslation MLIRTargetLLVMIRExport)
