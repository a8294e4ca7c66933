#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/plan/config_field.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The folder of a config's key files, and whether they are opened. A run folder can be read
/// without the key files from which it was made.
struct KeyFileAccess {
  std::filesystem::path base{};  ///< folder to which relative paths refer
  bool is_allowed = true;
};

/// Returns the names of the key sources that need neither a file nor a parameter.
[[nodiscard]] std::vector<std::string> synthetic_key_names();

/// Reads `keys` of a config: one source or a list. The default is random. Files are read for their
/// hash and their number of lines. Duplicates are dropped.
[[nodiscard]] std::vector<KeySource> read_keys(const ConfigField& root, const KeyFileAccess& files);

}  // namespace bloometry
