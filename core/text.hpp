#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bloometry {

/// Returns the shortest text that parses to the same number, such as 0.01, 1e-30 or 5.
[[nodiscard]] inline std::string shortest_text(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

/// Returns the words with a comma and a space, or another separator, between two words, as in
/// "a, b, c". The function word_of returns the word of an element.
template <class Words = std::vector<std::string>, class WordOf = std::identity>
[[nodiscard]] std::string joined(const Words& words, WordOf word_of = {},
                                 std::string_view separator = ", ") {
  std::string text;
  for (const auto& word : words) {
    text.append(text.empty() ? "" : separator).append(std::invoke(word_of, word));
  }
  return text;
}

/// Returns the words as alternatives, as in "a, b or c".
template <class Words = std::vector<std::string>>
[[nodiscard]] std::string joined_by_or(const Words& words) {
  std::string text;
  std::size_t num_left = words.size();
  for (const auto& word : words) {
    text.append(text.empty() ? "" : num_left == 1 ? " or " : ", ").append(word);
    --num_left;
  }
  return text;
}

/// Returns the allowed values for an error message, as in "one of a, b, c", or "a" if there is one.
template <class Words = std::vector<std::string>>
[[nodiscard]] std::string one_of_text(const Words& words) {
  return (words.size() == 1 ? "" : "one of ") + joined(words);
}

}  // namespace bloometry
