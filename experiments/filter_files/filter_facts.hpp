#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/contract/filter_state.hpp"
#include "core/contract/generation_counts.hpp"
#include "core/contract/params.hpp"
#include "core/contract/window.hpp"
#include "core/file/file_header.hpp"
#include "core/theory/expected_rate.hpp"
#include "experiments/filter_files/sizes_check.hpp"

namespace bloometry {

/// The properties of a filter that was read from a file.
struct FilterFacts {
  std::string format{};   ///< bloometry, or the name of another program's format
  std::string variant{};  ///< name of the variant, if the format is bloometry
  std::string probes{};
  std::string hash{};
  std::optional<std::uint64_t> seed{};
  std::optional<std::uint64_t> key_id{};  ///< id of the secret, in place of a seed
  std::vector<std::pair<std::string, std::string>> details{};  ///< facts about this format, by name
  Params params{};

  std::uint64_t num_cells = 0;
  /// Number of cells that probes reach, if some cells stay 0 because the indices have too few bits.
  std::optional<std::uint64_t> num_reachable_cells{};
  unsigned cell_bits = 1;
  unsigned num_hashes = 0;  ///< 0 if the stages differ in their number of hashes
  bool grows = false;
  bool is_table = false;       ///< whether an insert fills at most one cell, and not k cells
  bool stores_copies = false;  ///< VariantDescription::stores_copies
  /// Number of keys for which the first stage was planned, if the filter grows.
  std::optional<std::uint64_t> initial_capacity{};
  FileNotes notes{};
  /// Whether notes.num_inserted counts only the keys that changed the filter when they were
  /// inserted (dcso, redisbloom), and not every insert.
  bool counts_new_keys = false;
  std::optional<GenerationCounts> generations{};  ///< present if the filter forgets
  std::optional<Window> window{};                 ///< present if the filter forgets
  FilterState state{};  ///< its conditional rate may be 0; use rate_given_state instead

  /// Number of distinct keys, estimated from the cells; +infinity if all cells are set.
  std::optional<double> estimated_num_keys{};
  std::string why_no_estimate{};  ///< why the cells do not show the number of keys, or empty
  /// Number of distinct keys from which the rates are computed: the count in the file, or the
  /// estimate if the cells contradict the count (repeated keys) or the file does not contain it.
  std::optional<std::uint64_t> num_keys{};
  bool is_num_keys_estimated = false;
  /// Mean rate over all filters of this size with num_keys keys, with its kind and its floor.
  std::optional<ExpectedRate> expected{};
  std::optional<double> expected_rate{};  ///< the rate of `expected` if it is exact
  std::string why_no_expected_rate{};     ///< why expected_rate is absent
  /// Rate of a query given the cells of this filter, with its kind and its floor; absent if neither
  /// a formula nor a model of the rate is known.
  std::optional<ExpectedRate> given_state{};
  std::optional<double> rate_given_state{};  ///< the rate of `given_state`
  /// Rate that independent probes would have, given the cells; present if the scheme does not
  /// follow a model.
  std::optional<double> rate_if_independent{};
  std::optional<std::uint64_t> num_keys_at_target{};  ///< number of keys at the target rate
  std::optional<SizesCheck> sizes_check{};  ///< present if m and k are given by the caller
  std::string remark{};  ///< a fact about the file that a user should know, or empty

  /// Returns the share of set cells among the cells that probes reach.
  [[nodiscard]] double fill_ratio() const noexcept {
    return static_cast<double>(state.num_ones) /
           static_cast<double>(num_reachable_cells.value_or(num_cells));
  }

  /// Returns the number of further keys until the filter has the target rate, if the number is
  /// known. The rate depends on the cells, so the function counts the distinct keys whose number is
  /// estimated from the cells. A key that was inserted twice uses the room of one key.
  [[nodiscard]] std::optional<std::uint64_t> num_keys_left() const;

  /// Returns an upper value of the standard deviation of estimated_num_keys: that of small blocks,
  /// or sqrt(n) if the stages differ in k. It is infinite if all cells are set.
  [[nodiscard]] double estimate_stddev() const;

  /// Sets num_keys from the count of the file and the estimate. If the cells contradict a count of
  /// new keys because it is too small, neither number is known, as in an intersection. If a table
  /// of copies has fewer occupied cells than inserts, keys were erased, and the number that remains
  /// is unknown.
  void set_num_keys();

  /// Sets the mean rate over filters and the exact rate or the reason why it is absent. A rate at
  /// an estimated number of keys is a model, even if the formula is exact.
  void set_expected(const std::optional<ExpectedRate>& rate);

  /// Makes `expected` a model. Sets the name of its formula unless it was one, and adds a reason.
  void lower_to_model(std::string_view formula, std::string_view why);

  /// Sets the rate given the cells.
  void set_given_state(const ExpectedRate& rate);

  /// Returns the rate of this filter in its present state: rate_given_state if it is known,
  /// otherwise the rate of independent probes.
  [[nodiscard]] double rate() const noexcept {
    return rate_given_state.value_or(rate_if_independent.value_or(1));
  }
};

/// FilterFacts::why_no_estimate of a filter whose notes state that it is an intersection.
inline constexpr const char* kWhyNoEstimateOfIntersection =
    "an intersection may have set bits of keys that it does not contain";

/// FilterFacts::why_no_estimate of a filter whose set bits contradict its count of new keys.
inline constexpr const char* kWhyNoEstimateOfFewKeys =
    "the set bits are those of more keys than the file counts, as in an intersection";

/// FilterFacts::why_no_estimate of a table with fewer occupied cells than inserts.
inline constexpr const char* kWhyNoEstimateOfErasedKeys =
    "the table has fewer occupied cells than the file counts inserts, as after erases";

/// Returns the reason why the counts in a file cannot belong to one filter, or an empty string if
/// the counts are consistent. The test relies on the fact that every inserted key sets at most k
/// cells, or one cell of a table, and that the cells of a table have different fingerprints. It
/// also checks that the target rate is in (0, 1). A count of new keys that is too small, and a
/// count of inserts that is too large, are remarks and not contradictions (set_num_keys).
[[nodiscard]] std::string contradiction_in(const FilterFacts& facts);

/// Returns whether the target rate of a file is absent or in (0, 1). A caller of the library may
/// have stored any number.
[[nodiscard]] bool has_valid_target(const FileNotes& notes);

/// Returns the number of distinct keys among num_inserted inserted keys, of which num_new changed
/// the filter. A new key that is a false positive does not change the filter. If false positives at
/// the filter's rate explain all inserts without a change, the result is num_inserted. Otherwise
/// the input repeats keys, and the result is an estimate from the cells.
[[nodiscard]] std::uint64_t num_distinct_keys(const FilterFacts& facts, std::uint64_t num_inserted,
                                              std::uint64_t num_new);

}  // namespace bloometry
