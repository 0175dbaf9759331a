/* SPDX-License-Identifier: Apache-2.0 */
/* The header is C: a kernel run without a word of C++. */
#include "millrace/c_api.h"

int run_in_plain_c(const void* module, size_t size, const char* options, const float* x, float* y, int64_t rows);

int run_in_plain_c(const void* module, size_t size, const char* options, const float* x, float* y, int64_t rows) {
  int64_t dims[2];
  millrace_array in, out;
  millrace_module* opened = NULL;
  millrace_result* result = NULL;
  int code = millrace_module_open(module, size, options, &opened);
  if (code != MILLRACE_OK) return code;
  dims[0] = rows, dims[1] = 128;
  in.data = (void*)x, in.dtype = MILLRACE_F32, in.rank = 2, in.dims = dims;
  out = in, out.data = y;
  code = millrace_call(opened, &in, 1, &out, 1, &result);
  if (result) millrace_result_close(result);
  millrace_module_close(opened);
  return code;
}
