#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "experiments/report/coinciding_marks.hpp"
#include "experiments/report/labels.hpp"

namespace bloometry::report {

// Points that `verify` does not test, such as those of weak hashes. Charts that compare points with
// chance draw them as crosses and similar signs, one sign per reason.

/// Returns the number of rows that `verify` does not test.
[[nodiscard]] std::size_t num_untested(const Rows& rows);

/// Returns a sentence with the number of rows that `verify` does not test, and with the number for
/// each reason. Returns an empty string if it tests all rows.
/// @param marks how the chart draws them, such as "crosses and similar signs"
[[nodiscard]] std::string about_untested(const Rows& rows, const std::string& marks);

/// The legend entries of the reasons for which `verify` does not test rows, with the signs of their
/// marks. Many reasons share the last entry.
class UntestedEntries {
 public:
  explicit UntestedEntries(const Rows& rows);

  /// Returns the entry of a row that is not tested, such as "not tested: hash crc32 is marked
  /// weak".
  [[nodiscard]] std::string of(const SummaryRow& row) const;

  /// Returns the entries in alphabetical order of their reasons.
  [[nodiscard]] const std::vector<std::string>& in_order() const noexcept { return entries_; }

  /// Returns the sign of an entry as a path in a square from -1 to 1.
  [[nodiscard]] static std::string sign(std::size_t number);

 private:
  std::vector<std::string> reasons_;  ///< those with an entry of their own
  std::vector<std::string> entries_;
};

/// The legend of points that are tested or not. The colour of a mark is that of its series. If
/// there are points without a test, its shape shows whether `verify` tests the point or why not;
/// otherwise the shape is that of the series. The fields `series` and `entry` of a point are its
/// entries in the legends of colours and of shapes.
class TestedLegend {
 public:
  /// @param run all rows of the run, as in Labels::colours()
  TestedLegend(Labels series, const Rows& rows, std::span<const SummaryRow> run);

  [[nodiscard]] std::string series_of(const SummaryRow& row) const { return series_.of(row); }

  [[nodiscard]] std::string entry_of(const SummaryRow& row) const;

  /// Returns the size of the mark of each row in square px. Marks of several series that cover one
  /// another differ in size.
  /// @param position function that returns the position of a row's mark
  [[nodiscard]] std::vector<int> mark_sizes(
      const Rows& rows, const std::function<MarkPosition(const SummaryRow&)>& position) const;

  /// Returns a sentence if the sizes of marks differ.
  [[nodiscard]] static std::string about_sizes(const std::vector<int>& sizes);

  /// Returns the channels of colour and shape.
  [[nodiscard]] nlohmann::json channels() const;

  static constexpr const char* kGrey = "#777777";

 private:
  Labels series_;
  UntestedEntries untested_;
  bool has_tested_;
  std::span<const SummaryRow> run_;
};

}  // namespace bloometry::report
