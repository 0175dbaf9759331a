// SPDX-License-Identifier: Apache-2.0
// Arithmetic on whole tiles: contiguous row-major elements of one type. Each function looks an operation up once, when
// a program is lowered, and hands back a plain function pointer that the machine calls; null means "not supported".
// Every result is the same on every machine and compiler: one rounding an operation, reductions in a stated order
// (docs/semantics.md, clauses N1 to N16). Lookups never throw; moves and matmul throw Error(kInternal) for shapes or
// types that a verified program cannot have, and Error(kUnsupported) for more than 8 dimensions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mosaic/ir.h"

namespace millrace::tile {

using mosaic::Element;

// Bytes of an element in a tile. i1 and i4 take one byte (i1: 0 or 1; i4: sign-extended), index and i64 eight.
std::size_t size_in_bytes(Element element);

// out[i] = f(a[i]) and so on, n elements. `out` may be any of the inputs, but no partial overlap.
using Unary = void (*)(const void* a, void* out, std::size_t n);
using Binary = void (*)(const void* a, const void* b, void* out, std::size_t n);
using Select = void (*)(const void* condition, const void* a, const void* b, void* out, std::size_t n);

// `op` is the MLIR name: "math.exp", "arith.negf", "tpu.reciprocal", ...; result of the same element type.
Unary unary(std::string_view op, Element element);
// "arith.addf", "arith.muli", "arith.divsi", "arith.maximumf", "math.powf", "math.atan2", ...; same element type.
Binary binary(std::string_view op, Element element);
// As binary, but b is a single element taken for all: a splat constant need not be spread out.
Binary binary_with_scalar(std::string_view op, Element element);
// arith.cmpi / arith.cmpf by MLIR's predicate number; out is i1 bytes.
Binary compare_integers(std::int64_t predicate, Element element);
Binary compare_floats(std::int64_t predicate, Element element);
// arith.select with an i1 tile, elements of `bytes` bytes.
Select select(std::size_t bytes);
// "extf", "truncf", "sitofp", "uitofp", "fptosi", "fptoui", "extsi", "extui", "trunci", "bitcast" (same size),
// "index_cast", "index_castui", with or without "arith." before them: from one element type to another. "tpu.weird":
// float to i1.
Unary convert(std::string_view op, Element from, Element to);

// Copies between tiles by index arithmetic; shapes are row-major, at most 8 dimensions.
// Broadcast as vector.broadcast does: `in` lines up with the trailing dimensions of `out`, size 1 stretches.
void broadcast(const void* in, std::span<const std::int64_t> in_shape, void* out,
               std::span<const std::int64_t> out_shape, std::size_t element_bytes);
void transpose(const void* in, std::span<const std::int64_t> in_shape, std::span<const std::int64_t> permutation,
               void* out, std::size_t element_bytes);
// Row-major count over `dimensions`, in the order in which they are listed.
void iota(std::span<const std::int64_t> shape, std::span<const std::int64_t> dimensions, std::int32_t* out);
// Writes part `in` of a concatenation into `out` at `offset` along `dimension`.
void concatenate_part(const void* in, std::span<const std::int64_t> in_shape, void* out,
                      std::span<const std::int64_t> out_shape, std::int64_t dimension, std::int64_t offset,
                      std::size_t element_bytes);
void extract_slice(const void* in, std::span<const std::int64_t> in_shape, std::span<const std::int64_t> offsets,
                   std::span<const std::int64_t> sizes, void* out, std::size_t element_bytes);
// Element i moves to (i + amount) mod n along `dimension`.
void rotate(const void* in, std::span<const std::int64_t> shape, std::int64_t dimension, std::int64_t amount, void* out,
            std::size_t element_bytes);

// As rotate, with `amount` growing by `stride` a step along `stride_dimension`.
void rotate_strided(const void* in, std::span<const std::int64_t> shape, std::int64_t dimension, std::int64_t amount,
                    std::int64_t stride, std::int64_t stride_dimension, void* out, std::size_t element_bytes);
// Each element of `out` is the one of `in` at its own place, but along `dimension` at its index modulo the size there.
void gather(const void* in, std::span<const std::int64_t> in_shape, const std::int32_t* indices,
            std::span<const std::int64_t> out_shape, std::int64_t dimension, void* out, std::size_t element_bytes);

// Each of `bytes` bytes is two i4 elements, the low half first.
void split_nibbles(const void* in, void* out, std::size_t bytes);
void join_nibbles(const void* in, void* out, std::size_t bytes);

// The stream of random words of a state: a function of the state alone. A seed is taken into a state, 0 to begin with.
std::uint64_t seeded(std::uint64_t state, std::uint32_t seed);
void random_words(std::uint64_t& state, std::uint32_t* out, std::size_t n);

// vector.multi_reduction: out = fold of `accumulator` and the elements along `dimensions`, in the order that
// docs/semantics.md states. Kinds: add, mul, maximumf, minimumf, maxsi, minsi, maxui, minui, and, or, xor.
struct Reduction {
  std::span<const std::int64_t> shape;       // of the input
  std::span<const std::int64_t> dimensions;  // reduced, ascending
};
using Reduce = void (*)(const Reduction& r, const void* in, const void* accumulator, void* out);
Reduce reduce(std::string_view kind, Element element);
// tpu.reduce_index: arg_max / arg_min along one dimension, f32 to i32; the first of equals, and the first NaN, wins.
using ReduceIndex = void (*)(const Reduction& r, const void* in, void* out);
ReduceIndex reduce_index(std::string_view kind, Element element);

// tpu.matmul as #tpu.dot_dimension_numbers states it: out = accumulator + sum over k of lhs * rhs.
struct Matmul {
  std::int64_t batch, rows, columns, depth;
  // Element strides of lhs (batch, row, k), of rhs (batch, k, column); out and accumulator are (batch, row, column).
  std::int64_t lhs_stride[3], rhs_stride[3];
  Element lhs, rhs, out;
  bool round_f32_operands_to_bf16;  // absent precision on f32
};
bool matmul_supported(const Matmul& m);
void matmul(const Matmul& m, const void* lhs, const void* rhs, const void* accumulator, void* out);

}  // namespace millrace::tile
