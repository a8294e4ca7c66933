#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/report/chart_axis.hpp"

namespace bloometry::report {

/// The rows of a run that one chart draws. The selection counts every row that the chart leaves
/// out, with the reason, so that the caption of the chart accounts for all rows of the run.
class RowSelection {
 public:
  explicit RowSelection(Rows all) : rows_(std::move(all)), num_all_(rows_.size()) {}

  [[nodiscard]] const Rows& rows() const noexcept { return rows_; }

  /// Reduces the rows to `kept`, which are some of them, and counts the others.
  /// @param reason text after "12 points", such as "at n = 0", without a semicolon
  void keep(Rows kept, std::string_view reason);

  /// Leaves out the rows that satisfy the predicate.
  template <class Predicate>
  void leave_out_if(const Predicate& predicate, std::string_view reason) {
    Rows kept = rows_;
    std::erase_if(kept, [&](const SummaryRow* row) { return predicate(*row); });
    keep(std::move(kept), reason);
  }

  /// Counts rows that stay in rows(), because lines of theory pass through them, but have no mark.
  void note_unmarked(std::size_t count, std::string_view reason) { add(count, reason); }

  /// Returns the last sentences of the caption, such as " Drawn: 84 of 96 points. Left out: 8
  /// points at other k; 4 points at n = 0." Returns an empty string if the chart draws every row.
  [[nodiscard]] std::string caption() const;

 private:
  void add(std::size_t count, std::string_view reason);

  Rows rows_;
  std::size_t num_all_;
  std::vector<std::pair<std::string, std::size_t>> left_out_{};  ///< reason and number of rows
};

/// Returns RowSelection::caption() for a chart of `num_all` records, of which it leaves some out.
[[nodiscard]] std::string account_of(
    std::size_t num_all, const std::vector<std::pair<std::string, std::size_t>>& left_out,
    std::string_view noun);

}  // namespace bloometry::report
