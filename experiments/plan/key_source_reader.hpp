#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/plan/config_field.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The folder of a config's key files, and whether the reader may open them. A run folder can be
/// read without the key files from which it was made.
struct KeyFileAccess {
  std::filesystem::path base{};  ///< folder to which relative paths refer
  bool is_allowed = true;
};

/// Returns the names of the key sources that need neither a file nor a parameter.
[[nodiscard]] std::vector<std::string> synthetic_key_names();

/// Reads the field `keys` of a config: one key source or a list of key sources. The default source
/// is random. The function also reads each key file, for its hash and its number of lines. The
/// result omits duplicates.
[[nodiscard]] std::vector<KeySource> read_keys(const ConfigField& root, const KeyFileAccess& files);

}  // namespace bloometry
