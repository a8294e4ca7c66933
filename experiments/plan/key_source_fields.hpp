#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/plan/config_value.hpp"
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

/// A key source: the name of a synthetic source, or an object with a Zipf exponent or a file. The
/// reader also reads each key file, for its hash and its number of lines.
[[nodiscard]] ConfigValue<KeySource> key_source_value(const KeyFileAccess& files);

/// One key source or a list of key sources. The reader omits duplicates.
[[nodiscard]] ConfigValue<std::vector<KeySource>> key_sources_value(const KeyFileAccess& files);

}  // namespace bloometry
