#pragma once

#include <array>
#include <charconv>
#include <string>
#include <vector>

namespace bloometry {

/// Returns the shortest text that reads back as the same number: 0.01, 1e-30, 5.
[[nodiscard]] inline std::string shortest_text(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

/// Returns the words separated by ", ": "a, b, c".
template <class Words = std::vector<std::string>>
[[nodiscard]] std::string joined(const Words& words) {
  std::string text;
  for (const auto& word : words) text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

}  // namespace bloometry
