#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/file/file_header.hpp"
#include "core/filter/filter_state.hpp"
#include "core/filter/params.hpp"

namespace bloometry {

/// The properties of a filter that was read from a file.
struct FilterFacts {
  std::string format{};   ///< bloometry, or the name of another program's format
  std::string variant{};  ///< variant, if the format is bloometry
  std::string probes{};
  std::string hash{};
  std::optional<std::uint64_t> seed{};
  std::optional<std::uint64_t> key_id{};  ///< id of the secret, in place of a seed
  std::vector<std::pair<std::string, std::string>> details{};  ///< facts about this format
  Params params{};

  std::uint64_t num_cells = 0;
  unsigned cell_bits = 1;
  unsigned num_hashes = 0;  ///< 0: each stage has its own
  bool grows = false;
  FileNotes notes{};
  FilterState state{};  ///< if its law is absent, its rate is 0; see rate_given_state

  /// Number of distinct keys, estimated from the cells; +infinity if all cells are set.
  std::optional<double> estimated_num_keys{};
  /// Number of keys for computing rates: the number of inserts in the file, or the estimate without
  /// it.
  std::optional<std::uint64_t> num_keys{};
  std::optional<double> expected_rate{};  ///< exact rate for num_keys keys and this size
  std::string why_no_expected_rate{};
  std::optional<double> rate_given_state{};  ///< exact rate for ideal probes, given these cells
  /// Rate given these cells for independent probes, if the scheme does not follow a model.
  std::optional<double> rate_if_independent{};
  std::optional<std::uint64_t> num_keys_at_target{};  ///< n at the file's target rate

  [[nodiscard]] double fill_ratio() const noexcept {
    return static_cast<double>(state.num_ones) / static_cast<double>(num_cells);
  }

  /// Returns the rate of this filter in its present state, or its approximation.
  [[nodiscard]] double rate() const noexcept {
    return rate_given_state.value_or(rate_if_independent.value_or(1));
  }
};

/// Returns why the counts in a file cannot belong to one filter. The text is empty if the counts
/// can belong to one filter. Every key that changed the filter set between 1 and k cells.
[[nodiscard]] std::string contradiction_in(const FilterFacts& facts);

}  // namespace bloometry
