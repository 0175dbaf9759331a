// SPDX-License-Identifier: Apache-2.0
#include "timing/costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "millrace/error.h"
#include "plan/chip.h"
#include "plan/rates.h"

namespace millrace::timing {

namespace {

constexpr double kRegister = 8 * 128;  // elements of 32 bits in a vector register

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::kUser, what); }

bool is_delay(const std::string& name) { return name == "dma-latency" || name == "control"; }

// Takes the given value, else the chip's own, and keeps which it was.
class Chosen {
 public:
  Chosen(const std::map<std::string, double>& given, Costs& costs) : given_(given), costs_(costs) {}

  double take(const std::string& name, double own, const char* source) {
    Parameter p = *std::ranges::find_if(parameters(), [&](const Parameter& q) { return q.name == name; });
    const auto found = given_.find(name);
    p.value = found == given_.end() ? own : found->second;
    p.source = found == given_.end() ? source : "given";
    costs_.parameters.push_back(p);
    return p.value;
  }

 private:
  const std::map<std::string, double>& given_;
  Costs& costs_;
};

void require_known(const std::map<std::string, double>& given) {
  for (const auto& [name, value] : given) {
    std::string names;
    bool known = false;
    for (const Parameter& p : parameters()) known |= p.name == name, names += (names.empty() ? "" : ", ") + p.name;
    if (!known) refuse(fmt::format("the modeled clock has no parameter `{}`; there are {}", name, names));
    if (!std::isfinite(value) || value < 0 || value > 1e12 || (value < 1e-9 && !is_delay(name)))
      refuse(
          fmt::format("{} {}: take a number {}", name, value, is_delay(name) ? "from 0 to 1e12" : "from 1e-9 to 1e12"));
  }
}

}  // namespace

const std::vector<Parameter>& parameters() {
  static const std::vector<Parameter> kParameters = {
      {"bandwidth", 0, "GB/s", "", "between HBM and a core, loads and stores together"},
      {"dma-latency", 0, "us", "", "from a DMA's start until its first byte moves"},
      {"control", 0, "ns", "", "of the core, for each DMA start, wait and signal"},
      {"clock", 0, "GHz", "", "cycles a second"},
      {"vector-rate", 0, "Gelements/s", "", "vector arithmetic"},
      {"transcendental-rate", 0, "Gelements/s", "", "exponentials, logarithms, roots, divisions"},
      {"rearrange-rate", 0, "Gelements/s", "", "elements that change places"},
      {"load-rate", 0, "GB/s", "", "from VMEM to registers"},
      {"store-rate", 0, "GB/s", "", "from registers to VMEM"},
      {"matrix-rate", 0, "Tops/s", "", "matrix products of bf16; a multiply-add is two"},
      {"local-bandwidth", 0, "GB/s", "", "DMAs that stay within the core or the chip"},
      {"link-bandwidth", 0, "GB/s", "", "DMAs to another chip"},
  };
  return kParameters;
}

double Costs::matrix_rate(int bits, bool floating) const {
  if (bits >= 32 && floating) return matrix / 6;  // six products of bf16 parts make one of f32
  if (bits == 8) return floating ? matrix_f8 : matrix_i8;
  return bits == 4 ? matrix_i4 : matrix;
}

Costs costs_of(const std::string& name, const std::map<std::string, double>& given) {
  require_known(given);
  const plan::Chip& chip = plan::chip_named(name);
  const plan::Rates& r = plan::rates_of(chip.name);
  Costs c;
  c.chip = chip.name;
  Chosen chosen(given, c);
  c.hbm = 1e9 * chosen.take("bandwidth", r.hbm / 1e9, "published");
  c.latency = std::llround(1e6 * chosen.take("dma-latency", 0.6, "derived"));
  c.control = std::llround(1e3 * chosen.take("control", 10, "derived"));
  const double clock = chosen.take("clock", r.matrix16 / 2 / r.multipliers / 1e9, "derived");
  const double registers = kRegister * clock;  // in billions of elements, one register a cycle
  c.vector = 1e9 * chosen.take("vector-rate", registers * r.vector_slots, "derived");
  c.transcendental = 1e9 * chosen.take("transcendental-rate", registers, "derived");
  c.rearrange = 1e9 * chosen.take("rearrange-rate", registers * r.rearrange_slots, "derived");
  c.loads = 1e9 * chosen.take("load-rate", 4 * registers * r.load_slots, "derived");
  c.stores = 1e9 * chosen.take("store-rate", 4 * registers * r.store_slots, "derived");
  c.matrix = 1e12 * chosen.take("matrix-rate", r.matrix16 / 1e12, "published");
  const double times = c.matrix / r.matrix16;  // narrower products keep their ratio to bf16
  c.matrix_i8 = times * (r.matrix_i8 > 0 ? r.matrix_i8 : r.matrix16);
  c.matrix_f8 = times * (r.matrix_f8 > 0 ? r.matrix_f8 : r.matrix16);
  c.matrix_i4 = times * (r.matrix_i4 > 0 ? r.matrix_i4 : c.matrix_i8 / times);
  c.local = 1e9 * chosen.take("local-bandwidth", 4 * registers * r.store_slots, "assumed");
  c.link = 1e9 * chosen.take("link-bandwidth", r.link / 1e9, "published");
  return c;
}

}  // namespace millrace::timing
