#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/keys/text_encoding.hpp"

namespace bloometry {

/// The sources of keys that may be empty.
enum class EmptySources {
  kAny,
  kStandardInput,
  kNone,
};

/// Options for reading keys.
struct KeyInputOptions {
  TextEncoding encoding = TextEncoding::kAuto;  ///< ignored for integers
  EmptySources may_be_empty = EmptySources::kAny;
  /// Function that is called with a note about a source, such as `keys.txt: removed the byte order
  /// mark of utf-8`. Any thread that reads may call the function, at most twice per source.
  std::function<void(const std::string&)> on_note{};
  /// Records, without line ends, that are read after the files. With records and without files,
  /// standard input is not read.
  std::vector<std::string> records{};
  /// Option that gives a record on the command line, for the error about a file that does not exist
  std::string record_option{};
};

}  // namespace bloometry
