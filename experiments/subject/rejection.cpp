#include "experiments/subject/rejection.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <functional>
#include <optional>
#include <vector>

#include "core/text.hpp"
#include "core/theory/fill_moments.hpp"
#include "experiments/subject/judge_subject.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/verdict/value_text.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

constexpr double kReach = 4;               // maximum difference of agreeing numbers, in sd
constexpr double kFactors = 32;            // maximum factor of m and n in the search
constexpr double kMinFalsePositives = 20;  // fewer false positives do not determine a rate
constexpr int kMaxWidthChange = 8;         // in bits; one bit halves or doubles the rate

/// A filter that differs from the claimed filter and may explain the observations.
struct Suspect {
  double key_factor = 1;  ///< factor on the number of keys
  double num_cells = 0;
  unsigned num_hashes = 0;
  unsigned block_cells = 1;
  unsigned cell_bits = 1;
};

Suspect as_claimed(const Claim& claim) {
  return {.num_cells = static_cast<double>(claim.num_cells),
          .num_hashes = claim.num_hashes,
          .block_cells = claim.block_cells,
          .cell_bits = claim.cell_bits};
}

std::uint64_t count(double value) {
  return static_cast<std::uint64_t>(std::max(1.0, std::round(value)));
}

bool is_measured(const LoadVerdict& load) {
  return load.left_out.empty() && (load.num_queries > 0 || load.num_fills > 0);
}

double rate_of(const Claim& claim, const Suspect& suspect, const LoadVerdict& load) {
  const std::uint64_t num_blocks = count(suspect.num_cells / suspect.block_cells);
  return rate_of_kind(claim,
                      {.num_cells = num_blocks * suspect.block_cells,
                       .cell_bits = suspect.cell_bits,
                       .num_hashes = suspect.num_hashes,
                       .block_cells = suspect.block_cells},
                      count(suspect.key_factor * static_cast<double>(load.num_keys)));
}

double ones_of(const Claim& claim, const Suspect& suspect, const LoadVerdict& load) {
  return theory::fill_moments(claim.model,
                              count(suspect.key_factor * static_cast<double>(load.num_keys)),
                              count(suspect.num_cells), suspect.num_hashes)
      .mean;
}

/// Returns the squared distance between the observed values and the predictions of the suspect, in
/// standard deviations of the claim. Returns nullopt if a value does not agree with its prediction.
std::optional<double> distance(const Claim& claim, const Suspect& suspect,
                               std::span<const LoadVerdict> loads) {
  double sum = 0;
  const auto agrees = [&sum](double difference, double variance) {
    const double square = difference * difference / std::max(variance, 1.0);
    sum += square;
    return square <= kReach * kReach;
  };
  for (const LoadVerdict& load : loads) {
    if (!is_measured(load)) continue;
    const auto filters = static_cast<double>(std::max<std::uint64_t>(1, load.num_filters));
    const double rate = rate_of(claim, suspect, load);
    const double expected = rate * static_cast<double>(load.num_queries);
    const double spread = expected * load.rate_stddev / load.expected_rate;
    if (!agrees(static_cast<double>(load.num_false_positives) - expected,
                expected * (1 - rate) + spread * spread / filters)) {
      return std::nullopt;
    }
    if (load.num_fills == 0) continue;
    if (!agrees(load.mean_ones - ones_of(claim, suspect, load),
                load.ones_stddev * load.ones_stddev / static_cast<double>(load.num_fills))) {
      return std::nullopt;
    }
  }
  return sum;
}

/// Returns the minimum k of a suspect. A table has a fixed range of numbers of candidate buckets.
unsigned least_hashes(const Claim& claim) {
  return claim.is_table ? find_variant(claim.variant).min_num_hashes : 1;
}

/// Returns the maximum k of a suspect. For a filter with lanes, the maximum is the claimed k,
/// because lanes of a fixed width do not allow more hashes.
std::uint64_t most_hashes(const Claim& claim) {
  if (claim.is_table) return find_variant(claim.variant).max_num_hashes;
  if (!claim.has_blocks()) {
    return std::min<std::uint64_t>(std::min(64U, 2 * claim.num_hashes + 8), claim.num_cells);
  }
  return claim.model == ProbeModel::kPartitioned ? claim.num_hashes : 2 * claim.num_hashes + 8;
}

