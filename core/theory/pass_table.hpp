#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/require_domain.hpp"

namespace bloometry::theory {

/// A table of pass(b, t), which describes a filter for the occupancy chain. Let b probes of an
/// absent key fall on a cell that received t throws of inserted keys. The value pass(b, t) is the
/// probability that all b probes pass.
///
/// Row b - 1 contains pass(b, t) for t = 0, 1, ..., T - 1, for each b = 1..k. All rows have the
/// length T, and pass(b, t) = 1 for t >= T. Entries are in [0, 1].
class PassTable {
 public:
  /// Creates the table.
  /// @throws std::domain_error if no rows are given, if rows differ in length, or if an entry is
  /// NaN or outside [0, 1].
  explicit PassTable(std::vector<std::vector<double>> rows) : rows_(std::move(rows)) {
    require_domain(!rows_.empty(), "number of rows of a pass table", "at least 1", rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) check_row(i + 1, rows_[i]);
  }

  /// Returns the table of standard and counting filters, in which a probe passes if and only if its
  /// cell was hit.
  static PassTable any_hit(unsigned num_hashes) {
    return PassTable(std::vector<std::vector<double>>(num_hashes, std::vector<double>{0.0}));
  }

  unsigned num_hashes() const { return static_cast<unsigned>(rows_.size()); }

  /// Returns T, the least number of throws on a cell with which every probe passes.
  std::size_t num_undecided() const { return rows_.front().size(); }

  double pass(unsigned num_probes, std::size_t num_throws) const {
    return num_throws < num_undecided() ? rows_[num_probes - 1][num_throws] : 1.0;
  }

 private:
  void check_row(std::size_t number, const std::vector<double>& row) const {
    const std::string name = "row " + std::to_string(number) + " of the pass table";
    require_same_number("length of " + name, row.size(), "length of row 1", num_undecided());
    for (const double value : row) {
      require_domain(value >= 0.0 && value <= 1.0, "entry in " + name, "in [0, 1]", value);
    }
  }

  std::vector<std::vector<double>> rows_;
};

}  // namespace bloometry::theory
