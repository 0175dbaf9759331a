// SPDX-License-Identifier: Apache-2.0
// A place between operations where others can be put.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mosaic/ir.h"

namespace millrace::mutation {

class Site {
 public:
  Site(mosaic::Function& function, std::vector<mosaic::Op>& ops, std::size_t at)
      : function_(function), ops_(ops), at_(at) {}

  mosaic::Op& op() { return ops_[at_]; }
  const mosaic::Type& type_of(mosaic::ValueId value) const { return function_.values[value]; }

  void drop();
  void repeat();

  // New operations before this one, at its place in the source; each gives one value.
  mosaic::ValueId constant(std::int64_t value, const mosaic::Type& type);
  mosaic::ValueId binary(const std::string& name, mosaic::ValueId a, mosaic::ValueId b);
  mosaic::ValueId plus(mosaic::ValueId a, std::int64_t b);             // of a scalar
  mosaic::ValueId next_in_ring(mosaic::ValueId a, std::int64_t size);  // (a + 1) mod size
  mosaic::ValueId first_part(mosaic::ValueId memref, std::vector<std::int64_t> shape);

 private:
  mosaic::ValueId insert(mosaic::Op op, mosaic::Type result);

  mosaic::Function& function_;
  std::vector<mosaic::Op>& ops_;
  std::size_t at_;
};

}  // namespace millrace::mutation
