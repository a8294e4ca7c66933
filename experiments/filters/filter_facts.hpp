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

/// What is known of a filter in a file.
struct FilterFacts {
  std::string format{};   ///< bloometry, or that of another program
  std::string variant{};  ///< of bloometry's own filters
  std::string probes{};
  std::string hash{};
  std::optional<std::uint64_t> seed{};
  std::optional<std::uint64_t> key_id{};  ///< of a hash with a secret, in place of the seed
  std::vector<std::pair<std::string, std::string>> details{};  ///< what only this format has
  Params params{};

  std::uint64_t num_cells = 0;
  unsigned cell_bits = 1;
  unsigned num_hashes = 0;  ///< 0: chosen stage by stage
  bool grows = false;
  FileNotes notes{};
  FilterState state{};  ///< its rate is 0 where no law gives one, see rate_given_state

  /// Distinct keys, from the cells; +infinity if all are set.
  std::optional<double> estimated_num_keys{};
  /// Keys that the rates are about: those that the file says were inserted, or else the estimate.
  std::optional<std::uint64_t> num_keys{};
  std::optional<double> expected_rate{};  ///< exact, of num_keys keys in a filter of this size
  std::string why_no_expected_rate{};
  std::optional<double> rate_given_state{};  ///< exact for ideal probes, of these very cells
  /// The same as if the probes were independent, of schemes that follow no model.
  std::optional<double> rate_if_independent{};
  std::optional<std::uint64_t> num_keys_at_target{};  ///< that keep the file's target rate

  [[nodiscard]] double fill_ratio() const noexcept {
    return static_cast<double>(state.num_ones) / static_cast<double>(num_cells);
  }

  /// The rate of this filter as it is: that of its state, or the stand-in for it.
  [[nodiscard]] double rate() const noexcept {
    return rate_given_state.value_or(rate_if_independent.value_or(1));
  }
};

/// Why the counts in a file cannot be of one filter; empty if they can. Every key that changed the
/// filter set between 1 and k cells.
[[nodiscard]] std::string contradiction_in(const FilterFacts& facts);

}  // namespace bloometry
