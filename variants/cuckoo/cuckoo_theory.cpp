#include "variants/cuckoo/cuckoo_theory.hpp"

#include <algorithm>
#include <cmath>

#include "core/theory/fill_moments.hpp"
#include "variants/cuckoo/cuckoo_rates.hpp"
#include "variants/cuckoo/cuckoo_sizing.hpp"

namespace bloometry {

// The functions ignore the model argument, because a table does not have probes.

namespace {

unsigned width_of(const Params& params, const Geometry& table) {
  return cuckoo_fingerprint_bits(table, is_semi_sorted(params));
}

/// Returns the standard deviation of D, the number of different classes of n keys.
double classes_stddev(std::uint64_t num_keys, double num_classes) {
  // Above 2^62 classes, the number of pairs of keys with one class is a Poisson number.
  if (num_classes > 0x1p62) {
    const auto n = static_cast<double>(num_keys);
    return std::sqrt(n / num_classes * std::max(n - 1, 0.0) / 2);
  }
  return std::sqrt(theory::fill_moments(ProbeModel::kWithReplacement, num_keys,
                                        static_cast<std::uint64_t>(num_classes), 1)
                       .variance);
}

/// Returns the number of buckets of a claim, whose geometry may be one that the filter rejects.
std::uint64_t even_num_buckets(const Geometry& geometry) {
  const std::uint64_t num_buckets = std::max<std::uint64_t>(1, geometry.num_blocks());
  return num_buckets + num_buckets % 2;
}

}  // namespace

Prediction CuckooTheory::predict(const FilterSpec& spec, ProbeModel /*model*/,
                                 std::uint64_t num_keys) {
  const Geometry table = CuckooFilter::geometry(spec);
  const unsigned width = width_of(spec.params, table);
  const double num_classes = theory::cuckoo_num_classes(table.num_blocks(), width);
  const double load = static_cast<double>(num_keys) / static_cast<double>(table.num_cells);
  const auto independent_cells = [&]() -> std::optional<double> {
    if (load > 1) return std::nullopt;
    return theory::cuckoo_approximate_rate(table.block_cells, load, width);
  };
  return {.exact = theory::cuckoo_rate(num_keys, table.num_blocks(), width),
          .approximations = {{"independent_cells", independent_cells()}},
          .expected_fill_ratio = std::min(load, 1.0),
          .rate_stddev = classes_stddev(num_keys, num_classes) / num_classes};
}

double CuckooTheory::expected_rate(const FilterSpec& spec, ProbeModel /*model*/,
                                   std::uint64_t num_keys) {
  const Geometry table = CuckooFilter::geometry(spec);
  return theory::cuckoo_rate(num_keys, table.num_blocks(), width_of(spec.params, table));
}

std::optional<theory::FillLaw> CuckooTheory::fill_law(const FilterSpec& /*spec*/,
                                                      ProbeModel /*model*/,
                                                      std::uint64_t /*num_keys*/) {
  return std::nullopt;
}

double CuckooTheory::rate_given_counts(const FilterSpec& spec, ProbeModel /*model*/,
                                       const FilterState& counts) {
  const Geometry table = CuckooFilter::geometry(spec);
  return theory::cuckoo_rate_given_state(counts.num_passing_pairs.value_or(0) / 2,
                                         table.num_blocks(), width_of(spec.params, table));
}

theory::RefusedInserts CuckooTheory::refused_inserts(const FilterSpec& spec,
                                                     std::uint64_t num_keys) {
  const Geometry table = CuckooFilter::geometry(spec);
  if (!is_within_cuckoo_capacity(static_cast<double>(num_keys), table,
                                 width_of(spec.params, table))) {
    return {.why_unknown = "the law of a cuckoo table above its capacity is not known"};
  }
  return {.law = theory::RefusedInsertsLaw::of_odds(kCuckooOddsOfRefusal)};
}

theory::ClaimLaw CuckooTheory::claim_law(ProbeModel model, std::uint64_t num_keys,
                                         const Geometry& geometry, const Params& params) {
  return theory::fingerprint_claim_law(
      num_keys, theory::cuckoo_num_classes(even_num_buckets(geometry), width_of(params, geometry)),
      claim_rate(model, num_keys, geometry, params));
}

double CuckooTheory::claim_rate(ProbeModel /*model*/, std::uint64_t num_keys,
                                const Geometry& geometry, const Params& params) {
  return theory::cuckoo_rate(num_keys, even_num_buckets(geometry), width_of(params, geometry));
}

}  // namespace bloometry
