#pragma once

#include <cmath>
#include <cstdint>

/// Rates of filters whose digests have w bits (theory 1.8). A digest has at most 2^w values. Two
/// keys with equal digests have the same probes, so a query whose digest equals that of a member
/// always tests positive. The width w may be any real number above 0; a width of +infinity stands
/// for digests that never collide.
namespace bloometry {

/// Returns the probability that the digest of an absent key equals the digest of at least one of n
/// members: c = 1 - (1 - 2^-w)^n. The rate of a filter with digests of w bits is never below c.
[[nodiscard]] double digest_collision_rate(double num_keys, double num_bits) noexcept;

/// Returns n minus the expected number of distinct digests of n keys, which is n - 2^w c. The
/// result is accurate even if it is much smaller than 1.
[[nodiscard]] double expected_lost_digests(double num_keys, double num_bits) noexcept;

/// Returns the expected rate of n keys with digests of w bits, computed from the rate f of ideal
/// digests. The argument ideal_rate(j) returns f for j keys.
///
/// The members have D distinct digests. A query's digest equals one of the digests with probability
/// D/2^w. Otherwise, its probes are independent of the members, and it tests positive with
/// probability f(D). The rate is E[D/2^w + (1 - D/2^w) f(D)]. The result uses f at the mean of
/// D, by linear interpolation. The relative error is below max(k-1, 2) k / 2^(w+1) for k probes per
/// key (theory 1.8). If the term of the digests is below 2^-54 of the rate, the result is
/// ideal_rate(n) to the last bit.
template <class IdealRate>
[[nodiscard]] double rate_with_digests(std::uint64_t num_keys, double num_bits,
                                       const IdealRate& ideal_rate) {
  const auto n = static_cast<double>(num_keys);
  const double lost = expected_lost_digests(n, num_bits);
  const double whole = std::floor(lost);
  const std::uint64_t num_distinct = num_keys - static_cast<std::uint64_t>(whole);
  const double share = lost - whole;
  double rate = ideal_rate(num_distinct);
  // A key changes the rate by at most the factor k/n (theory 1.8), and 1024 exceeds every k.
  if (share * 1024 > 0x1p-54 * static_cast<double>(num_distinct)) {
    rate -= share * (rate - ideal_rate(num_distinct - 1));
  }
  const double collision = digest_collision_rate(n, num_bits);
  return collision + (1 - collision) * rate;
}

}  // namespace bloometry
