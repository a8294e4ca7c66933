#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/keys/key_format.hpp"
#include "experiments/keys/key_input_options.hpp"

namespace bloometry {

/// The input keys, as parsed from the command line.
struct KeyOptions {
  std::vector<std::filesystem::path> files;  ///< empty: standard input, unless there are texts
  std::vector<std::string> texts{};          ///< keys on the command line
  bool has_key_option = false;               ///< whether the command has the option --key
  KeyFormat format{};
  TextEncoding text_encoding = TextEncoding::kAuto;
  bool has_utf16_keys = false;  ///< whether the keys of text are converted to UTF-16
  bool allows_empty = false;
  unsigned num_threads = 0;  ///< 0: one thread per core, at most 4
  bool is_quiet = false;
};

/// Returns the files that are read: those of the options, or `-` for standard input.
[[nodiscard]] std::vector<std::filesystem::path> key_files(const KeyOptions& options);

/// Returns the format of the keys, including the encoding of their bytes.
/// @throws ConfigError if the format cannot have UTF-16 keys, a text encoding, or keys on the
/// command line; or if there are both files and keys on the command line.
[[nodiscard]] KeyFormat key_format_of(const KeyOptions& options);

/// Returns the options for reading the keys.
/// @param may_be_empty sources that may be empty without --allow-empty
/// @param prints_notes whether notes about the input are printed on standard error
[[nodiscard]] KeyInputOptions key_input_options(const KeyOptions& options,
                                                EmptySources may_be_empty, bool prints_notes);

}  // namespace bloometry
