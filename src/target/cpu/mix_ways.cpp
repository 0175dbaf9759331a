// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/mix_ways.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace millrace::target {

namespace {

// Keeps a result alive that nobody wants.
std::atomic<std::uint64_t> g_used{0};

using Word = std::uint64_t;
constexpr std::size_t kLine = 64;

bool always() { return true; }

// Loops for a number of reads that the compiler knows. `Pass` has run<reads, written>(...).
template <class Pass>
void dispatch(const char* const* reads, int count, char* write, std::size_t first, std::size_t last) {
  [&]<int... n>(std::integer_sequence<int, n...>) {
    ((count == n ? (write ? Pass::template run<n, true>(reads, write, first, last)
                          : Pass::template run<n, false>(reads, write, first, last))
                 : void()),
     ...);
  }
  (std::integer_sequence<int, 0, 1, 2, 3, 4>{});
}

struct Portable {
  template <int reads, bool written>
  static void run(const char* const* from, char* to, std::size_t first, std::size_t last) {
    Word used = 0;
#pragma GCC unroll 4
    for (std::size_t at = first; at < last; at += sizeof(Word)) {
      Word word = 0, next;
      for (int r = 0; r < reads; ++r) std::memcpy(&next, from[r] + at, sizeof next), word ^= next;
      if constexpr (written)
        std::memcpy(to + at, &word, sizeof word);
      else
        used ^= word;
    }
    if (!written) g_used = used;
  }
};

#if defined(__x86_64__)

bool has_avx2() { return __builtin_cpu_supports("avx2"); }
bool has_avx512() { return __builtin_cpu_supports("avx512f"); }

template <bool past_caches>
struct Avx2 {
  template <int reads, bool written>
  [[gnu::target("avx2")]] static void run(const char* const* from, char* to, std::size_t first, std::size_t last) {
    __m256i used = _mm256_setzero_si256();
#pragma GCC unroll 4
    for (std::size_t at = first; at < last; at += 32) {
      __m256i word = _mm256_setzero_si256();
      for (int r = 0; r < reads; ++r)
        word = _mm256_xor_si256(word, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from[r] + at)));
      if constexpr (!written)
        used = _mm256_xor_si256(used, word);
      else if constexpr (past_caches)
        _mm256_stream_si256(reinterpret_cast<__m256i*>(to + at), word);
      else
        _mm256_store_si256(reinterpret_cast<__m256i*>(to + at), word);
    }
    if (!written) g_used = static_cast<Word>(_mm256_extract_epi64(used, 0));
    if (written && past_caches) _mm_sfence();
  }
};

template <bool past_caches>
struct Avx512 {
  template <int reads, bool written>
  [[gnu::target("avx512f")]] static void run(const char* const* from, char* to, std::size_t first, std::size_t last) {
    __m512i used = _mm512_setzero_si512();
#pragma GCC unroll 4
    for (std::size_t at = first; at < last; at += kLine) {
      __m512i word = _mm512_setzero_si512();
      for (int r = 0; r < reads; ++r) word = _mm512_xor_si512(word, _mm512_loadu_si512(from[r] + at));
      if constexpr (!written)
        used = _mm512_xor_si512(used, word);
      else if constexpr (past_caches)
        _mm512_stream_si512(reinterpret_cast<__m512i*>(to + at), word);
      else
        _mm512_store_si512(to + at, word);
    }
    alignas(kLine) Word lanes[kLine / sizeof(Word)];
    _mm512_store_si512(lanes, used);
    if (!written) g_used = lanes[0];
    if (written && past_caches) _mm_sfence();
  }
};

bool has_avx2_fma() { return has_avx2() && __builtin_cpu_supports("fma"); }

#endif

constexpr int kChains = 12, kRounds = 200'000;  // as many sums as hide the latency; about a millisecond

void fma_portable() {
  float sums[kChains];
  for (int c = 0; c < kChains; ++c) sums[c] = static_cast<float>(c);
  for (int i = 0; i < kRounds; ++i)
    for (float& s : sums) s = s * 0.999f + 0.001f;
  float all = 0;
  for (float s : sums) all += s;
  g_used = static_cast<Word>(all);
}

#if defined(__x86_64__)

[[gnu::target("avx2,fma")]] void fma_avx2() {
  const __m256 shrink = _mm256_set1_ps(0.999f), add = _mm256_set1_ps(0.001f);
  __m256 sums[kChains];
  for (int c = 0; c < kChains; ++c) sums[c] = _mm256_set1_ps(static_cast<float>(c));
  for (int i = 0; i < kRounds; ++i)
    for (int c = 0; c < kChains; ++c) sums[c] = _mm256_fmadd_ps(sums[c], shrink, add);
  __m256 all = sums[0];
  for (int c = 1; c < kChains; ++c) all = _mm256_add_ps(all, sums[c]);
  g_used = static_cast<Word>(_mm256_cvtss_f32(all));
}

[[gnu::target("avx512f")]] void fma_avx512() {
  const __m512 shrink = _mm512_set1_ps(0.999f), add = _mm512_set1_ps(0.001f);
  __m512 sums[kChains];
  for (int c = 0; c < kChains; ++c) sums[c] = _mm512_set1_ps(static_cast<float>(c));
  for (int i = 0; i < kRounds; ++i)
    for (int c = 0; c < kChains; ++c) sums[c] = _mm512_fmadd_ps(sums[c], shrink, add);
  __m512 all = sums[0];
  for (int c = 1; c < kChains; ++c) all = _mm512_add_ps(all, sums[c]);
  alignas(kLine) float lanes[16];
  _mm512_store_ps(lanes, all);
  g_used = static_cast<Word>(lanes[0]);
}

#endif

double flops_of(int lanes) { return 2.0 * lanes * kChains * kRounds; }

}  // namespace

void mix_bytes(const char* const* reads, int count, char* write, std::size_t first, std::size_t last) {
  for (std::size_t at = first; at < last; ++at) {
    char byte = 0;
    for (int r = 0; r < count; ++r) byte = static_cast<char>(byte ^ reads[r][at]);
    if (write)
      write[at] = byte;
    else
      g_used = static_cast<Word>(byte);
  }
}

const std::vector<MixLoop::Way>& mix_ways() {
  static const std::vector<MixLoop::Way> all {
    {"64-bit words", always, dispatch<Portable>},
#if defined(__x86_64__)
        {"256-bit vectors, stores through the caches", has_avx2, dispatch<Avx2<false>>},
        {"256-bit vectors, stores past the caches", has_avx2, dispatch<Avx2<true>>},
        {"512-bit vectors, stores through the caches", has_avx512, dispatch<Avx512<false>>},
        {"512-bit vectors, stores past the caches", has_avx512, dispatch<Avx512<true>>},
#endif
  };
  return all;
}

const std::vector<FmaLoop::Way>& fma_ways() {
  static const std::vector<FmaLoop::Way> all {
    {"multiply and add, as compiled for any CPU", always, fma_portable, flops_of(1)},
#if defined(__x86_64__)
        {"256-bit multiply-adds", has_avx2_fma, fma_avx2, flops_of(8)},
        {"512-bit multiply-adds", has_avx512, fma_avx512, flops_of(16)},
#endif
  };
  return all;
}

}  // namespace millrace::target
