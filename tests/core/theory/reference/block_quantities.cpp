#include <string>

#include "tests/core/theory/reference/reference_record.hpp"
#include "tests/support/reference/classic_sizing.hpp"
#include "variants/blocked/blocked_rates.hpp"
#include "variants/d_left/d_left_rates.hpp"
#include "variants/split_block/split_block_rates.hpp"

namespace bloometry::test::reference {
namespace {

using theory::InBlock;

unsigned count_of(const json& p, const char* name) {
  return p.at(name).get<unsigned>();
}

double bits_per_key_of(const json& p) {
  return p.at("bits_per_key").get<double>();
}

template <InBlock in_block>
double blocked_of(const json& p) {
  return theory::blocked_poisson_rate(bits_per_key_of(p), count_of(p, "block_bits"), k_of(p),
                                      in_block);
}

double blocked_binomial_of(const json& p) {
  return theory::blocked_rate(n_of(p), count_of(p, "blocks"), count_of(p, "block_bits"), k_of(p));
}

unsigned blocked_best_k_of(const json& p) {
  return theory::blocked_best_num_hashes(bits_per_key_of(p), count_of(p, "block_bits"));
}

theory::SplitBlock lanes_of(const json& p) {
  return {count_of(p, "lanes"), count_of(p, "lane_bits")};
}

/// Returns the rate of a d-left filter. Records of rates contain all parameters of the filter.
/// Records of other quantities contain only d, the load and R.
double d_left_of(const json& p) {
  return theory::d_left_rate(n_of(p), count_of(p, "buckets_per_subtable"),
                             count_of(p, "remainder_bits"));
}

double d_left_linear_of(const json& p) {
  return theory::d_left_linear_rate(count_of(p, "d"), count_of(p, "avg_load"),
                                    count_of(p, "remainder_bits"));
}

double d_left_bits_of(const json& p) {
  return theory::d_left_bits_per_key(count_of(p, "cells"), count_of(p, "avg_load"),
                                     count_of(p, "remainder_bits"), count_of(p, "counter_bits"));
}

/// Returns the bits per key of a counting filter at the rate of the d-left filter in theory 7. The
/// d-left filter in theory 7 has 49152 keys and 4 tables of 2048 buckets.
double counting_bits_for_same_rate(const json& p) {
  return 4.0 * theory::continuous_num_bits(
                   1, theory::d_left_rate(49152, 2048, count_of(p, "remainder_bits")));
}

double fluid_tail_of(const json& p) {
  constexpr unsigned kMaxLoad = 10;
  const auto tails_of = [&p](auto solve) {
    return solve(count_of(p, "d"), count_of(p, "avg_load"), kMaxLoad);
  };
  // The function solves both equations once, because all records belong to the same filter.
  static const auto filled = tails_of(theory::d_left_insert_only_tails);
  static const auto churned = tails_of(theory::d_left_steady_state_tails);
  if (count_of(p, "d") != 4 || count_of(p, "avg_load") != 6) return 0.0;
  return (p.at("regime") == "insert_only" ? filled : churned).at(count_of(p, "at_least"));
}

// Tolerance of inverses, and of the rates that the inverses invert. The error is two roundings of a
// mixture, divided by d ln p/d ln c, which exceeds 1.
constexpr double kInverse = 2e-14;
// Tolerance of fluid limits: d_left_rates.hpp states this accuracy for tails down to 1e-138. For
// other tails the error is 3e-10, which is the error of the reference (steps of 1/500, not
// extrapolated).
constexpr double kFluid = 1e-7;

}  // namespace

Quantities block_quantities() {
  using namespace theory;
  return {
      {"blocked//fpr_poisson_exact_inblock",
       with_tolerance(kChain, blocked_of<InBlock::kWithReplacement>)},
      {"blocked/D/fpr_poisson_distinct_inblock",
       with_tolerance(kChain, blocked_of<InBlock::kDistinct>)},
      {"blocked//fpr_poisson_semi_inblock", with_tolerance(kChain, blocked_of<InBlock::kSemi>)},
      {"blocked//fpr_poisson_classic_inblock",
       with_tolerance(kChain, blocked_of<InBlock::kClassic>)},
      {"blocked//fpr_binomial_exact_inblock", with_tolerance(kChain, blocked_binomial_of)},
      {"blocked//best_k", with_tolerance(kExactInteger, blocked_best_k_of)},
      {"split_block//fpr_binomial",
       with_tolerance(kChain,
                      [](const json& p) {
                        return split_block_rate(n_of(p), count_of(p, "blocks"), lanes_of(p));
                      })},
      {"split_block//fpr_poisson", with_tolerance(kChain,
                                                  [](const json& p) {
                                                    return split_block_poisson_rate(
                                                        bits_per_key_of(p), lanes_of(p));
                                                  })},
      {"split_block//bits_per_key_for_fpr", with_tolerance(kInverse,
                                                           [](const json& p) {
                                                             return split_block_bits_per_key(
                                                                 rate_of(p), lanes_of(p));
                                                           })},
      {"d_left//fpr_exact", with_tolerance(kClosed, d_left_of)},
      {"d_left//fpr_linear", with_tolerance(kClosed, d_left_linear_of)},
      {"d_left//bits_per_key", with_tolerance(kClosed, d_left_bits_of)},
      {"d_left//cbf4_bits_for_same_fpr", with_tolerance(kClosed, counting_bits_for_same_rate)},
      {"d_left//bucket_load_tail_fluid", with_tolerance(kFluid, fluid_tail_of)},
  };
}

}  // namespace bloometry::test::reference
