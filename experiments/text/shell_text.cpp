#include "experiments/text/shell_text.hpp"

#include <algorithm>

namespace bloometry {
namespace {

bool is_plain(char letter) {
  constexpr std::string_view kMarks = "_@%+=:,./-";
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || kMarks.find(letter) != std::string_view::npos;
}

}  // namespace

std::string shell_word(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  std::string text = "'";
  for (const char letter : word) {
    if (letter == '\'') {
      text += R"('\'')";
    } else {
      text += letter;
    }
  }
  return text + "'";
}

std::string shell_text(std::span<const char* const> words) {
  std::string text;
  for (const char* const word : words)
    text.append(text.empty() ? "" : " ").append(shell_word(word));
  return text;
}

}  // namespace bloometry
