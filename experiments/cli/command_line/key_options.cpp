#include "experiments/cli/command_line/key_options.hpp"

#include <fmt/core.h>

#include "core/error.hpp"
#include "experiments/cli/terminal/message.hpp"

namespace bloometry {

KeyFormat key_format_of(const KeyOptions& options) {
  KeyFormat format = options.format;
  const bool is_text =
      format.kind == KeyFormat::Kind::kLines || format.kind == KeyFormat::Kind::kCsv;
  const auto require = [&](bool holds, const char* allowed) {
    if (holds) return;
    throw ConfigError("format", fmt::format("must be {}, got {}", allowed, name_of(format.kind)));
  };
  require(is_text || !options.has_utf16_keys, "lines or csv:COLUMN with --key-encoding utf-16le");
  require(!format.is_binary() || options.text_encoding == TextEncoding::kAuto,
          "a format of text with --text-encoding");
  format.has_utf16_keys = options.has_utf16_keys;
  return format;
}

KeyInputOptions key_input_options(const KeyOptions& options, EmptySources may_be_empty,
                                  bool prints_notes) {
  KeyInputOptions how{.encoding = options.text_encoding,
                      .may_be_empty = options.allows_empty ? EmptySources::kAny : may_be_empty};
  if (prints_notes) how.on_note = [](const std::string& note) { print_message(note); };
  return how;
}

}  // namespace bloometry
