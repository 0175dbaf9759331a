// SPDX-License-Identifier: Apache-2.0
// Views of the same bytes in another form: the view so far becomes one value, and its new form a memory of its own.
#include <algorithm>

#include <fmt/format.h>

#include "dsl/view.h"
#include "millrace/ref.h"

namespace millrace {
namespace {

using dsl::Tracer;
using dsl::View;

Ref formed(const char* operation, const View& v, DType dtype, const Shape& shape, const Site& at) {
  Tracer& t = Tracer::current(at, "a view");
  auto from = dsl::place(t, v, at);
  mosaic::Type type = t.type(from);
  type.element = dsl::element_of(dsl::stored_as(dtype));
  type.shape = shape;
  auto id = t.emit(operation, {from}, {}, type, at);
  return dsl::whole_ref(t, id, dtype, v.space, v.name);
}

}  // namespace

Ref Ref::reshape(const Shape& shape, Site at) const {
  if (shape == view_->shape) return *this;
  bool positive = std::all_of(shape.begin(), shape.end(), [](std::int64_t n) { return n > 0; });
  if (!positive || shape.empty() || view_->shape.empty() || element_count(shape) != element_count(view_->shape)) {
    dsl::fail(at, fmt::format("reshape of {} to {}: the counts of elements differ, or a side is a scalar",
                              describe(*view_), to_string(shape)));
  }
  return formed("tpu.memref_reshape", *view_, view_->dtype, shape, at);
}

Ref Ref::bitcast(DType dtype, Site at) const {
  if (dtype == view_->dtype) return *this;
  if (dtype == DType::i1 || view_->dtype == DType::i1) {
    dsl::fail(at, fmt::format("bitcast of {} to {}: bool arrays have no bits of their own", describe(*view_),
                              name_of(dtype)));
  }
  Shape shape = view_->shape;
  std::int64_t from = dsl::bits_of(view_->dtype), to = dsl::bits_of(dtype);
  if (from != to) {
    if (shape.size() < 2 || shape[shape.size() - 2] * from % to != 0) {
      dsl::fail(at, fmt::format("bitcast of {} to {}: the second last dimension makes up for the width, so it must be "
                                "there and be a multiple of {}",
                                describe(*view_), name_of(dtype), std::max<std::int64_t>(1, to / from)));
    }
    shape[shape.size() - 2] = shape[shape.size() - 2] * from / to;
  }
  // Signed and unsigned integers are one element type: only the name changes.
  if (dsl::element_of(dtype) == dsl::element_of(view_->dtype)) {
    View renamed = *view_;
    renamed.dtype = dtype;
    return Ref(std::make_shared<View>(std::move(renamed)));
  }
  return formed("tpu.memref_bitcast", *view_, dtype, shape, at);
}

}  // namespace millrace
