#pragma once

#include <functional>
#include <string>

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
};

}  // namespace bloometry
