// SPDX-License-Identifier: Apache-2.0
#include "check/catalogue.h"

#include <algorithm>

namespace millrace::checkers {

namespace {

constexpr Severity kError = Severity::kError, kWarning = Severity::kWarning;

constexpr Rule kRules[] = {
    {"race.read-write", kError, "S4.2", "a read and a write that nothing orders",
     "Two accesses touch the same elements, one of them writes, at least one is a DMA's (or another core's), and no "
     "wait "
     "puts one before the other. What is read is old or new as it happens. A wait counts only if it could not have "
     "returned before the DMA's last bytes were there: with two DMAs under way on one semaphore, one wait proves "
     "neither.",
     "wait for the DMA before the other access: one semaphore a slot, and one wait a start"},
    {"race.write-write", kError, "S4.2", "two writes that nothing orders",
     "Two writes touch the same elements, at least one is a DMA's (or another core's), and no wait puts one before the "
     "other. Which of the two stays is a matter of chance.",
     "wait for the first write before the second begins, or let them write apart"},
    {"deadlock", kError, "S4.4", "a wait that nothing can end",
     "A core waits for more than its semaphore holds, and no DMA under way and no core that can still run brings the "
     "rest. On a device the kernel hangs. Evaluation ends there, so nothing behind it is judged.",
     "each wait needs a start or a signal before it that brings what it asks for"},
    {"leftover.dma", kError, "S4.6", "a DMA that nobody awaited",
     "When its semaphore's scope, or the kernel, ends, nothing has proved that the DMA is complete. It may still write "
     "after the kernel has returned, and the semaphore is left above zero for whoever is next.",
     "wait for it before the end: a pipeline needs an epilogue that waits once for each copy still under way"},
    {"leftover.semaphore", kError, "S4.6", "a semaphore that ends above zero",
     "All DMAs on the semaphore are complete, but more was signalled or copied than was waited for. The count stays, "
     "and "
     "the next use of the semaphore finds it.",
     "wait for everything that is signalled: the same number of times, and for the same bytes"},
    {"scope.use-after", kError, "S4.7", "a DMA that outlives its memory",
     "The scope of a buffer ends while nothing proves that a DMA which reads or writes it is complete. The memory may "
     "then belong to somebody else.",
     "wait for the DMA inside the scope that owns the buffer"},
    {"uninitialized.read", kError, "S7.4", "undefined data that matter",
     "Elements that nobody has written reach an output, a branch, an address or the amount of a wait. Copying and "
     "computing "
     "with them is no fault by itself, and what a mask drops does not matter.",
     "write the buffer before it is read: zero an accumulator in the first step, prefetch before the loop"},
    {"padding.reduction", kError, "S7.7", "padding that takes part in a sum",
     "The block sticks out of its array. What lies beyond the edge is undefined, and here it takes part in a reduction "
     "or "
     "a matrix product whose result is stored inside the output.",
     "mask the elements beyond the edge with the operation's neutral element, on both sides of a product"},
    {"uncovered.output", kError, "S7.8", "an output that is not wholly written",
     "When the kernel ends nobody has written these elements of the output; it holds whatever was in that memory "
     "before. A "
     "window that is sent back unwritten does not count as written.",
     "let the grid and the index map reach every block, and write the whole block, or alias the output to an input"},
    {"revisit.output", kError, "S5.14", "an output block that is entered again",
     "The index map comes back to a block after another one. The window does not hold what was stored the first time: "
     "it "
     "begins undefined and then replaces the block.",
     "order the grid so that all steps of one output block follow each other: the reduced axis last"},
    {"alias.hazard", kError, "S5.15", "an input window fetched after its array was replaced",
     "Input and output are one array. The input's window is fetched from a block that an earlier step has already "
     "replaced, so it holds results instead of inputs.",
     "read each block in the step that replaces it or before, or do not alias"},
    {"bounds.dma", kError, "S2.6", "a DMA that leaves its array",
     "One end of a DMA reaches beyond its array, and beyond the padding to whole tiles. On a device it moves somebody "
     "else's memory. Evaluation ends there.",
     "hold the offset and the size against the shape; the last step of a loop is the usual one"},
    {"bounds.access", kError, "S2.6", "a load or store that leaves its array",
     "A load or store reaches beyond its array. On a device it touches somebody else's memory. Evaluation ends there.",
     "hold the offset and the size against the shape; the last step of a loop is the usual one"},
    {"bounds.block", kError, "S5.5", "a block that its array does not have",
     "The index map names a block that lies wholly outside the array. An index map counts blocks, not elements. "
     "Evaluation "
     "ends there.",
     "return block numbers from the index map (elements divided by the block), within the array in every step"},
    {"dma.mismatch", kError, "S3.1", "a DMA between unlike ends",
     "The two ends of a DMA differ in shape or element type. A module with such a DMA is refused when it is read, so a "
     "check never reports it.",
     "give both ends one shape and one element type"},
    {"assertion.failed", kError, "S6.2", "an assertion of the kernel that does not hold",
     "The kernel asserts a condition, and for these inputs it is false. Evaluation ends there.",
     "the message is the kernel's own; look at what it asserts and at the inputs"},
    {"target.assumption", kWarning, "S6.5", "a promise to the compiler that is not kept",
     "The kernel promises that a number is a multiple of another, and it is not. The compiler builds on the promise, "
     "so the device would do something else; the simulator goes on with the number as it is.",
     "drop the hint (pl.multiple_of), or make the number such a multiple"},
    {"target.semaphore", kWarning, "S4.9", "a semaphore used in two ways",
     "Plain signals and the bytes of DMAs come together on one semaphore, or the count of a DMA semaphore is read. "
     "What "
     "such a count means differs between devices and from the interpreter.",
     "use a regular semaphore for signals and a DMA semaphore for DMAs"},
    {"target.*", kWarning, "T1.1", "a rule of the chip",
     "The kernel does what its author means in the simulator, but the chip that `--chip` names, or its compiler, does "
     "not "
     "take it as it is: alignment, element types, the size of its memories, the shapes of blocks.",
     "the message names the rule and the legal range"},
};

// Of a race in which a DMA may still be reading what is written.
constexpr std::string_view kSourceMend =
    "wait for the DMA before its source is written again, or write into another slot meanwhile";

bool is_family(std::string_view id) { return id.ends_with(".*"); }

}  // namespace

std::span<const Rule> rules() { return kRules; }

const Rule* find_rule(std::string_view id) {
  const auto exact = std::ranges::find(kRules, id, &Rule::id);
  if (exact != std::end(kRules)) return exact;
  const auto family = std::ranges::find_if(kRules, [&](const Rule& r) {
    return is_family(r.id) && id.starts_with(r.id.substr(0, r.id.size() - 1)) && id.size() > r.id.size() - 1;
  });
  return family != std::end(kRules) ? family : nullptr;
}

void complete(Finding& finding) {
  const Rule* rule = find_rule(finding.id);
  if (!rule) return;
  if (finding.clause.empty()) finding.clause = rule->clause;
  if (!finding.hint.empty()) return;
  const bool still_read = finding.id == "race.read-write" && finding.first && finding.first->access == "DMA read";
  finding.hint = still_read ? kSourceMend : rule->mend;
}

}  // namespace millrace::checkers
