#include "variants/d_left/d_left_theory.hpp"

#include <algorithm>
#include <cmath>

#include "core/theory/fill_moments.hpp"
#include "variants/d_left/d_left_rates.hpp"
#include "variants/d_left/d_left_refused_law.hpp"
#include "variants/d_left/d_left_sizing.hpp"

namespace bloometry {

// The functions ignore the model argument, because a table does not have probes.

namespace {

/// Sizes of an empty table, in the letters of theory 7. A table that doubles keeps B 2^R.
struct Table {
  explicit Table(const FilterSpec& spec)
      : Table(DLeftFilter::geometry(spec), DLeftFilter::resolved_params(spec)) {}

  /// A claim may have a geometry that the filter rejects, so R and B are at least 1.
  Table(const Geometry& of_table, const Params& params)
      : geometry(of_table),
        R(static_cast<unsigned>(
            std::max(1.0, geometry.cell_bits - number_param(params, "counter_bits")))),
        B(std::max<std::uint64_t>(1, d_left_subtable_buckets(geometry))) {}

  [[nodiscard]] std::uint64_t num_fingerprints() const { return B << R; }

  [[nodiscard]] double keys_per_bucket(std::uint64_t num_keys) const {
    return static_cast<double>(num_keys) / static_cast<double>(geometry.num_blocks());
  }

  Geometry geometry;
  unsigned R;
  std::uint64_t B;
};

/// Odds that a table refuses a key of those for which it is sized. In the limit of many buckets,
/// they are below 1e-15 per bucket. Of 6e6 small tables, none refused a key (README.md).
constexpr double kOddsOfRefusal = 1e-6;

/// Returns E[X/m(X)], where X is the number of occupied cells after n inserts, and m(X) the number
/// of cells after the doublings that X causes. All values of X within kReach standard deviations of
/// the mean usually have the same m.
double fill_ratio(const FilterSpec& spec, std::uint64_t num_keys, const Table& table,
                  const theory::FillMoments& occupied) {
  constexpr double kReach = 12;
  const auto cells_at = [&](std::uint64_t num_occupied) {
    return static_cast<double>(DLeftFilter::geometry_at(spec, num_occupied).num_cells);
  };
  const double reach = kReach * std::sqrt(occupied.variance) + 1;
  const auto least = static_cast<std::uint64_t>(std::max(0.0, occupied.mean - reach));
  const std::uint64_t most = std::min(num_keys, static_cast<std::uint64_t>(occupied.mean + reach));
  const double num_cells = cells_at(least);
  if (cells_at(most) == num_cells) return std::min(1.0, occupied.mean / num_cells);
  const theory::FillLaw law(ProbeModel::kWithReplacement, num_keys, table.num_fingerprints(), 1);
  double mean = 0;
  for (std::uint64_t x = least; x <= most; ++x) {
    mean += law.pmf(x) * std::min(1.0, static_cast<double>(x) / cells_at(x));
  }
  return mean;
}

}  // namespace

Prediction DLeftTheory::predict(const FilterSpec& spec, ProbeModel /*model*/,
                                std::uint64_t num_keys) {
  const Table table(spec);
  const auto num_fingerprints = static_cast<double>(table.num_fingerprints());
  const double linear = static_cast<double>(num_keys) / num_fingerprints;
  const theory::FillMoments occupied =
      theory::fill_moments(ProbeModel::kWithReplacement, num_keys, table.num_fingerprints(), 1);
  return {.exact = theory::d_left_rate(num_keys, table.B, table.R),
          .approximations = {{"linear", linear <= 1 ? std::optional(linear) : std::nullopt}},
          .expected_fill_ratio = fill_ratio(spec, num_keys, table, occupied),
          .rate_stddev = std::sqrt(occupied.variance) / num_fingerprints};
}

double DLeftTheory::expected_rate(const FilterSpec& spec, ProbeModel /*model*/,
                                  std::uint64_t num_keys) {
  const Table table(spec);
  return theory::d_left_rate(num_keys, table.B, table.R);
}

std::optional<theory::FillLaw> DLeftTheory::fill_law(const FilterSpec& spec, ProbeModel /*model*/,
                                                     std::uint64_t num_keys) {
  return theory::FillLaw(ProbeModel::kWithReplacement, num_keys, Table(spec).num_fingerprints(), 1);
}

double DLeftTheory::rate_given_counts(const FilterSpec& spec, ProbeModel /*model*/,
                                      const FilterState& counts) {
  return static_cast<double>(counts.num_ones) / static_cast<double>(Table(spec).num_fingerprints());
}

theory::RefusedInserts DLeftTheory::refused_inserts(const FilterSpec& spec,
                                                    std::uint64_t num_keys) {
  const Table table(spec);
  const unsigned d = table.geometry.num_hashes;
  const double keys_per_bucket = table.keys_per_bucket(num_keys);
  if (keys_per_bucket <= d_left_keys_per_bucket(d)) {
    return {.law = theory::RefusedInsertsLaw::of_odds(kOddsOfRefusal)};
  }
  if (DLeftFilter::geometry_at(spec, num_keys) != table.geometry) {
    return {.why_unknown = "the law of a table that has doubled on its own is unknown"};
  }
  theory::RefusedInserts refused = theory::d_left_refused_law(num_keys, d, table.B, table.R);
  // The mean bounds the probability of a refused insert.
  if (refused.law && refused.law->mean() <= kOddsOfRefusal) {
    refused.law = theory::RefusedInsertsLaw::of_odds(kOddsOfRefusal);
  }
  return refused;
}

theory::ClaimLaw DLeftTheory::claim_law(ProbeModel model, std::uint64_t num_keys,
                                        const Geometry& geometry, const Params& params) {
  const Table table(geometry, params);
  return theory::fingerprint_claim_law(num_keys, static_cast<double>(table.num_fingerprints()),
                                       claim_rate(model, num_keys, geometry, params));
}

double DLeftTheory::claim_rate(ProbeModel /*model*/, std::uint64_t num_keys,
                               const Geometry& geometry, const Params& params) {
  const Table table(geometry, params);
  return theory::d_left_rate(num_keys, table.B, table.R);
}

}  // namespace bloometry
