#include "core/rates/digest_width.hpp"

namespace bloometry {

double digest_collision_rate(double num_keys, double num_bits) noexcept {
  if (num_keys == 0) return 0;
  return -std::expm1(num_keys * std::log1p(-std::exp2(-num_bits)));
}

double expected_lost_digests(double num_keys, double num_bits) noexcept {
  const double share = std::exp2(-num_bits);
  if (num_keys < 2 || share == 0) return 0;
  constexpr double kFewKeys = 0.01;  // per value of a digest; above, the subtraction is accurate
  if (num_keys * share > kFewKeys) {
    return num_keys - digest_collision_rate(num_keys, num_bits) / share;
  }
  // n - 2^w (1 - (1-s)^n) = C(n,2) s - C(n,3) s^2 + ..., with s = 2^-w and n s small
  double sum = 0;
  double term = num_keys * (num_keys - 1) / 2 * share;
  for (unsigned i = 2; std::abs(term) > 0x1p-56 * sum; ++i) {
    sum += term;
    term *= -(num_keys - i) / (i + 1) * share;
  }
  return sum;
}

}  // namespace bloometry
