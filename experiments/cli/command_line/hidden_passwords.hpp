#pragma once

#include <map>
#include <span>
#include <string>

namespace bloometry {

/// Hides passwords in URLs on the command line (`--url redis://user:password@host`). Every user of
/// the machine can read the command line (ps, /proc/PID/cmdline). The constructor overwrites the
/// passwords in place. The original command line is visible for a moment, so an environment
/// variable or a file is safer. After the constructor, the command line and all error messages
/// contain only the overwritten text.
class HiddenPasswords {
 public:
  /// Overwrites each character of a password with a star.
  explicit HiddenPasswords(std::span<char* const> words);

  /// Returns the original URL. The argument is the overwritten text of the command line.
  [[nodiscard]] std::string original(const std::string& url) const;

 private:
  void hide(char* word, std::size_t start);

  std::map<std::string, std::string> originals_;  // original URLs by overwritten text
};

}  // namespace bloometry
