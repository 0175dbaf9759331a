// SPDX-License-Identifier: Apache-2.0
// .npy files put together by hand, right and wrong ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "millrace/array.h"

namespace millrace::testing {

// Magic, version, the length of `dict` in the version's form, `dict` as it is, and `data`.
inline std::string npy_file(std::string_view dict, std::string_view data, int major = 1, int minor = 0) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(major);
  file += static_cast<char>(minor);
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) file += static_cast<char>(dict.size() >> (8 * i) & 0xff);
  return file.append(dict).append(data);
}

inline std::string npy_dict(std::string_view descr, std::string_view shape, std::string_view fortran_order = "False") {
  std::string dict = "{'descr': '";
  dict.append(descr).append("', 'fortran_order': ").append(fortran_order);
  return dict.append(", 'shape': ").append(shape).append(", }\n");
}

inline Array parse(std::string_view file, std::optional<DType> as = {}) {
  return parse_npy(std::as_bytes(std::span(file.data(), file.size())), "x.npy", as);
}

}  // namespace millrace::testing
