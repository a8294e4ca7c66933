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

/// Rows of a summary that a chart shows, in the order of the summary.
using Rows = std::vector<const SummaryRow*>;

struct Axis;

/// Makes the labels of points that depend on all rows of the run.
class Wording {
 public:
  /// Collects the facts about the rows that determine labels. The map `key_labels` contains the
  /// labels of key sources by the name of the source in the rows.
  explicit Wording(std::span<const SummaryRow> rows,
                   std::map<std::string, std::string> key_labels = {});

  /// Returns the requested size, such as "8 bits per key", or "target 0.01" for a filter that
  /// grows, or the first capacity of a table that doubles on its own. If one size has several
  /// numbers of keys, the label has the form "m = 21,895 bits".
  [[nodiscard]] std::string size(const SummaryRow& row) const;

  /// Returns the source of the keys, such as "random", or the label of a key file. Returns the
  /// name of a key file without a label, or its path if two files have the same name.
  [[nodiscard]] std::string keys(const SummaryRow& row) const;

  /// Returns whether the row's keys have a label.
  [[nodiscard]] bool has_label(const SummaryRow& row) const;

  /// Returns the parameters that vary within a variant, such as "counter_bits = 4, blind". Text
  /// values appear without the name of the parameter. The result may be empty.
  [[nodiscard]] std::string params(const SummaryRow& row) const;

  /// Returns the rounds of churn, and the shares that vary between rows with churn, such as
  /// "25 rounds of churn, erase 0.52" or "no churn".
  [[nodiscard]] std::string churn(const SummaryRow& row) const;

  /// Returns the size of the window, and the parts that vary between rows with a window, such as
  /// "window of 100 keys, reinserts 0.2" or "no window".
  [[nodiscard]] std::string window(const SummaryRow& row) const;

  /// Returns the exponent of the stream of items, and the parts that vary between rows with a
  /// stream, such as "Zipf(1) stream, cleared every 100 inserts" or "no stream".
  [[nodiscard]] std::string stream(const SummaryRow& row) const;

 private:
  bool fixed_size_ = false;
  std::set<std::string> varying_params_;  ///< as "variant/name"
  std::vector<const Axis*> churn_axes_;   ///< the rounds, and the shares that differ between rows
  std::vector<const Axis*> window_axes_;  ///< the size, and the parts that differ between rows
  std::vector<const Axis*> stream_axes_;  ///< the exponent, and the parts that differ between rows
  std::map<std::string, std::string> key_labels_;
  std::set<std::string> shared_file_names_;
};

/// A property that distinguishes points: an axis, a colour or a facet of a chart.
struct Axis {
  std::string_view name;                                        ///< name in configs and rows
  std::string_view title;                                       ///< title in charts, with the unit
  std::optional<double> (*value)(const SummaryRow&) = nullptr;  ///< null if the values are names
  std::string (*label)(const SummaryRow&, const Wording&) = nullptr;
};

/// Returns a value of an axis as text, such as 100,000 or 12.5.
[[nodiscard]] std::string text_of_number(double value);

/// Returns the axis with the given name, or null if such an axis does not exist.
[[nodiscard]] const Axis* find_axis(std::string_view name);

/// Returns the axis with the given name, which must be the name of an axis.
[[nodiscard]] const Axis& axis(std::string_view name);

/// Returns SummaryRow::bits_per_key() rounded to four digits, because m was rounded to whole cells.
/// Labels show the requested bits per key instead.
[[nodiscard]] std::optional<double> bits_per_key(const SummaryRow& row);

/// Returns whether the bits per key of a row are those of another number of keys than the filter
/// holds: those of its capacity, in filters that hold more or fewer keys.
[[nodiscard]] bool has_other_load(const Rows& rows);

/// Returns the title of the axis in a chart of these rows. If has_other_load(rows), the title of
/// the bits per key says that they are those of the capacity.
[[nodiscard]] std::string title_of(const Axis& axis, const Rows& rows);

/// Returns whether the filter of the row grows. The memory of a filter that grows depends on n, so
/// comparisons at a fixed size are not possible.
[[nodiscard]] bool grows(const SummaryRow& row);

/// Returns whether the capacity of every row is the initial capacity of a filter that grows. A
/// config can give such a filter another initial capacity as a parameter.
[[nodiscard]] bool has_only_initial_capacities(const Rows& rows);

/// Returns whether the rows differ in the axis. Rows without churn do not count for the shares of
/// churn, because the number of rounds distinguishes them from the others, nor rows without a
/// window for the shares of a window, nor rows without a stream for the other parts of a stream.
[[nodiscard]] bool differ_in(Rows rows, const Axis& axis, const Wording& wording);

/// Returns the axes in which the rows differ, in the given order. The result contains the probe
/// scheme beside other axes only if some variant has two schemes. It contains the capacity beside
/// other axes only if some capacity is not an initial capacity, which is a parameter. It contains a
/// share of churn only if rows with churn differ in it, and a share of a
/// window or a part of a stream likewise.
[[nodiscard]] std::vector<const Axis*> varying(std::span<const std::string_view> names,
                                               const Rows& rows, const Wording& wording);

/// Returns the labels of several axes as one text, such as "standard, 8 bits per key". Labels that
/// two axes share, such as a target rate that is also the size, occur once.
[[nodiscard]] std::string joined_label(std::span<const Axis* const> axes, const SummaryRow& row,
                                       const Wording& wording);

}  // namespace bloometry::report
