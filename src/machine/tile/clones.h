// SPDX-License-Identifier: Apache-2.0
// How a loop over a tile is compiled: once for any x86-64 and once for AVX2, chosen when the program is loaded. Both
// give the same bits: neither fuses a multiply and an add, and no sum is reordered by the compiler.
#pragma once

// The loader picks a clone before sanitizers are set up, and clang 14 cannot clone templates: there, one version only.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define MILLRACE_TILE_CLONES __attribute__((target_clones("default", "avx2")))
#else
#define MILLRACE_TILE_CLONES
#endif

// What a loop calls must be inlined into each clone, or it would not be vectorised.
#define MILLRACE_TILE_INLINE [[gnu::always_inline]] inline

// Promises that no iteration depends on another, which holds where the output is an input or apart from it.
#if defined(__clang__)
#define MILLRACE_TILE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define MILLRACE_TILE_INDEPENDENT _Pragma("GCC ivdep")
#endif
