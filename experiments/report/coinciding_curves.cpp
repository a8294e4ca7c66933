#include "experiments/report/coinciding_curves.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/report/grouped_by.hpp"

namespace bloometry::report {
namespace {

/// Returns whether two curves look like one.
bool coincide(const TheoryCurve& a, const TheoryCurve& b) {
  constexpr double kInvisible = 0.01;  // largest hidden difference of the logarithms
  const auto is_near = [](const TheoryRate& left, const TheoryRate& right) {
    return std::abs(left.x - right.x) <= kInvisible * right.x &&
           (left.rate == right.rate || std::abs(std::log(left.rate / right.rate)) < kInvisible);
  };
  return a.rates.size() == b.rates.size() &&
         std::equal(a.rates.begin(), a.rates.end(), b.rates.begin(), is_near);
}

}  // namespace

std::vector<std::vector<const TheoryCurve*>> coinciding_curves(
    const std::vector<TheoryCurve>& curves) {
  std::vector<const TheoryCurve*> all;
  for (const TheoryCurve& curve : curves) all.push_back(&curve);
  return grouped_by(all,
                    [](const TheoryCurve* a, const TheoryCurve* b) { return coincide(*a, *b); });
}

std::map<std::string, double> curve_widths(const std::vector<TheoryCurve>& curves) {
  constexpr double kWidth = 1.6;
  constexpr double kMargin = 2.4;  // both sides of a curve beside the one that covers it
  std::map<std::string, double> widths;
  for (const auto& group : coinciding_curves(curves)) {
    double width = kWidth;
    for (auto curve = group.rbegin(); curve != group.rend(); ++curve) {
      widths[(*curve)->series] = width;
      width += kMargin;
    }
  }
  return widths;
}

}  // namespace bloometry::report
