// SPDX-License-Identifier: Apache-2.0
#include "timing/stretches.h"

#include <algorithm>

namespace millrace::timing {

std::vector<Stretch> joined(std::vector<Stretch> stretches) {
  std::ranges::sort(stretches);
  std::vector<Stretch> out;
  for (const Stretch& s : stretches) {
    if (s.second <= s.first) continue;
    if (!out.empty() && s.first <= out.back().second)
      out.back().second = std::max(out.back().second, s.second);
    else
      out.push_back(s);
  }
  return out;
}

Time length(const std::vector<Stretch>& stretches) {
  Time sum = 0;
  for (const Stretch& s : stretches) sum += s.second - s.first;
  return sum;
}

Time common(const std::vector<Stretch>& a, const std::vector<Stretch>& b) {
  Time sum = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Time begin = std::max(a[i].first, b[j].first), end = std::min(a[i].second, b[j].second);
    if (end > begin) sum += end - begin;
    (a[i].second < b[j].second ? i : j) += 1;
  }
  return sum;
}

}  // namespace millrace::timing
