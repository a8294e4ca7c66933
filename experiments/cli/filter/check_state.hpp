#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "experiments/cli/filter/filter_check.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/cli/filter/filter_options.hpp"

namespace bloometry {

/// Returns the text of a file that keeps the history. It ends with a hash of the text.
[[nodiscard]] std::string to_text(const CheckHistory& history);

/// Parses the text. An empty text is a history without checks.
/// @throws ConfigError if the text is not that of a history, or is damaged
[[nodiscard]] CheckHistory parse_history(const std::string& text);

/// The file of --state, which is locked for the lifetime of the object, so that two commands at
/// once do not lose a check.
class CheckStateFile {
 public:
  /// Opens and locks the file. Creates an empty one if it does not exist.
  /// @throws ConfigError if the file is one of the inputs or cannot be created; IoError if it is
  /// still locked after wait_s seconds
  CheckStateFile(const std::filesystem::path& path, const FilterInput& filter,
                 std::optional<std::uint64_t> wait_s);

  /// @throws ConfigError naming the file if it is not a state, or is damaged
  [[nodiscard]] CheckHistory read() const;

  /// Throws ConfigError if --reset would overwrite a file that is not a state.
  void require_state() const;

  /// Replaces the file atomically. @throws IoError
  void write(const CheckHistory& history) const;

 private:
  [[nodiscard]] std::string text() const;

  FilterOutput output_;
};

}  // namespace bloometry
