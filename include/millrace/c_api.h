// SPDX-License-Identifier: Apache-2.0
/* Millrace for other languages: read a kernel, run it on arrays of the caller's, judge it. What libmillrace_c.so shows.
 *
 * Every function may be called from any thread. None of them throws; those that can fail return a millrace_code, and
 * millrace_last_error() then says why, to the thread that asked. Texts are UTF-8. Nothing here is a measurement of a
 * TPU, and nothing touches one. */
#ifndef MILLRACE_C_API_H_
#define MILLRACE_C_API_H_

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MILLRACE_C_API __attribute__((visibility("default")))
#else
#define MILLRACE_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The exit codes of the command line. */
enum millrace_code {
  MILLRACE_OK = 0,
  MILLRACE_FINDING = 1,     /* the kernel is faulty */
  MILLRACE_USER = 2,        /* arguments that do not fit, a kernel that breaks a stated rule */
  MILLRACE_UNSUPPORTED = 3, /* a real thing that Millrace does not do yet */
  MILLRACE_INTERNAL = 4     /* a bug of Millrace */
};

enum millrace_dtype {
  MILLRACE_F32,
  MILLRACE_BF16,
  MILLRACE_F16,
  MILLRACE_I8,
  MILLRACE_I16,
  MILLRACE_I32,
  MILLRACE_U8,
  MILLRACE_U16,
  MILLRACE_U32,
  MILLRACE_I1
};

/* An array of the caller's, dense and row-major. */
typedef struct millrace_array {
  void* data;
  int32_t dtype; /* millrace_dtype */
  int32_t rank;
  const int64_t* dims; /* rank of them, in elements */
} millrace_array;

typedef struct millrace_module millrace_module; /* a kernel, read and verified, with how it is to be run */
typedef struct millrace_result millrace_result; /* what one run came to */

MILLRACE_C_API const char* millrace_version(void);    /* "0.1.0" */
MILLRACE_C_API const char* millrace_last_error(void); /* until the thread's next call; "" where that did not fail */

/* Reads a Mosaic module (text or MLIR bytecode) or a StableHLO text that calls one. `options` is a JSON object or NULL;
 * all of its fields may be left out:
 *   name         what messages call it                      pick         which kernel of a StableHLO text
 *   outputs      how many of the operands are outputs (1)   aliases      [[input, output], ...]
 *   devices (1), cores (1)                                  arguments    the names of operands and scratch, in order
 *   scoped, scoped_semaphores    the names of what its scopes allocate, in order; heeded where their number is right
 *   chip ("v5e"), schedule ("canonical"), dma_signal ("progressive"), max_steps, max_bytes, max_classes
 *   check        "all", "races" or "none" ("all")           explore, rules (false)
 *   root         sources below this folder are named from there; of others the last two parts of their name stay
 * The same bytes with the same options are read once. */
MILLRACE_C_API int millrace_module_open(const void* bytes, size_t size, const char* options, millrace_module** module);
/* {"kernel", "grid", "bounds", "inputs": [{"dtype", "shape"}], "outputs": [...], "devices"}; a dynamic extent of the
 * grid and the shape of an array that only data can tell are null. As long as the module. */
MILLRACE_C_API const char* millrace_module_describe(const millrace_module* module);
MILLRACE_C_API void millrace_module_close(millrace_module* module);

/* Runs the kernel, checked as the module's options say, and fills `outputs`, as far as they were written. Inputs are,
 * device by device, the dynamic bounds of the grid (i32 scalars), then the operands in their order; outputs likewise.
 * An output may lie where an input lies. MILLRACE_OK and MILLRACE_FINDING leave a result; every other code leaves none.
 */
MILLRACE_C_API int millrace_call(millrace_module* module, const millrace_array* inputs, size_t input_count,
                                 const millrace_array* outputs, size_t output_count, millrace_result** result);
/* As `millrace check --json` prints it (docs/schema/finding.schema.json), and as `millrace check` prints it. */
MILLRACE_C_API const char* millrace_result_json(const millrace_result* result);
MILLRACE_C_API const char* millrace_result_text(const millrace_result* result);
MILLRACE_C_API void millrace_result_close(millrace_result* result);

/* The timeline of such a run in modeled time, an SVG that stands alone (docs/timing.md); to be freed by
 * millrace_text_free. Of the outputs only dtypes and shapes are looked at. */
MILLRACE_C_API int millrace_draw(millrace_module* module, const millrace_array* inputs, size_t input_count,
                                 const millrace_array* outputs, size_t output_count, char** svg);

/* The report of such a run, one HTML page that needs nothing else (`millrace view --html`), with what is found in it;
 * to be freed by millrace_text_free. Of the outputs only dtypes and shapes are looked at. */
MILLRACE_C_API int millrace_report(millrace_module* module, const millrace_array* inputs, size_t input_count,
                                   const millrace_array* outputs, size_t output_count, char** html);

/* The ledger: what the calls that came through XLA (millrace_xla_call) found, whether anybody looked at their results
 * or not. {"calls": [{"kernel", "kernel_at", "called_at", "chip", "check", "devices", "runs", "faulty_runs",
 * "findings", "text", "raised", "svg", "report", "errors": [{"code", "message", "times"}], "schedules", "work"}]}, in
 * the order of the first runs. begin puts an empty ledger on top of the one that is written, end takes it away and
 * leaves its text in the caller's hands (millrace_text_free). */
MILLRACE_C_API void millrace_ledger_begin(void);
MILLRACE_C_API char* millrace_ledger_end(void);
MILLRACE_C_API char* millrace_ledger_json(void);
MILLRACE_C_API void millrace_text_free(char* text);
MILLRACE_C_API int millrace_last_run_raced(void); /* whether races were found in the ledger's latest run */

/* {"on_finding": "raise" | "report", "meeting_seconds": N, "draw": true | false, "reports": FOLDER}: whether a call
 * through XLA fails where its kernel is faulty though it ended (raise), how long a device waits for the others of its
 * kernel (300), whether the first run of each call is drawn, too, and the folder (it is made; "" for none) that a
 * report of each call goes to, of its first run, or of the first that was faulty. */
MILLRACE_C_API int millrace_configure(const char* options);

/* A handler of XLA's foreign function interface (API 0.1 and later), for platform "cpu"; `frame` is an
 * XLA_FFI_CallFrame. Attributes: `module`, an array of bytes; `meta`, {"options": as above, "call": {...}}. The last
 * operand is a u32: the number of the device in its mesh. */
MILLRACE_C_API void* millrace_xla_call(void* frame);

#ifdef __cplusplus
}
#endif

#endif /* MILLRACE_C_API_H_ */
