// SPDX-License-Identifier: Apache-2.0
#include "c_api/arrays.h"

#include <fmt/format.h>

#include <cstring>

namespace millrace::c_api {

static_assert(static_cast<int>(DType::f32) == MILLRACE_F32 && static_cast<int>(DType::bf16) == MILLRACE_BF16 &&
              static_cast<int>(DType::f16) == MILLRACE_F16 && static_cast<int>(DType::i8) == MILLRACE_I8 &&
              static_cast<int>(DType::i16) == MILLRACE_I16 && static_cast<int>(DType::i32) == MILLRACE_I32 &&
              static_cast<int>(DType::u8) == MILLRACE_U8 && static_cast<int>(DType::u16) == MILLRACE_U16 &&
              static_cast<int>(DType::u32) == MILLRACE_U32 && static_cast<int>(DType::i1) == MILLRACE_I1);

front::Tensor tensor_of(const millrace_array& array, const std::string& what) {
  const auto refuse = [&](const std::string& why) { throw Error(ErrorCode::kUser, what + why); };
  if (array.dtype < MILLRACE_F32 || array.dtype > MILLRACE_I1)
    refuse(fmt::format(" has the dtype {}, which is none", array.dtype));
  if (array.rank < 0 || array.rank > static_cast<int>(kMaxRank) || (array.rank > 0 && !array.dims))
    refuse(fmt::format(" has the rank {}; 0 to {} is legal", array.rank, kMaxRank));
  front::Tensor tensor{static_cast<DType>(array.dtype), Shape(array.dims, array.dims + array.rank)};
  if (element_count(tensor.shape) > 0 && !array.data) refuse(" has elements, but no data");
  return tensor;
}

Array copy_of(const millrace_array& array, const std::string& what) {
  front::Tensor tensor = tensor_of(array, what);
  Array copy = Array::unset(tensor.dtype, std::move(tensor.shape));
  if (copy.bytes() > 0) std::memcpy(copy.data(), array.data, copy.bytes());
  return copy;
}

void copy_to(const Array& from, const millrace_array& to) {
  if (from.bytes() > 0) std::memcpy(to.data, from.data(), from.bytes());
}

}  // namespace millrace::c_api
