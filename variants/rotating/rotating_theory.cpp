#include "variants/rotating/rotating_theory.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "core/rates/binomial_mixture.hpp"
#include "core/rates/in_block_rates.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/theory/block_mean.hpp"
#include "core/theory/fill_moments.hpp"
#include "core/theory/standard_rates.hpp"
#include "variants/blocked/blocked_rates.hpp"
#include "variants/lanes/lanes_sizing.hpp"
#include "variants/rotating/rotating_params.hpp"
#include "variants/rotating/rotating_rates.hpp"
#include "variants/split_block/split_block_rates.hpp"
#include "variants/split_block/split_block_theory.hpp"

namespace bloometry {
namespace {

/// The theory of one generation. The kind of generations of blocks determines their model.
class GenerationTheory {
 public:
  GenerationTheory(const RotatingSettings& settings, ProbeModel model)
      : kind_(settings.kind), geometry_(settings.generation), model_(model_of(kind_, model)) {
    require_distinct_fit(model_, geometry_);
    if (kind_ == GenerationKind::kBlocked) {
      in_block_.emplace(model_, geometry_.block_cells, geometry_.num_hashes);
    }
  }

  [[nodiscard]] double rate(std::uint64_t num_keys) {
    if (num_keys == 0) return 0;
    switch (kind_) {
      case GenerationKind::kBlocked:
        // As blocked_rate, which would compute the rates in a block again for each num_keys.
        return cell_mean_of(static_cast<double>(num_keys),
                            static_cast<double>(geometry_.num_blocks()), std::ref(*in_block_));
      case GenerationKind::kLanes:
        return theory::split_block_rate(num_keys, geometry_.num_blocks(), kLanesBlock);
      default:
        return theory::exact_rate(model_, num_keys, geometry_.num_cells, geometry_.num_hashes);
    }
  }

  [[nodiscard]] Prediction predict(std::uint64_t num_keys) const {
    switch (kind_) {
      case GenerationKind::kBlocked:
        return theory::blocked_prediction(model_, num_keys, geometry_);
      case GenerationKind::kLanes:
        return split_block_prediction(num_keys, geometry_);
      default:
        return theory::bit_prediction(model_, num_keys, geometry_.num_cells, geometry_.num_hashes);
    }
  }

  /// Returns the mean and the variance of the number of set bits.
  [[nodiscard]] theory::FillMoments fill(std::uint64_t num_keys) const {
    if (num_keys == 0) return {};
    if (geometry_.block_cells > 1) return theory::block_fill_moments(model_, num_keys, geometry_);
    return theory::fill_moments(model_, num_keys, geometry_.num_cells, geometry_.num_hashes);
  }

  [[nodiscard]] bool throws_independent_bits() const noexcept {
    return kind_ == GenerationKind::kStandard && model_ == ProbeModel::kWithReplacement;
  }

 private:
  static ProbeModel model_of(GenerationKind kind, ProbeModel model) {
    if (kind == GenerationKind::kBlocked) return ProbeModel::kWithReplacement;
    return kind == GenerationKind::kLanes ? ProbeModel::kPartitioned : model;
  }

