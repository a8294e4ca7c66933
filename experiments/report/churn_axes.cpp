#include "experiments/report/churn_axes.hpp"

#include <fmt/core.h>

#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

std::string label_share(const char* word, double Churn::*share, const SummaryRow& row) {
  return row.churn ? fmt::format("{} {}", word, number_text((*row.churn).*share)) : "no churn";
}

}  // namespace

std::string label_rounds(const SummaryRow& row, const Wording&) {
  return row.churn ? plural(row.churn->rounds, "round") + " of churn" : "no churn";
}

std::string label_erase(const SummaryRow& row, const Wording&) {
  return label_share("erase", &Churn::erase, row);
}

std::string label_reinsert(const SummaryRow& row, const Wording&) {
  return label_share("reinsert", &Churn::reinsert, row);
}

std::string label_wrongful_erases(const SummaryRow& row, const Wording&) {
  return label_share("wrongful erases", &Churn::wrongful_erases, row);
}

}  // namespace bloometry::report