std::optional<unsigned> other_hashes(const Claim& claim, std::span<const LoadVerdict> loads) {
  std::optional<unsigned> best;
  double least = 0;
  for (unsigned k = least_hashes(claim); k <= most_hashes(claim); ++k) {
    if (k == claim.num_hashes) continue;
    Suspect suspect = as_claimed(claim);
    suspect.num_hashes = k;
    const auto found = distance(claim, suspect, loads);
    if (!found || (best && *found >= least)) continue;
    best = k;
    least = *found;
  }
  return best;
}

/// Returns the number of cells per block that explains all loads, where 1 means a filter without
/// blocks. Returns nullopt if all block sizes fail, or if the claim is a table, has lanes or lacks
/// blocks.
std::optional<unsigned> other_blocks(const Claim& claim, std::span<const LoadVerdict> loads) {
  if (claim.is_table || !claim.has_blocks() || claim.model == ProbeModel::kPartitioned) {
    return std::nullopt;
  }
  for (const unsigned cells : {1U, 64U, 128U, 256U, 512U, 1024U}) {
    Suspect suspect = as_claimed(claim);
    suspect.block_cells = cells;
    const bool differs = cells != claim.block_cells && claim.num_cells % cells == 0;
    if (differs && distance(claim, suspect, loads)) return cells;
  }
  return std::nullopt;
}

/// Returns the smallest change of the width of the fingerprints of a table, in bits, that explains
/// all loads. Returns nullopt if all changes fail, or if the claim is not a table.
std::optional<int> change_of_width(const Claim& claim, std::span<const LoadVerdict> loads) {
  if (!claim.is_table) return std::nullopt;
  for (int bits = 1; bits <= kMaxWidthChange; ++bits) {
    for (const int change : {-bits, bits}) {
      const int cell_bits = static_cast<int>(claim.cell_bits) + change;
      if (cell_bits < 1) continue;
      Suspect suspect = as_claimed(claim);
      suspect.cell_bits = static_cast<unsigned>(cell_bits);
      if (distance(claim, suspect, loads)) return change;
    }
  }
  return std::nullopt;
}

/// Returns the factor at which the increasing function `excess` changes sign, or nullopt if the
/// sign does not change.
std::optional<double> factor_where(const std::function<double(double)>& excess) {
  double low = 1 / kFactors;
  double high = kFactors;
  if (excess(low) > 0 || excess(high) < 0) return std::nullopt;
  constexpr int kSteps = 30;
  for (int i = 0; i < kSteps; ++i) {
    const double middle = std::sqrt(low * high);
    (excess(middle) > 0 ? high : low) = middle;
  }
  return std::sqrt(low * high);
}

/// Returns the load with the most false positives, or null. A load without fills must have at least
/// kMinFalsePositives false positives.
const LoadVerdict* most_telling(std::span<const LoadVerdict> loads) {
  const LoadVerdict* best = nullptr;
  for (const LoadVerdict& load : loads) {
    if (!is_measured(load)) continue;
    const bool tells =
        load.num_fills > 0 || static_cast<double>(load.num_false_positives) >= kMinFalsePositives;
    if (!tells) continue;
    if (best == nullptr || load.num_false_positives >= best->num_false_positives) best = &load;
  }
  return best;
}

/// Returns the suspect that explains all loads, from a family with one suspect per factor. Returns
/// nullopt if all suspects fail.
std::optional<Suspect> fitting(const Claim& claim, std::span<const LoadVerdict> loads,
                               const std::function<Suspect(double)>& suspect_at, double sign) {
  const LoadVerdict* load = most_telling(loads);
  if (load == nullptr) return std::nullopt;
  const auto excess = [&](double factor) {
    const Suspect suspect = suspect_at(factor);
    if (load->num_fills > 0) return sign * (ones_of(claim, suspect, *load) - load->mean_ones);
    return sign * (rate_of(claim, suspect, *load) * static_cast<double>(load->num_queries) -
                   static_cast<double>(load->num_false_positives));
  };
  const auto factor = factor_where(excess);
  if (!factor || !distance(claim, suspect_at(*factor), loads)) return std::nullopt;
  return suspect_at(*factor);
}

std::string times(double observed, double expected) {
  if (!(expected > 0)) return "";
  return fmt::format(" ({} times as many)", rounded(observed / expected, 3));
}