  GenerationKind kind_;
  Geometry geometry_;
  ProbeModel model_;
  std::optional<InBlockRates> in_block_;  // for generations of the kind blocked
};

/// Generations with equal numbers of keys, with the predictions of one of them.
struct KeyGroup {
  std::uint64_t num_keys = 0;
  double num_generations = 0;
  Prediction each{};
};

/// Returns the groups of non-empty generations: the newest, and the full ones.
std::vector<KeyGroup> key_groups(const std::vector<std::uint64_t>& by_age) {
  std::vector<KeyGroup> groups;
  for (const std::uint64_t num_keys : by_age) {
    if (num_keys == 0) continue;
    if (groups.empty() || groups.back().num_keys != num_keys) groups.push_back({num_keys});
    groups.back().num_generations += 1;
  }
  return groups;
}

std::vector<KeyGroup> predicted_groups(const RotatingSettings& settings,
                                       const GenerationTheory& of_generation,
                                       std::uint64_t num_keys) {
  std::vector<KeyGroup> groups = key_groups(inserts_by_age(settings, num_keys));
  for (KeyGroup& group : groups) group.each = of_generation.predict(group.num_keys);
  return groups;
}

double exact_rate_of(GenerationTheory& of_generation, const std::vector<KeyGroup>& groups) {
  std::vector<EqualParts> parts;
  for (const KeyGroup& group : groups) {
    parts.push_back({of_generation.rate(group.num_keys), group.num_generations});
  }
  return rate_of_any(parts);
}

/// Returns the standard deviation of the rate F. With A_i = 1 - E[F_i] and v_i = Var(F_i), the
/// variance is prod(A_i^2 + v_i) - prod A_i^2, computed without cancellation.
double stddev_of(const std::vector<KeyGroup>& groups) {
  double log_none = 0;
  double log_excess = 0;
  for (const KeyGroup& group : groups) {
    const double none = 1 - *group.each.exact;
    if (none == 0) return 0;
    const double ratio = *group.each.rate_stddev / none;
    log_none += group.num_generations * std::log1p(-*group.each.exact);
    log_excess += group.num_generations * std::log1p(ratio * ratio);
  }
  return std::exp(log_none) * std::sqrt(std::expm1(log_excess));
}

double fill_ratio_of(const RotatingSettings& settings, const std::vector<KeyGroup>& groups) {
  double sum = 0;
  for (const KeyGroup& group : groups) {
    sum += group.num_generations * *group.each.expected_fill_ratio;
  }
  return sum / settings.num_generations;
}

}  // namespace

Prediction RotatingTheory::predict(const FilterSpec& spec, ProbeModel model,
                                   std::uint64_t num_keys) {
  const RotatingSettings settings = rotating_settings(spec);
  GenerationTheory of_generation(settings, model);
  const std::vector<KeyGroup> groups = predicted_groups(settings, of_generation, num_keys);
  return {.exact = exact_rate_of(of_generation, groups),
          .expected_fill_ratio = fill_ratio_of(settings, groups),
          .rate_stddev = stddev_of(groups)};
}

double RotatingTheory::expected_rate(const FilterSpec& spec, ProbeModel model,
                                     std::uint64_t num_keys) {
  const RotatingSettings settings = rotating_settings(spec);
  GenerationTheory of_generation(settings, model);
  return exact_rate_of(of_generation, key_groups(inserts_by_age(settings, num_keys)));
}

std::optional<theory::FillLaw> RotatingTheory::fill_law(const FilterSpec& spec, ProbeModel model,
                                                        std::uint64_t num_keys) {
  const RotatingSettings settings = rotating_settings(spec);
  const GenerationTheory of_generation(settings, model);
  const Geometry& geometry = settings.generation;
  theory::FillMoments moments;
  std::vector<theory::SliceGroup> slices;
  double num_throws = 0;
  for (const std::uint64_t inserts : inserts_by_age(settings, num_keys)) {
    const theory::FillMoments fill = of_generation.fill(inserts);
    moments.mean += fill.mean;
    moments.variance += fill.variance;
    num_throws += static_cast<double>(inserts) * geometry.num_hashes;
    // In model W, t keys with k probes are t k independent throws into m bits.
    slices.push_back({inserts * geometry.num_hashes, geometry.num_cells, 1});
  }
  if (of_generation.throws_independent_bits()) return theory::FillLaw(slices);
  return theory::FillLaw::normal_if_many(
      moments, num_throws, static_cast<double>(settings.whole().num_cells) - moments.mean);
}

PhaseRates RotatingTheory::phase_rates(const FilterSpec& spec, ProbeModel model) {
  const RotatingSettings settings = rotating_settings(spec);
  GenerationTheory of_generation(settings, model);
  const std::uint64_t g = settings.generation_capacity;
  const double full = of_generation.rate(g);
  const double num_older = settings.num_generations - 1;
  const auto with_newest = [&](double rate) { return rate_of_any({{full, num_older}, {rate, 1}}); };
  // The rate of the filter is linear in the rate of the newest generation.
  const double mean = mean_over_phase(g, [&](std::uint64_t t) { return of_generation.rate(t); });
  return {.start = with_newest(of_generation.rate(1)),
          .mean = with_newest(mean),
          .worst = with_newest(full),
          .num_held = settings.num_generations * g};
}

WorstPhase RotatingTheory::worst_phase(const FilterSpec& spec, ProbeModel model) {
  const RotatingSettings settings = rotating_settings(spec);
  const std::uint64_t g = settings.generation_capacity;
  const double full = GenerationTheory(settings, model).rate(g);
  // As PhaseRates::worst, to the last bit.
  return {.rate = rate_of_any({{full, settings.num_generations - 1.0}, {full, 1}}),
          .num_held = settings.num_generations * g};
}

}  // namespace bloometry
