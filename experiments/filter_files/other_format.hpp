#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bloometry {

/// A file format that users may confuse with a filter file. bloometry does not read it as a filter.
struct OtherFormat {
  std::string name;    ///< with an article, such as `a pickle of Python`
  std::string advice;  ///< how to get a filter from the file
  /// The format of --from that reads the result of the advice, or an empty text.
  std::string_view next_format{};
  bool is_certain = true;  ///< whether a half-full bitmap has such bytes with p < 1e-9
};

/// Returns the format of the file if its bytes show it.
/// @param bytes the whole file. If only the beginning of the file is given, formats that are
/// recognised by their end are not found.
[[nodiscard]] std::optional<OtherFormat> other_format_of(std::string_view bytes);

/// Returns the kind of text in a text file: a config of a sweep, JSON, or other text.
[[nodiscard]] std::optional<OtherFormat> text_format_of(std::string_view bytes);

}  // namespace bloometry
