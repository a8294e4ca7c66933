#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/plan/config_field.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Where the files named by a config are, and whether they are opened: a run folder is read back
/// without the key files that it was made from.
struct KeyFileAccess {
  std::filesystem::path base{};  ///< relative paths start here
  bool is_allowed = true;
};

/// Returns the names of the key sources that need no file and no parameter.
[[nodiscard]] std::vector<std::string> synthetic_key_names();

/// Reads `keys` of a config: one source or a list; left out it is random. Files are read for the
/// hash of their content and their numbers of lines. Duplicates are dropped.
[[nodiscard]] std::vector<KeySource> read_keys(const ConfigField& root, const KeyFileAccess& files);

}  // namespace bloometry
