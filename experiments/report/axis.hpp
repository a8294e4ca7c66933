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

/// Rows of one summary that a chart selected, in their order there.
using Rows = std::vector<const SummaryRow*>;

/// What depends on the whole run when one of its points is put into words.
class Wording {
 public:
  /// @param key_labels what to call sources of keys, by their name in rows.
  explicit Wording(std::span<const SummaryRow> rows,
                   std::map<std::string, std::string> key_labels = {});

  /// The size asked for: "8 bits per key", "m = 21,895 bits" where one m serves several n, or
  /// "target 0.01" of a filter that grows.
  [[nodiscard]] std::string size(const SummaryRow& row) const;

  /// The source of the keys: "random", of own keys their label, else the name of their file, or all
  /// of their path where two files have the same name.
  [[nodiscard]] std::string keys(const SummaryRow& row) const;

  /// Whether its keys are called by a label, which is all there is to say.
  [[nodiscard]] bool has_label(const SummaryRow& row) const;

  /// The parameters that vary within a variant, "counter_bits = 4, blind" (texts speak for
  /// themselves); empty if none does.
  [[nodiscard]] std::string params(const SummaryRow& row) const;

 private:
  bool fixed_size_ = false;
  std::set<std::string> varying_params_;  ///< "variant/name"
  std::map<std::string, std::string> key_labels_;
  std::set<std::string> shared_file_names_;
};

/// Something that tells points apart: an axis, a colour or a facet of a chart.
struct Axis {
  std::string_view name;                                        ///< as in configs and rows
  std::string_view title;                                       ///< as drawn, with its unit
  std::optional<double> (*value)(const SummaryRow&) = nullptr;  ///< null: names, not numbers
  std::string (*label)(const SummaryRow&, const Wording&) = nullptr;
};

/// The axis of that name; null if there is none.
[[nodiscard]] const Axis* find_axis(std::string_view name);

/// As find_axis, for the names in this folder's own code.
[[nodiscard]] const Axis& axis(std::string_view name);

/// Bits per key held: memory over the capacity, or over the keys if there is none; to four digits,
/// because m was rounded to whole cells. Absent for no keys. Labels say what was asked for.
[[nodiscard]] std::optional<double> bits_per_key(const SummaryRow& row);

/// Is it a filter that grows? Its memory follows n, so that it has no size to be compared at.
[[nodiscard]] bool grows(const SummaryRow& row);

/// Those of the axes by which the rows differ, in the given order. Beside other axes, the probe
/// scheme counts only if some variant has two.
[[nodiscard]] std::vector<const Axis*> varying(std::span<const std::string_view> names,
                                               const Rows& rows, const Wording& wording);

/// The labels of several axes as one, "standard, 8 bits per key".
[[nodiscard]] std::string joined_label(std::span<const Axis* const> axes, const SummaryRow& row,
                                       const Wording& wording);

}  // namespace bloometry::report