void add_load_reasons_of(const LoadVerdict& load, std::vector<std::string>& reasons) {
  const std::string place = fmt::format("with {}, ", plural(load.num_keys, "key"));
  if (load.fill_rejected) {
    const double spread = load.ones_stddev / std::sqrt(static_cast<double>(load.num_fills));
    reasons.push_back(fmt::format(
        "{}{} cells are set ({}{}), expected {} +- {}", place, to_spread(load.mean_ones, spread),
        load.num_fills == 1 ? "" : "mean of ", plural(load.num_fills, "filter"),
        to_spread(load.expected_ones, spread), rounded(spread, 3)));
  }
  if (load.outcome == LoadVerdict::Outcome::kRejected) {
    reasons.push_back(fmt::format(
        "{}{} of {} absent keys tested positive, expected {}{}", place,
        grouped(load.num_false_positives), grouped(load.num_queries),
        expected_text(load.expected_false_positives),
        times(static_cast<double>(load.num_false_positives), load.expected_false_positives)));
  }
}

}  // namespace

void add_answer_reasons(const FilterQueries::Answers& answers, std::uint64_t filter,
                        std::uint64_t num_keys, SubjectVerdict& verdict) {
  if (answers.num_lost > 0) {
    verdict.reasons.push_back(
        fmt::format("{} of {} members queried in filter {}, which holds {}, are not found: "
                    "false negatives",
                    grouped(answers.num_lost), grouped(answers.num_member_queries), grouped(filter),
                    plural(num_keys, "key")));
  }
  if (answers.num_changed > 0) {
    verdict.reasons.push_back(
        fmt::format("{} of {} keys queried again in filter {} were answered differently, although "
                    "no key was inserted in between",
                    grouped(answers.num_changed), grouped(answers.num_repeats), grouped(filter)));
  }
}

void add_erase_reasons(SubjectVerdict& verdict) {
  if (verdict.num_refused_erases > 0) {
    verdict.reasons.push_back(plural(verdict.num_refused_erases, "inserted key") +
                              (verdict.num_refused_erases == 1 ? " was" : " were") + " not erased");
  }
  if (verdict.num_wrongful_erases > 0) {
    verdict.reasons.push_back(grouped(verdict.num_wrongful_erases) +
                              " keys that the filter calls absent were erased");
  }
}

void add_load_reasons(SubjectVerdict& verdict) {
  for (const LoadVerdict& load : verdict.loads) add_load_reasons_of(load, verdict.reasons);
}

std::string likely_cause(const Claim& claim, std::span<const LoadVerdict> loads) {
  const auto cells = static_cast<double>(claim.num_cells);
  std::vector<std::string> causes;
  if (const auto change = change_of_width(claim, loads)) {
    causes.push_back(fmt::format("fingerprints that are {} {}",
                                 plural(static_cast<std::uint64_t>(std::abs(*change)), "bit"),
                                 *change < 0 ? "narrower" : "wider"));
  }
  if (const auto k = other_hashes(claim, loads)) {
    causes.push_back(fmt::format("k = {} instead of {}", *k, claim.num_hashes));
  }
  if (const auto block_cells = other_blocks(claim, loads)) {
    causes.push_back(*block_cells == 1 ? "a filter without blocks"
                                       : fmt::format("blocks of {} cells instead of {}",
                                                     *block_cells, claim.block_cells));
  }
  const auto with_cells = [&](double factor) {
    Suspect suspect = as_claimed(claim);
    suspect.num_cells = std::max<double>(claim.num_hashes, factor * cells);
    return suspect;
  };
  // With more cells, the rate is lower but more cells are set.
  const LoadVerdict* telling = most_telling(loads);
  const double sign = telling != nullptr && telling->num_fills > 0 ? 1 : -1;
  if (const auto suspect = fitting(claim, loads, with_cells, sign)) {
    causes.push_back(fmt::format("about {} cells instead of {}",
                                 grouped_real(suspect->num_cells, 3), grouped(claim.num_cells)));
  }
  const auto with_keys = [&](double factor) {
    Suspect suspect = as_claimed(claim);
    suspect.key_factor = factor;
    return suspect;
  };
  if (const auto suspect = fitting(claim, loads, with_keys, 1)) {
    causes.push_back(fmt::format("about {} times the keys", rounded(suspect->key_factor, 3)));
  }
  if (causes.empty()) {
    return fmt::format("a different {}k, m or n alone does not explain this",
                       claim.is_table ? "width of the fingerprints, " : "");
  }
  return "consistent with " + joined(causes, {}, ", or with ");
}

}  // namespace bloometry
