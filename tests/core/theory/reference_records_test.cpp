// Walks tests/golden/theory_reference.json: every record is either computed here within the
// tolerance of its quantity, or its quantity is named in not_computed_yet().

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/statistics/binomial_interval.hpp"
#include "core/statistics/significance.hpp"
#include "core/theory/classic_sizing.hpp"
#include "core/theory/counter_tails.hpp"
#include "core/theory/fill_moments.hpp"
#include "core/theory/growing_rate.hpp"
#include "core/theory/matrix_power.hpp"
#include "core/theory/rate_variance.hpp"
#include "core/theory/standard_rates.hpp"
#include "core/theory/variable_increment_rates.hpp"
#include "test_folders.hpp"
#include "tests/core/theory/set_operation_records.hpp"
#include "tests/support/catch.hpp"
#include "variants/scalable/scalable_stages.hpp"

namespace {

using bloometry::ProbeModel;
using nlohmann::json;
namespace theory = bloometry::theory;
namespace statistics = bloometry::statistics;

constexpr auto kW = ProbeModel::kWithReplacement;
constexpr auto kD = ProbeModel::kDistinct;
constexpr auto kP = ProbeModel::kPartitioned;

std::uint64_t n_of(const json& p) {
  return p.at("n").get<std::uint64_t>();
}

std::uint64_t m_of(const json& p) {
  return p.at("m").get<std::uint64_t>();
}

unsigned k_of(const json& p) {
  return p.at("k").get<unsigned>();
}

unsigned increment_of(const json& p) {
  return p.at("L").get<unsigned>();
}

double rate_of(const json& p) {
  return p.at("p").get<double>();
}

double load_of(const json& p) {
  const json& load = p.at("load");
  if (load.is_number()) return load.get<double>();
  const auto text = load.get<std::string>();
  return text == "ln2" ? std::log(2.0) : std::stod(text);
}

bloometry::StagePlan plan_of(const json& p) {
  bloometry::StagePlan plan;
  plan.target_rate = p.at("P").get<double>();
  plan.tightening_ratio = p.at("r").get<double>();
  plan.growth_factor = p.at("s").get<double>();
  plan.initial_capacity = p.at("n0").get<std::uint64_t>();
  return plan;
}

bloometry::ScalableStage stage_of(const json& p) {
  return bloometry::plan_stage(plan_of(p), p.at("stage").get<unsigned>());
}

theory::GrowthState growth_of(const json& p) {
  const auto plan = plan_of(p);
  return theory::exact_growth(n_of(p), [plan](unsigned index) {
    const auto stage = bloometry::plan_stage(plan, index);
    return theory::Stage{stage.capacity, stage.error_rate, stage.num_hashes, stage.slice_bits};
  });
}

double total_bits_of(const json& p) {
  double bits = 0.0;
  for (unsigned i = 0; i < growth_of(p).num_stages; ++i) {
    bits += static_cast<double>(bloometry::plan_stage(plan_of(p), i).num_bits());
  }
  return bits;
}

statistics::Interval interval_of(const json& p) {
  return statistics::clopper_pearson(p.at("hits").get<std::uint64_t>(),
                                     p.at("queries").get<std::uint64_t>(),
                                     p.at("alpha").get<double>());
}

/// Some records list their slices; the others have m bits in k slices as equal as can be.
double partitioned_rate_of(const json& p) {
  if (!p.contains("slices")) return theory::exact_rate(kP, n_of(p), m_of(p), k_of(p));
  const auto slices = p.at("slices").get<std::vector<std::uint64_t>>();
  return theory::exact_rate_of_slices(n_of(p), slices);
}

/// Where k becomes worth one more, bracketed: c (1 -+ 1e-6) must give k_from and k_to.
double crossover_of(const json& p, double expected) {
  const std::uint64_t n = 1'000'000'000;
  const double m = expected * static_cast<double>(n);
  const auto below = static_cast<std::uint64_t>(m * (1.0 - 1e-6));
  const auto above = static_cast<std::uint64_t>(m * (1.0 + 1e-6));
  const bool flips = theory::best_num_hashes(n, below) == p.at("k_from").get<unsigned>() &&
                     theory::best_num_hashes(n, above) == p.at("k_to").get<unsigned>();
  return flips ? expected : 0.0;
}

/// The reference formed 1 - prod(1 - f_i) in 80 digits: one record (P = 1e-6, n = 1) holds 0 where
/// the rate is 2.2e-96. Rates below its last digit count as the 0 it says.
double compound_rate_of(const json& p) {
  const double rate = growth_of(p).rate;
  return rate < 1e-80 ? 0.0 : rate;
}

/// One quantity: how it is computed and how far, relatively, it may be off.
struct Quantity {
  std::function<double(const json& params, double expected)> compute;
  double tolerance;
};

using Quantities = std::map<std::string, Quantity>;

template <class F>
Quantity with_tolerance(double tolerance, F compute) {
  return {[compute](const json& p, double) { return static_cast<double>(compute(p)); }, tolerance};
}

// Why the tolerances are what they are. eps = 2.2e-16; a stored value is itself rounded to eps/2.
// - kExactInteger: counts; equal or wrong.
// - kChain: measured against 400-digit arithmetic over 400 random points per model up to k = 64 and
//   m = 1e12: at most 4.7e-15 (W), 8.5e-15 (D), 1.3e-14 (P, the error of pow); k <= 20 here.
// - kClosed: k multiplications or one pow of an expm1: (2k + 4) eps/2 at k = 20.
// - kVariance: rate_variance.hpp allows itself 4e-15 E[F]^2/Var(F) or k/E[X], whichever is less,
// once
//   1e-8 cannot be had: 4e-8 at most over the records, half of it on a standard deviation. Measured
//   6.6e-9 at (1e8, 1154156032, 8), 3e-14 over the tiny filters.
// - kBeta: incomplete beta and gamma functions without promotion, parameters up to 1e6: measured at
//   most 7.6e-15; Boost states its own errors as some 100 eps for such parameters.
constexpr double kExactInteger = 0.0;
constexpr double kChain = 1.5e-14;
constexpr double kClosed = 5e-15;
constexpr double kVariance = 5e-8;
constexpr double kBeta = 1e-13;

Quantities standard_quantities() {
  using namespace theory;
  return {
      {"standard/W/fpr_exact",
       with_tolerance(kChain,
                      [](const json& p) { return exact_rate(kW, n_of(p), m_of(p), k_of(p)); })},
      {"counting/W/fpr_exact",
       with_tolerance(kChain,
                      [](const json& p) { return exact_rate(kW, n_of(p), m_of(p), k_of(p)); })},
      {"standard/D/fpr_exact",
       with_tolerance(kChain,
                      [](const json& p) { return exact_rate(kD, n_of(p), m_of(p), k_of(p)); })},
      {"partitioned/P/fpr_exact", with_tolerance(kChain, partitioned_rate_of)},
      {"standard//fpr_classic",
       with_tolerance(kClosed,
                      [](const json& p) { return classic_rate(n_of(p), m_of(p), k_of(p)); })},
      {"standard//fpr_semi",
       with_tolerance(kClosed, [](const json& p) { return semi_rate(n_of(p), m_of(p), k_of(p)); })},
      {"standard//fpr_second_order",
       with_tolerance(kClosed,
                      [](const json& p) { return second_order_rate(n_of(p), m_of(p), k_of(p)); })},
      {"standard//fpr_goel_gupta_upper", with_tolerance(kClosed,
                                                        [](const json& p) {
                                                          return goel_gupta_upper_rate(
                                                              n_of(p), m_of(p), k_of(p));
                                                        })},
      {"seed//a_classic",
       with_tolerance(kClosed,
                      [](const json& p) { return classic_rate(n_of(p), m_of(p), k_of(p)); })},
      {"seed//a_exact",
       with_tolerance(kChain,
                      [](const json& p) { return exact_rate(kW, n_of(p), m_of(p), k_of(p)); })},
      {"seed//b_exact",
       with_tolerance(kChain,
                      [](const json& p) { return exact_rate(kW, n_of(p), m_of(p), k_of(p)); })},
      {"seed//e_fpr_half_full",
       with_tolerance(kChain,
                      [](const json& p) { return exact_rate(kW, n_of(p), 1154156033, k_of(p)); })},
      {"seed//c_exact",
       with_tolerance(kChain,
                      [](const json& p) { return exact_rate(kW, n_of(p), m_of(p), k_of(p)); })},
  };
}

Quantities fill_quantities() {
  using namespace theory;
  const auto moments = [](const json& p) { return fill_moments(kW, n_of(p), m_of(p), k_of(p)); };
  const auto variance = [](const json& p) { return rate_variance(kW, n_of(p), m_of(p), k_of(p)); };
  return {
      {"standard/W/fill_mean_bits",
       with_tolerance(kClosed, [moments](const json& p) { return moments(p).mean; })},
      {"standard/W/fill_fraction_mean", with_tolerance(kClosed,
                                                       [moments](const json& p) {
                                                         return moments(p).mean /
                                                                static_cast<double>(m_of(p));
                                                       })},
      {"standard/W/fill_var_bits",
       with_tolerance(kClosed, [moments](const json& p) { return moments(p).variance; })},
      {"standard/W/fill_bits_sd",
       with_tolerance(kClosed,
                      [moments](const json& p) { return std::sqrt(moments(p).variance); })},
      {"standard/W/fpr_filter_var", with_tolerance(kVariance, variance)},
      {"standard/W/fpr_filter_sd",
       with_tolerance(kVariance, [variance](const json& p) { return std::sqrt(variance(p)); })},
  };
}

Quantities sizing_quantities() {
  using namespace theory;
  return {
      {"standard/W/min_m_exact", with_tolerance(kExactInteger,
                                                [](const json& p) {
                                                  return guaranteed_num_bits(kW, n_of(p),
                                                                             rate_of(p), k_of(p));
                                                })},
      {"standard//min_m_classic", with_tolerance(kExactInteger,
                                                 [](const json& p) {
                                                   return classic_num_bits(n_of(p), rate_of(p),
                                                                           k_of(p));
                                                 })},
      {"standard//capacity_real", with_tolerance(kClosed,
                                                 [](const json& p) {
                                                   return classic_capacity(
                                                       m_of(p), rate_of(p),
                                                       best_num_hashes_for_rate(rate_of(p)));
                                                 })},
      {"standard//k_crossover_bits_per_key", {crossover_of, kExactInteger}},
      {"standard//bits_per_key_continuous",
       with_tolerance(kClosed, [](const json& p) { return continuous_num_bits(1, rate_of(p)); })},
      {"standard//bits_per_key_best_integer_k",
       with_tolerance(kClosed,
                      [](const json& p) {
                        REQUIRE(best_num_hashes_for_rate(rate_of(p)) == k_of(p));
                        return 1.0 / classic_capacity(1, rate_of(p), k_of(p));
                      })},
      {"bound//min_bits_per_key",
       with_tolerance(kClosed,
                      [](const json& p) { return information_bound_bits_per_key(rate_of(p)); })},
      {"seed//c_m_real",
       with_tolerance(kClosed,
                      [](const json& p) { return continuous_num_bits(n_of(p), rate_of(p)); })},
      {"seed//b_m_real",
       with_tolerance(kClosed,
                      [](const json& p) { return continuous_num_bits(n_of(p), rate_of(p)); })},
  };
}

Quantities scalable_quantities() {
  return {
      {"scalable//stage_k",
       with_tolerance(kExactInteger, [](const json& p) { return stage_of(p).num_hashes; })},
      {"scalable//stage_slice_bits",
       with_tolerance(kExactInteger, [](const json& p) { return stage_of(p).slice_bits; })},
      {"scalable//total_bits", with_tolerance(kExactInteger, total_bits_of)},
      {"scalable//fpr_exact_compound", with_tolerance(kChain, compound_rate_of)},
  };
}

Quantities counter_quantities() {
  using namespace theory;
  const auto at_least = [](const json& p) { return p.at("at_least").get<std::uint64_t>(); };
  const auto per_probe = [at_least](const json& p) {
    return counter_tail_per_probe(n_of(p), m_of(p), k_of(p), at_least(p));
  };
  return {
      {"counting//counter_tail_poisson", with_tolerance(kBeta,
                                                        [at_least](const json& p) {
                                                          return counter_tail_poisson(load_of(p),
                                                                                      at_least(p));
                                                        })},
      {"counting//counter_tail_binomial", with_tolerance(kBeta, per_probe)},
      {"counting//counter_tail_binomial_dedup",
       with_tolerance(kBeta,
                      [at_least](const json& p) {
                        return counter_tail_per_position(n_of(p), m_of(p), k_of(p), at_least(p));
                      })},
      {"counting//expected_counters_at_least",
       with_tolerance(
           kBeta,
           [per_probe](const json& p) { return static_cast<double>(m_of(p)) * per_probe(p); })},
      {"vi-cbf/W/fpr_exact", with_tolerance(kChain,
                                            [](const json& p) {
                                              return variable_increment_exact_rate(
                                                  n_of(p), m_of(p), k_of(p), increment_of(p));
                                            })},
      {"vi-cbf//fpr_paper", with_tolerance(kChain,
                                           [](const json& p) {
                                             return variable_increment_paper_rate(
                                                 n_of(p), m_of(p), k_of(p), increment_of(p));
                                           })},
      {"vi-cbf//fpr_poisson", with_tolerance(kChain,
                                             [](const json& p) {
                                               return variable_increment_poisson_rate(
                                                   n_of(p), m_of(p), k_of(p), increment_of(p));
                                             })},
  };
}

Quantities statistics_quantities() {
  return {
      {"stats//clopper_pearson_lower",
       with_tolerance(kBeta, [](const json& p) { return interval_of(p).lower; })},
      {"stats//clopper_pearson_upper",
       with_tolerance(kBeta, [](const json& p) { return interval_of(p).upper; })},
      {"stats//z_two_sided",
       with_tolerance(
           kClosed,
           [](const json& p) { return statistics::two_sided_z(p.at("alpha").get<double>()); })},
      {"stats//queries_for_relative_precision",
       with_tolerance(kClosed,
                      [](const json& p) {
                        return statistics::queries_for_relative_precision(
                            rate_of(p), p.at("rel").get<double>(), p.at("alpha").get<double>());
                      })},
  };
}

Quantities set_operation_quantities() {
  Quantities quantities;
  for (const auto& [name, compute] : bloometry::test::set_operation_formulas()) {
    quantities[name] = with_tolerance(kClosed, compute);
  }
  return quantities;
}

Quantities all_quantities() {
  Quantities all = standard_quantities();
  all.merge(fill_quantities());
  all.merge(sizing_quantities());
  all.merge(scalable_quantities());
  all.merge(counter_quantities());
  all.merge(statistics_quantities());
  all.merge(set_operation_quantities());
  return all;
}

/// Quantities that no code of this library computes yet.
std::set<std::string> not_computed_yet() {
  return {"bh-cbf//fpr_paper_form",
          "bh-cbf//is_Bh_sequence",
          "blocked//best_k",
          "blocked//fpr_binomial_exact_inblock",
          "blocked//fpr_poisson_classic_inblock",
          "blocked//fpr_poisson_exact_inblock",
          "blocked//fpr_poisson_semi_inblock",
          "blocked/D/fpr_poisson_distinct_inblock",
          "bound//bits_per_key_per_decade",
          "bound//bloom_ratio",
          "bound//cbf4_ratio",
          "counting//bits_per_key_for_fpr",
          "counting//false_negatives_per_wrong_delete",
          "counting//fan_bound_per_counter",
          "counting//fpr_best_k_equal_memory",
          "counting//fpr_classic_ratio",
          "counting//p_count1_given_positive",
          "counting//poisson_pmf",
          "d-left//bits_per_key",
          "d-left//bucket_load_tail_fluid",
          "d-left//cbf4_bits_for_same_fpr",
          "d-left//fpr_exact",
          "d-left//fpr_linear",
          "hash//collision_floor",
          "scalable//bits_ratio_to_plain_bloom",
          "scalable//compound_bound_limit",
          "scalable//compound_nominal_limit",
          "seed//a_linear_limit",
          "seed//a_ratio_exact_to_limit",
          "seed//b_k_real",
          "seed//b_m_int",
          "seed//c_k_ceil",
          "seed//c_k_real",
          "seed//c_m_ceil",
          "seed//d_bits_per_decade",
          "seed//d_bits_per_key_1pct",
          "seed//e_fill_for_1e-4_k8",
          "seed//e_k_half_full_for_1e-4",
          "seed//e_m_for_1e-4_k8",
          "seed//e_m_half_full",
          "seed//e_m_optimal_1e-4",
          "split-block//bits_per_key_for_fpr",
          "split-block//fpr_binomial",
          "split-block//fpr_poisson",
          "vi-cbf//bits_per_key_for_fpr",
          "vi-cbf//counter_tail_ge_cap",
          "vi-cbf//counter_tail_gt_cap",
          "vi-cbf//fpr_base_per_counter",
          "vi-cbf//fpr_best_k_equal_memory",
          "vi-cbf//optimal_load",
          "vi-cbf//probe_pass_probability"};
}

json reference_records() {
  std::ifstream file(std::string(bloometry::test::kGoldenFolder) + "/theory_reference.json");
  REQUIRE(file.good());
  return json::parse(file).at("records");
}

std::string name_of(const json& record) {
  return record.at("variant").get<std::string>() + "/" + record.at("model").get<std::string>() +
         "/" + record.at("quantity").get<std::string>();
}

double relative_error(double got, double expected) {
  if (got == expected) return 0.0;
  return expected == 0.0 ? HUGE_VAL : std::abs(got - expected) / std::abs(expected);
}

}  // namespace

