#include "variants/d_left/d_left_theory.hpp"

#include <cmath>

#include "core/theory/fill_moments.hpp"
#include "variants/d_left/d_left_rates.hpp"

namespace bloometry {

// The functions ignore the model argument, because a table does not have probes.

namespace {

/// Sizes of an empty table, in the letters of theory 7. A table that doubles keeps B 2^R.
struct Table {
  explicit Table(const FilterSpec& spec) : geometry(DLeftFilter::geometry(spec)) {
    const double cell_bits = geometry.cell_bits;
    const Params params = DLeftFilter::resolved_params(spec);
    R = static_cast<unsigned>(cell_bits - number_param(params, "counter_bits"));
    B = d_left_subtable_buckets(geometry);
  }

  [[nodiscard]] std::uint64_t num_fingerprints() const { return B << R; }

  Geometry geometry;
  unsigned R;
  std::uint64_t B;
};

}  // namespace

Prediction DLeftTheory::predict(const FilterSpec& spec, ProbeModel /*model*/,
                                std::uint64_t num_keys) {
  const Table table(spec);
  const auto num_fingerprints = static_cast<double>(table.num_fingerprints());
  const double linear = static_cast<double>(num_keys) / num_fingerprints;
  const theory::FillMoments occupied =
      theory::fill_moments(ProbeModel::kWithReplacement, num_keys, table.num_fingerprints(), 1);
  const auto num_occupied = static_cast<std::uint64_t>(std::llround(occupied.mean));
  const Geometry filled = DLeftFilter::geometry_at(spec, num_occupied);
  return {.exact = theory::d_left_rate(num_keys, table.B, table.R),
          .approximations = {{"linear", linear <= 1 ? std::optional(linear) : std::nullopt}},
          .expected_fill_ratio = occupied.mean / static_cast<double>(filled.num_cells),
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

}  // namespace bloometry
