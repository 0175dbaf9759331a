// SPDX-License-Identifier: Apache-2.0
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <mlir/Target/LLVMIR/Export.h>

#include <mutex>

#include "millrace/error.h"
#include "target/cpu/cache.h"
#include "target/cpu/code.h"
#include "target/cpu/kernel.h"
#include "target/cpu/lowering_passes.h"

namespace millrace::cpu {

namespace {

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorCode::kInternal, "the CPU target: " + what); }

template <class T>
T got(llvm::Expected<T> value, const char* what) {
  if (value) return std::move(*value);
  fail(std::string(what) + ": " + llvm::toString(value.takeError()));
}

void initialize() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

// This CPU and what it can do. Converting to bf16 by its own instruction would flush subnormals; nobody asks for it.
std::string features() {
  std::string text;
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
    const bool on = feature.second && feature.first() != "avx512bf16";
    text += (text.empty() ? "" : ",") + std::string(on ? "+" : "-") + feature.first().str();
  }
  return text;
}

std::unique_ptr<llvm::TargetMachine> machine() {
  initialize();
  const llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) fail(error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, llvm::sys::getHostCPUName(), features(), options, llvm::Reloc::PIC_,
                                  std::nullopt, llvm::CodeGenOptLevel::Aggressive, true));
}

void optimize(llvm::Module& module, llvm::TargetMachine& target) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = tuning.LoopUnrolling = true;
  llvm::PassBuilder builder(&target, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager calls;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(calls);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, calls, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

bool is_stream(const llvm::Function& f) { return f.getName().starts_with(kStreamPrefix); }

// Whole vectors go past the caches. A loop's index is a multiple of its vectors' length, and its rows are aligned.
void mark_streams(llvm::Module& module) {
  const llvm::DataLayout& layout = module.getDataLayout();
  llvm::LLVMContext& context = module.getContext();
  llvm::Metadata* one = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 1));
  for (llvm::Function& f : module) {
    if (!is_stream(f)) continue;
    for (llvm::BasicBlock& block : f) {
      for (llvm::Instruction& i : block) {
        auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
        if (!store || !store->getValueOperand()->getType()->isVectorTy()) continue;
        const std::uint64_t bytes = layout.getTypeStoreSize(store->getValueOperand()->getType()).getFixedValue();
        if (bytes != 16 && bytes != 32 && bytes != 64) continue;
        store->setAlignment(llvm::Align(bytes));
        store->setMetadata(llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(context, one));
      }
    }
  }
}

std::string object_of(mlir::ModuleOp lowered) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = mlir::translateModuleToLLVMIR(lowered, context);
  if (!module) fail("its module cannot be translated to LLVM");
  const auto target = machine();
  module->setDataLayout(target->createDataLayout());
  module->setTargetTriple(target->getTargetTriple());
  for (llvm::Function& f : *module) {
    if (f.isDeclaration()) continue;
    f.addFnAttr("prefer-vector-width", "512");
    if (is_stream(f)) f.addFnAttr(llvm::Attribute::NoInline);
    f.addFnAttr("target-cpu", target->getTargetCPU());
    f.addFnAttr("target-features", target->getTargetFeatureString());
  }
  optimize(*module, *target);
  mark_streams(*module);
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager emit;
  if (target->addPassesToEmitFile(emit, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    fail("LLVM cannot write objects for this CPU");
  emit.run(*module);
  return {bytes.data(), bytes.size()};
}

class Loaded : public Code {
 public:
  // Throws where the object is damaged.
  explicit Loaded(const std::string& object) {
    initialize();
    jit_ = got(llvm::orc::LLJITBuilder().create(), "LLVM's JIT does not start");
    auto& library = jit_->getMainJITDylib();
    library.addGenerator(
        got(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(jit_->getDataLayout().getGlobalPrefix()),
            "no symbols of this process"));
    if (auto error = jit_->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object, "kernel")))
      fail("the object does not load: " + llvm::toString(std::move(error)));
    entry = got(jit_->lookup(kEntry), "the object lacks its entry").toPtr<Compiled>();
  }

 private:
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

std::string text_of(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

}  // namespace

std::string module_text(const Plan& plan, bool lowered) {
  const auto context = make_context();
  const auto module = emit_module(plan, *context);
  if (lowered) lower_to_llvm(*module);
  return text_of(*module);
}

std::shared_ptr<const Code> compile(const Plan& plan, bool& from_cache) {
  from_cache = true;
  const auto context = make_context();
  const auto module = emit_module(plan, *context);
  const std::string key = key_of(text_of(*module), llvm::sys::getHostCPUName().str() + " " + features());
  if (auto code = cached_code(key)) return code;
  if (const std::string object = cached_object(key); !object.empty()) {
    try {
      return keep(key, std::make_shared<Loaded>(object));
    } catch (const Error&) {  // damaged: compiled again
    }
  }
  from_cache = false;
  lower_to_llvm(*module);
  const std::string object = object_of(*module);
  auto code = std::make_shared<Loaded>(object);
  store_object(key, object);
  return keep(key, std::move(code));
}

}  // namespace millrace::cpu
