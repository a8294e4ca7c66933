#pragma once

#include <map>
#include <span>
#include <string>

namespace bloometry {

/// Hides passwords in URLs on the command line (`--url redis://user:password@host`), which every
/// user of the machine can read there (ps, /proc/PID/cmdline). They are overwritten in place. The
/// original command line is visible for a moment, so an environment variable or a file is safer.
/// The code that parses the line afterwards, and its messages, never contain the passwords.
class HiddenPasswords {
 public:
  /// Overwrites each character of a password with a star.
  explicit HiddenPasswords(std::span<char* const> words);

  /// Returns the original URL. @param url the present text of the command line
  [[nodiscard]] std::string original(const std::string& url) const;

 private:
  void hide(char* word, std::size_t start);

  std::map<std::string, std::string> originals_;  // by the overwritten text
};

}  // namespace bloometry
