#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/verdict/verdict.hpp"

namespace bloometry {

/// Returns the parameters of a row as readable text, for example
/// `counter_bits = 2, saturation = clamped`.
[[nodiscard]] std::string params_text(const std::string& params);

/// Returns the churn of a row as readable text, for example "no churn" or
/// "churn of 25 rounds (erase 0.52, reinsert 0.5, wrongful erases 0)".
[[nodiscard]] std::string churn_text(const std::optional<Churn>& churn);

/// Returns the window of a row as readable text, for example "no window" or
/// "window of 100 keys (reinsert 0.2, erase 0)".
[[nodiscard]] std::string window_text(const std::optional<StreamWindow>& window);

/// Returns the stream of a row as readable text, for example "no stream" or
/// "Zipf(1) stream of 100 keys (inserts passed items, cleared every 50 inserts)".
[[nodiscard]] std::string stream_text(const std::optional<ItemStream>& stream);

/// The names of the filters of a run. A name contains the variant, and each of params, churn,
/// window, stream, probes, hash and keys that has several values within the variant. The name of a
/// filter that grows contains its initial capacity.
class RowNames {
 public:
  /// Collects the values of the rows.
  /// @param key_labels labels of key sources, by the name of the source in rows
  explicit RowNames(const Verdict& verdict, std::map<std::string, std::string> key_labels = {});

  /// Returns the name of a row's filter, for example
  /// `counting, counter_bits = 2, saturation = clamped`.
  [[nodiscard]] std::string name(const RowVerdict& verdict) const;

 private:
  static constexpr std::size_t kNumFeatures = 7;
  using Features = std::array<std::string, kNumFeatures>;

  /// Returns the values that may distinguish filters. The first value is params as JSON, and the
  /// other values are in printed form.
  [[nodiscard]] Features features_of(const RowVerdict& verdict) const;

  std::map<std::string, std::string> key_labels_;
  std::map<std::string, std::array<std::set<std::string>, kNumFeatures>> values_;  // by variant
};

/// Returns the values of a row's params in the order of their names, as a sort key. The sort key
/// orders numbers by value, so that 256 comes before 1024, and puts numbers before strings.
[[nodiscard]] std::vector<std::pair<double, std::string>> param_order(const std::string& params);

/// Returns the printed number of cells, or a string such as "p = 0.01" for a filter that grows.
[[nodiscard]] std::string size_text(const TrialRow& row);

/// Returns whether a comes before b in a list of rows. A list of rows is sorted by point, and the
/// rows of a point are sorted by trial.
[[nodiscard]] bool is_listed_before(const RowVerdict& a, const RowVerdict& b);

/// A row that deviates, in the form that verify and the report's page print.
struct ListedDeviation {
  std::string row;  ///< such as "blocked, trial 0: n = 1,000, m = 8,192, k = 3"
  std::string why;
};

inline constexpr std::size_t kMostListedDeviations = 50;
/// Returns the kMostListedDeviations worst of the rows that deviate, or all of them if there are
/// fewer. The result is sorted by point.
[[nodiscard]] std::vector<ListedDeviation> listed_deviations(const Verdict& verdict,
                                                             const RowNames& names);

}  // namespace bloometry
