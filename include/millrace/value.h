// SPDX-License-Identifier: Apache-2.0
// Values of a kernel. A kernel is traced: its C++ runs once and leaves operations behind, so these are handles on what
// will be computed, not numbers.
//
//   Value   a vector or a scalar of any dtype
//   Index   an i32 scalar: program ids, loop counters, places. An `int` turns into one
//   Bool    a condition, or a mask of a vector's shape. It has no C++ truth: use when, cond or select
//
// Arithmetic broadcasts as NumPy does. Both sides have one dtype; a C++ number takes the dtype of the other side. `/`
// and `%` of integers truncate as in C++. Mistakes throw Error(kUser) at the caller's line.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "millrace/array.h"
#include "millrace/site.h"

namespace millrace {

namespace dsl {
class Tracer;

// What a handle holds. Whoever writes kernels has no business here.
struct Node {
  std::shared_ptr<Tracer> owner;  // null for a number known while tracing
  std::uint32_t id = 0;
  DType dtype = DType::i32;
  Shape shape;                           // empty: a scalar
  std::optional<std::int64_t> constant;  // i32 and i1 scalars only: known while tracing
};

template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;
}  // namespace dsl

class Bool;
class BoolTerm;
class IndexTerm;
class Term;

class MILLRACE_API Index {
 public:
  template <dsl::Integer T>
  Index(T number) : Index(static_cast<std::int64_t>(number), 0) {}
  explicit Index(const class Value& scalar, Site at = Site::current());  // an i32 scalar, such as one loaded from SMEM
  explicit Index(dsl::Node node) : node_(std::move(node)) {}
  const dsl::Node& node() const { return node_; }

  friend MILLRACE_API Index operator+(IndexTerm a, IndexTerm b);
  friend MILLRACE_API Index operator-(IndexTerm a, IndexTerm b);
  friend MILLRACE_API Index operator*(IndexTerm a, IndexTerm b);
  friend MILLRACE_API Index operator/(IndexTerm a, IndexTerm b);
  friend MILLRACE_API Index operator%(IndexTerm a, IndexTerm b);
  friend MILLRACE_API Index operator-(IndexTerm a);
  friend MILLRACE_API Bool operator==(IndexTerm a, IndexTerm b);
  friend MILLRACE_API Bool operator!=(IndexTerm a, IndexTerm b);
  friend MILLRACE_API Bool operator<(IndexTerm a, IndexTerm b);
  friend MILLRACE_API Bool operator<=(IndexTerm a, IndexTerm b);
  friend MILLRACE_API Bool operator>(IndexTerm a, IndexTerm b);
  friend MILLRACE_API Bool operator>=(IndexTerm a, IndexTerm b);

 private:
  Index(std::int64_t number, int);
  dsl::Node node_;
};

class MILLRACE_API Value {
 public:
  Value(const Index& index) : node_(index.node()) {}  // an i32 scalar
  Value(const Bool& condition);                       // i1
  explicit Value(dsl::Node node) : node_(std::move(node)) {}
  DType dtype() const { return node_.dtype; }
  const Shape& shape() const { return node_.shape; }
  const dsl::Node& node() const { return node_; }

  friend MILLRACE_API Value operator+(Term a, Term b);
  friend MILLRACE_API Value operator-(Term a, Term b);
  friend MILLRACE_API Value operator*(Term a, Term b);
  friend MILLRACE_API Value operator/(Term a, Term b);
  friend MILLRACE_API Value operator%(Term a, Term b);
  friend MILLRACE_API Value operator&(Term a, Term b);
  friend MILLRACE_API Value operator|(Term a, Term b);
  friend MILLRACE_API Value operator^(Term a, Term b);
  friend MILLRACE_API Value operator<<(Term a, Term b);
  friend MILLRACE_API Value operator>>(Term a, Term b);  // arithmetic for signed integers, logical for unsigned ones
  friend MILLRACE_API Value operator-(Term a);
  friend MILLRACE_API Bool operator==(Term a, Term b);
  friend MILLRACE_API Bool operator!=(Term a, Term b);  // true where a side is NaN
  friend MILLRACE_API Bool operator<(Term a, Term b);
  friend MILLRACE_API Bool operator<=(Term a, Term b);
  friend MILLRACE_API Bool operator>(Term a, Term b);
  friend MILLRACE_API Bool operator>=(Term a, Term b);
  Value& operator+=(Term b);
  Value& operator-=(Term b);
  Value& operator*=(Term b);
  Value& operator/=(Term b);

 private:
  dsl::Node node_;
};

class MILLRACE_API Bool {
 public:
  explicit Bool(const Value& mask, Site at = Site::current());  // of dtype i1, such as one loaded from a bool array
  explicit Bool(dsl::Node node) : node_(std::move(node)) {}
  // `if (i == 3)` would ask while tracing for what is known only in the kernel: write when(i == 3, ...).
  explicit operator bool() const = delete;
  const Shape& shape() const { return node_.shape; }
  const dsl::Node& node() const { return node_; }

  friend MILLRACE_API Bool operator&(BoolTerm a, BoolTerm b);
  friend MILLRACE_API Bool operator|(BoolTerm a, BoolTerm b);
  friend MILLRACE_API Bool operator^(BoolTerm a, BoolTerm b);
  friend MILLRACE_API Bool operator!(const Bool& a);

 private:
  dsl::Node node_;
};

// One side of an operator, with the place it is written at.
class Term {
 public:
  Term(const Value& v, Site at = Site::current()) : node_(v.node()), at_(at) {}
  Term(const Index& i, Site at = Site::current()) : node_(i.node()), at_(at) {}
  template <dsl::Integer T>
  Term(T number, Site at = Site::current()) : number_(static_cast<double>(number)), whole_(number), at_(at) {}
  template <std::floating_point T>
  Term(T number, Site at = Site::current()) : number_(static_cast<double>(number)), at_(at) {}

  bool is_number() const { return number_.has_value(); }
  const dsl::Node& node() const { return node_; }  // unless is_number()
  double number() const { return *number_; }
  std::optional<std::int64_t> whole() const { return whole_; }  // the number, where it was written as an integer
  const Site& at() const { return at_; }

 private:
  dsl::Node node_;
  std::optional<double> number_;
  std::optional<std::int64_t> whole_;
  Site at_;
};

class IndexTerm {
 public:
  IndexTerm(const Index& i, Site at = Site::current()) : index_(i), at_(at) {}
  template <dsl::Integer T>
  IndexTerm(T number, Site at = Site::current()) : index_(number), at_(at) {}
  const Index& index() const { return index_; }
  const Site& at() const { return at_; }

 private:
  Index index_;
  Site at_;
};

class BoolTerm {
 public:
  BoolTerm(const Bool& b, Site at = Site::current()) : node_(b.node()), at_(at) {}
  template <std::same_as<bool> T>
  BoolTerm(T known, Site at = Site::current()) : node_{nullptr, 0, DType::i1, {}, known ? 1 : 0}, at_(at) {}
  const dsl::Node& node() const { return node_; }
  const Site& at() const { return at_; }

 private:
  dsl::Node node_;
  Site at_;
};

}  // namespace millrace
