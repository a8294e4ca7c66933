#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

/// The simplest implementation of the cells of counting filters with variable increments, as a
/// reference for the formulas.
namespace bloometry::test {

/// Cells that store the sum of their increments. Increment v passes on a cell with sum c if and
/// only if c - v is 0 or a sum of increments. The search for a sum tries all increments.
class SumCells {
 public:
  SumCells(unsigned num_cells, std::vector<unsigned> increments)
      : increments_(std::move(increments)), sums_(num_cells, 0) {}

  void add(unsigned cell, unsigned increment) { sums_[cell] += increment; }

  [[nodiscard]] bool passes(unsigned cell, unsigned increment) const {
    return sums_[cell] >= increment && is_sum(sums_[cell] - increment);
  }

 private:
  [[nodiscard]] bool is_sum(unsigned rest) const {
    if (rest == 0) return true;
    return std::any_of(increments_.begin(), increments_.end(),
                       [&](unsigned v) { return v <= rest && is_sum(rest - v); });
  }

  std::vector<unsigned> increments_;
  std::vector<unsigned> sums_;
};

/// Cells of a B_h filter. Each cell stores the count and the sum of its increments. If the count is
/// at most h, the count and the sum determine the multiset of increments.
class BhCells {
 public:
  BhCells(unsigned num_cells, const std::vector<unsigned>& increments, unsigned h)
      : h_(h), cells_(num_cells) {
    std::vector<unsigned> chosen;
    list(increments, 0, chosen);
  }

  void add(unsigned cell, unsigned increment) {
    ++cells_[cell].first;
    cells_[cell].second += increment;
  }

  [[nodiscard]] bool passes(unsigned cell, unsigned increment) const {
    const auto [count, sum] = cells_[cell];
    if (count == 0) return false;
    if (count > h_) return true;
    const std::vector<unsigned>& held = multisets_.at({count, sum});
    return std::find(held.begin(), held.end(), increment) != held.end();
  }

 private:
  void list(const std::vector<unsigned>& increments, std::size_t first,
            std::vector<unsigned>& chosen) {
    unsigned sum = 0;
    for (const unsigned v : chosen) sum += v;
    multisets_[{static_cast<unsigned>(chosen.size()), sum}] = chosen;
    if (chosen.size() == h_) return;
    for (std::size_t i = first; i < increments.size(); ++i) {
      chosen.push_back(increments[i]);
      list(increments, i, chosen);
      chosen.pop_back();
    }
  }

  unsigned h_;
  std::map<std::pair<unsigned, unsigned>, std::vector<unsigned>> multisets_;
  std::vector<std::pair<unsigned, unsigned>> cells_;  // count, sum
};

}  // namespace bloometry::test
