#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/unit/unit.hpp"
#include "experiments/verdict/summary.hpp"

namespace bloometry::report {

class Wording;

/// The axes of the parts of a stream of items. Rows with different streams differ in the label of
/// one of them.
inline constexpr std::array<std::string_view, 4> kStreamAxes = {
    "stream_zipf", "stream_num_distinct", "stream_insert", "stream_clear_every"};

/// Returns a part of the row's stream. All parts are 0 without a stream.
template <auto ItemStream::*Part>
[[nodiscard]] std::optional<double> stream_part(const SummaryRow& row) {
  return static_cast<double>(row.stream.value_or(ItemStream()).*Part);
}

// The functions label_stream_* return the labels of the parts, such as "Zipf(1) stream" and
// "cleared every 100 inserts". Without a stream, all labels are "no stream".

[[nodiscard]] std::string label_stream_zipf(const SummaryRow& row, const Wording&);
[[nodiscard]] std::string label_stream_num_distinct(const SummaryRow& row, const Wording&);
[[nodiscard]] std::string label_stream_insert(const SummaryRow& row, const Wording&);
[[nodiscard]] std::string label_stream_clear_every(const SummaryRow& row, const Wording&);

}  // namespace bloometry::report
