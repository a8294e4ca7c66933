#include "experiments/text/closest.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bloometry {
namespace {

/// Returns the smallest number of insertions, deletions, replacements and swaps of adjacent letters
/// that turn a into b.
std::size_t num_slips(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last;
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = last;
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string> closest(std::string_view word, std::span<const std::string> names) {
  std::optional<std::string> found;
  std::size_t fewest = word.size() / 3 + 1;
  for (const std::string& name : names) {
    const std::size_t slips = num_slips(word, name);
    if (slips >= fewest) continue;
    fewest = slips;
    found = name;
  }
  return found;
}

}  // namespace bloometry
