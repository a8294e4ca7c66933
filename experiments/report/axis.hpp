#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/verdict/summary.hpp"

namespace bloometry::report {

/// Rows of one summary that a chart selected, in the order of the summary.
using Rows = std::vector<const SummaryRow*>;

/// Makes those labels of points that depend on all rows of the run.
class Wording {
 public:
  /// Collects facts about the rows. @param key_labels labels of key sources, by their name in rows.
  explicit Wording(std::span<const SummaryRow> rows,
                   std::map<std::string, std::string> key_labels = {});

  /// Returns the requested size: "8 bits per key", "m = 21,895 bits" if one m serves several n, or
  /// "target 0.01" for a filter that grows.
  [[nodiscard]] std::string size(const SummaryRow& row) const;

  /// Returns the source of the keys: "random", or the label of a key file. For a key file without a
  /// label, returns the name of the file, or its whole path if two files have the same name.
  [[nodiscard]] std::string keys(const SummaryRow& row) const;

  /// Returns whether the row's keys have a label.
  [[nodiscard]] bool has_label(const SummaryRow& row) const;

  /// Returns the parameters that vary within a variant, "counter_bits = 4, blind". Text values
  /// appear without their name. The result may be empty.
  [[nodiscard]] std::string params(const SummaryRow& row) const;

 private:
  bool fixed_size_ = false;
  std::set<std::string> varying_params_;  ///< as "variant/name"
  std::map<std::string, std::string> key_labels_;
  std::set<std::string> shared_file_names_;
};

/// A property that distinguishes points: an axis, a colour or a facet of a chart.
struct Axis {
  std::string_view name;                                        ///< name in configs and rows
  std::string_view title;                                       ///< title in charts, with the unit
  std::optional<double> (*value)(const SummaryRow&) = nullptr;  ///< null if its values are names
  std::string (*label)(const SummaryRow&, const Wording&) = nullptr;
};

/// Returns the axis with that name, or null if it does not exist.
[[nodiscard]] const Axis* find_axis(std::string_view name);

/// Returns the axis with that name, which must exist.
[[nodiscard]] const Axis& axis(std::string_view name);

/// Returns the bits per key: memory divided by the capacity or, without a capacity, by the number
/// of keys. The result has four digits, because m was rounded to whole cells. Absent for an empty
/// filter. Labels show the requested value instead.
[[nodiscard]] std::optional<double> bits_per_key(const SummaryRow& row);

/// Returns whether the filter grows. The memory of such a filter depends on n, so it cannot be
/// compared at a fixed size.
[[nodiscard]] bool grows(const SummaryRow& row);

/// Returns those axes by which the rows differ, in the given order. The probe scheme is included
/// beside other axes only if some variant has two schemes.
[[nodiscard]] std::vector<const Axis*> varying(std::span<const std::string_view> names,
                                               const Rows& rows, const Wording& wording);

/// Returns the labels of several axes as one text, "standard, 8 bits per key".
[[nodiscard]] std::string joined_label(std::span<const Axis* const> axes, const SummaryRow& row,
                                       const Wording& wording);

}  // namespace bloometry::report
