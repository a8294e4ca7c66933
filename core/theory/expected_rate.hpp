#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bloometry {

/// Kind of knowledge about the value of an expected rate.
enum class RateKind {
  kExact,  ///< exact for ideal digests of the width that the filter uses
  kModel,  ///< a model; `why_not_exact` states what it omits
  kBound,  ///< proven upper bound
};

/// Returns "exact", "model" or "bound".
[[nodiscard]] constexpr std::string_view name_of(RateKind kind) noexcept {
  return kind == RateKind::kExact ? "exact" : kind == RateKind::kModel ? "model" : "bound";
}

/// The probability that a query has the same digest bits as a member (theory 1.8). If such a query
/// always tests positive, the rate is never below the floor. More probes do not lower the floor,
/// and more cells lower it only in a filter of blocks.
struct RateFloor {
  std::string_view name;  ///< hash_bits, scheme_bits or block_bits
  double rate = 0;
  double num_bits = 0;     ///< number of bits that must agree by chance
  std::string lowered_by;  ///< what lowers the floor
};

/// The expected rate of a filter with the properties of the value. All outputs that print a rate
/// print it from an ExpectedRate. The rate is the mean over all filters with n keys, or the mean
/// over queries given the cells of one filter. The name of the field states which.
struct ExpectedRate {
  double rate = 0;
  RateKind kind = RateKind::kExact;
  std::string_view formula = "exact";      ///< name of the formula
  std::string why_not_exact{};             ///< empty if the kind is kExact
  std::string_view condition{};            ///< an event for which the rate is stated, or empty
  std::optional<double> upper_bound{};     ///< proven upper bound of a model, or absent
  std::optional<double> standard_error{};  ///< of a numerical integration, or absent
  std::optional<RateFloor> floor{};        ///< absent if the digest has bits for all probes
};

}  // namespace bloometry
