#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/statistics/binomial_interval.hpp"
#include "core/statistics/excess_evidence.hpp"
#include "experiments/cli/filter/filter_options.hpp"
#include "experiments/filter_files/filter_facts.hpp"

namespace bloometry {

inline constexpr double kCheckFalseAlarm = 1e-6;

/// The result of `filter check`.
enum class CheckVerdict {
  kSound,        ///< no more false positives than the fill explains; not overfull
  kOverfull,     ///< the filter has more keys than its capacity
  kHashSuspect,  ///< the counters have more false positives than the fill explains
  kUndecided,    ///< a doubled rate would not have been found
};

/// The checks of a filter so far.
struct CheckHistory {
  std::string filter{};  ///< filter_identity() of the filter; empty before the first check
  double false_alarm = kCheckFalseAlarm;
  statistics::ExcessSums sums{};
  bool is_raised = false;         ///< whether a check has rejected the rates
  double expected_positives = 0;  ///< false positives that the rates explain, of new keys
  double rate = 0;                ///< rate of the fill at the last check
  std::uint64_t num_ones = 0;     ///< number of set cells then
  std::uint64_t num_rotations = 0;
  /// Number of overfull generations then, without those that the filter still had cells of.
  std::uint64_t num_overfull = 0;

  friend bool operator==(const CheckHistory&, const CheckHistory&) = default;
};

struct FilterCheck {
  CheckVerdict verdict = CheckVerdict::kUndecided;
  double measured_rate = 0;
  statistics::Interval interval{};  ///< 95 % Clopper-Pearson interval of the measured rate
  double rate = 0;                  ///< rate given the cells
  double allowed_rate = 0;  ///< largest rate since the last check, against which the test is made
  double log_evidence = 0;
  bool is_raised = false;
  double num_useful = 0;  ///< queries so far, as queries at the allowed rate
  /// Number of useful queries that find a doubled rate with probability 0.99, if there is one.
  std::optional<std::uint64_t> num_needed{};

  [[nodiscard]] bool is_alarm() const noexcept {
    return verdict == CheckVerdict::kOverfull || verdict == CheckVerdict::kHashSuspect;
  }
};

/// Parses the items of --counters, such as negatives=980.
/// @throws ConfigError naming a missing, repeated or unknown counter, or counters that contradict
/// each other or have no query of an absent key
[[nodiscard]] QueryCounters parse_counters(const std::vector<std::string>& items);

/// Parses a probability in (0, 1). @throws ConfigError
[[nodiscard]] double parse_false_alarm(std::string_view option, const std::string& text);

/// Returns a text that is equal for two files of one filter, and for filters of equal parameters.
[[nodiscard]] std::string filter_identity(const FilterFacts& facts);

/// Checks a filter and adds the check to its history.
/// @param facts FileFilter::facts()
/// @param is_erasable whether keys can be erased from the filter
/// @throws ConfigError if the rate of the filter is unknown, or the history is that of another
/// filter or of one with more set cells
[[nodiscard]] FilterCheck check_filter(const FilterFacts& facts, bool is_erasable,
                                       const QueryCounters& counters,
                                       std::optional<std::uint64_t> max_repeats,
                                       CheckHistory& history);

}  // namespace bloometry
