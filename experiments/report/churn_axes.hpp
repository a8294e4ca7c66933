#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/unit/unit.hpp"
#include "experiments/verdict/summary.hpp"

namespace bloometry::report {

class Wording;

/// The axes of the parts of churn. Rows with different churn differ in one of them.
inline constexpr std::array<std::string_view, 4> kChurnAxes = {
    "churn_rounds", "churn_erase", "churn_reinsert", "churn_wrongful_erases"};

/// Returns a part of the row's churn. All parts are 0 without churn.
template <auto Churn::*Part>
[[nodiscard]] std::optional<double> churn_part(const SummaryRow& row) {
  return static_cast<double>(row.churn.value_or(Churn()).*Part);
}

// The functions label_* return the labels of the parts, such as "25 rounds of churn" and
// "erase 0.52". Without churn, all labels are "no churn".

[[nodiscard]] std::string label_rounds(const SummaryRow& row, const Wording&);
[[nodiscard]] std::string label_erase(const SummaryRow& row, const Wording&);
[[nodiscard]] std::string label_reinsert(const SummaryRow& row, const Wording&);
[[nodiscard]] std::string label_wrongful_erases(const SummaryRow& row, const Wording&);

}  // namespace bloometry::report
