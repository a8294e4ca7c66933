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

/// Returns the words between the commas.
std::vector<std::string> split_words(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(", "), list.size());
    words.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 2, list.size()));
  }
  return words;
}

}  // namespace

std::optional<std::string> closest(std::string_view word, std::span<const std::string> names) {
  std::optional<std::string> found;
  std::size_t fewest = word.size() / 3 + 1;
  for (const std::string& name : names) {
    // Each slip changes the length by at most one letter.
    if (std::max(word.size(), name.size()) - std::min(word.size(), name.size()) >= fewest) continue;
    const std::size_t slips = num_slips(word, name);
    if (slips >= fewest) continue;
    fewest = slips;
    found = name;
  }
  return found;
}

std::string suggestion(std::string_view word, std::span<const std::string> names) {
  const std::optional<std::string> close = closest(word, names);
  return close ? "; did you mean " + *close + "?" : "";
}

std::string suggestion_for(std::string_view message) {
  constexpr std::string_view kList = "one of ";
  constexpr std::string_view kValue = ", got ";
  const std::size_t list = message.find(kList);
  const std::size_t value = message.rfind(kValue);
  if (list == message.npos || value == message.npos || value < list + kList.size()) return "";
  std::string_view word = message.substr(value + kValue.size());
  const bool is_quoted = word.size() > 2 && word.front() == word.back() &&
                         (word.front() == '\'' || word.front() == '"');
  if (!is_quoted) return "";
  word = word.substr(1, word.size() - 2);
  return suggestion(word,
                    split_words(message.substr(list + kList.size(), value - list - kList.size())));
}

}  // namespace bloometry
