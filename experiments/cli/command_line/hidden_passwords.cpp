#include "experiments/cli/command_line/hidden_passwords.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace bloometry {
namespace {

constexpr std::string_view kOption = "--url";

/// Returns the position at which the user name of a URL starts. The URL may have any scheme.
std::size_t user_start(std::string_view url) {
  const std::size_t slashes = url.find("://");
  return slashes == std::string_view::npos ? 0 : slashes + 3;
}

/// Returns the start and end of the password in a URL. A single word before the @ is also treated
/// as a password.
std::pair<std::size_t, std::size_t> password_in(std::string_view url) {
  const std::size_t start = user_start(url);
  const std::size_t at = url.rfind('@');
  if (at == std::string_view::npos || at < start) return {0, 0};
  const std::size_t colon = url.substr(0, at).find(':', start);
  return {colon == std::string_view::npos ? start : colon + 1, at};
}

}  // namespace

HiddenPasswords::HiddenPasswords(std::span<char* const> words) {
  bool is_url = false;
  for (char* const word : words) {
    const std::string_view text = word;
    if (is_url || text.starts_with("redis://") || text.starts_with("rediss://")) {
      hide(word, 0);
    } else if (const std::size_t equals = text.find('=');
               text.starts_with("--") && equals != std::string_view::npos) {
      // The option is --url=URL, or the misspelt --ulr=URL.
      const bool is_named = text.substr(0, equals) == kOption;
      if (is_named || text.substr(equals).find("redis") == 1) hide(word, equals + 1);
    }
    is_url = text == kOption;
  }
}

void HiddenPasswords::hide(char* word, std::size_t start) {
  const std::string url = word + start;
  const auto [first, last] = password_in(url);
  std::fill(word + start + first, word + start + last, '*');
  originals_[word + start] = url;
}

std::string HiddenPasswords::original(const std::string& url) const {
  const auto found = originals_.find(url);
  return found == originals_.end() ? url : found->second;
}

}  // namespace bloometry
