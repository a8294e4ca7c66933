#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/plan/config_field.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The location of a config's files, and whether they are opened. A run folder can be read without
/// the key files from which it was made.
struct KeyFileAccess {
  std::filesystem::path base{};  ///< base of relative paths
  bool is_allowed = true;
};

/// Returns the names of the key sources that do not need a file or a parameter.
[[nodiscard]] std::vector<std::string> synthetic_key_names();

/// Reads `keys` of a config: one source or a list; the default is random. Files are read for the
/// hash of their content and their number of lines. Duplicates are dropped.
[[nodiscard]] std::vector<KeySource> read_keys(const ConfigField& root, const KeyFileAccess& files);

}  // namespace bloometry