TEST_CASE("theory: every reference value this library computes is met", "[core][theory][golden]") {
  const auto quantities = all_quantities();
  std::map<std::string, double> worst;
  for (const json& record : reference_records()) {
    const auto quantity = quantities.find(name_of(record));
    if (quantity == quantities.end()) continue;
    INFO(quantity->first << " " << record.at("params").dump());
    const double expected = record.at("value").get<double>();
    const double got = quantity->second.compute(record.at("params"), expected);
    const double error = relative_error(got, expected);
    worst[quantity->first] = std::max(worst[quantity->first], error);
    INFO("got " << got << ", expected " << expected << ", relative error " << error);
    CHECK(error <= quantity->second.tolerance);
  }
  CHECK(worst.size() == quantities.size());  // no quantity without a record
#ifdef BLOOMETRY_PRINT_WORST
  for (const auto& [name, error] : worst) WARN(name << " " << error);
#endif
}

TEST_CASE("theory: every reference quantity is either tested or named as left over",
          "[core][theory][golden]") {
  const auto quantities = all_quantities();
  auto left = not_computed_yet();
  left.insert("standard/W/rel_error_double_matrix_power");  // next case
  std::set<std::string> unknown;
  for (const json& record : reference_records()) {
    const auto name = name_of(record);
    if (!quantities.contains(name) && !left.contains(name)) unknown.insert(name);
  }
  CHECK(unknown == std::set<std::string>{});
}

TEST_CASE("matrix power: agrees with the exact rate within the error measured for it",
          "[core][theory][golden]") {
  for (const json& record : reference_records()) {
    if (name_of(record) != "standard/W/rel_error_double_matrix_power") continue;
    const json& p = record.at("params");
    const double exact = theory::exact_rate(kW, n_of(p), m_of(p), k_of(p));
    const double power = theory::moment_by_matrix_power(n_of(p), m_of(p), k_of(p), k_of(p));
    // The tiers of the theory reference, section 1.3, half a unit of their last digit up: the error
    // comes from rounding 1 - j/m, so every implementation of this matrix makes nearly the same.
    const double throws = static_cast<double>(n_of(p)) * k_of(p);
    const double bound = throws <= 2e4   ? 2.35e-13
                         : throws <= 1e6 ? 6.05e-12
                         : throws <= 1e7 ? 2.15e-10
                                         : 1.85e-9;
    INFO(p.dump() << ": " << relative_error(power, exact));
    CHECK(relative_error(power, exact) <= bound);
  }
}
