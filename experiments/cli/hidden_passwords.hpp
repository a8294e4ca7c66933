#pragma once

#include <map>
#include <span>
#include <string>

namespace bloometry {

/// Passwords of URLs on the command line (`--url redis://user:password@host`), which every user of
/// the machine can read there (ps, /proc/PID/cmdline). They are overwritten in place; how the
/// process was started shows for a moment all the same, so an environment variable or a file is
/// better. What parses the line afterwards, and its messages, never see them.
class HiddenPasswords {
 public:
  /// Overwrites the passwords with as many stars.
  explicit HiddenPasswords(std::span<char* const> words);

  /// The URL as it was given. @param url as it stands on the line now
  [[nodiscard]] std::string original(const std::string& url) const;

 private:
  void hide(char* word, std::size_t start);

  std::map<std::string, std::string> originals_;  // by what stands there now
};

}  // namespace bloometry
