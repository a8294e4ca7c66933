#include "experiments/cli/command_line/key_options.hpp"

#include <fmt/core.h>

#include "core/error.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/text/printable.hpp"

namespace bloometry {

namespace {

constexpr const char* kKeyOption = "--key";

/// Checks the keys on the command line.
void require_texts(const KeyOptions& options) {
  if (options.texts.empty()) return;
  if (!options.files.empty()) {
    throw ConfigError(fmt::format("{} must be left out with the key file {}", kKeyOption,
                                  options.files.front().string()));
  }
  if (options.format.is_binary()) {
    throw ConfigError(fmt::format("{} must be left out with --format {}", kKeyOption,
                                  name_of(options.format.kind)));
  }
  for (const std::string& text : options.texts) {
    if (text.find('\n') == std::string::npos && !text.ends_with('\r')) continue;
    throw ConfigError(fmt::format("{} must be a key without line ends, got '{}'", kKeyOption,
                                  printable(text, kMaxShownValue)));
  }
}

}  // namespace

std::vector<std::filesystem::path> key_files(const KeyOptions& options) {
  if (options.files.empty() && options.texts.empty()) return {"-"};
  return options.files;
}

KeyFormat key_format_of(const KeyOptions& options) {
  require_texts(options);
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
  // A key on the command line is a field, and not a row.
  const bool is_field = format.kind == KeyFormat::Kind::kCsv && !options.texts.empty();
  if (is_field) format.kind = KeyFormat::Kind::kLines;
  return format;
}

KeyInputOptions key_input_options(const KeyOptions& options, EmptySources may_be_empty,
                                  bool prints_notes) {
  KeyInputOptions how{.encoding = options.text_encoding,
                      .may_be_empty = options.allows_empty ? EmptySources::kAny : may_be_empty,
                      .records = options.texts,
                      .record_option = options.has_key_option ? kKeyOption : ""};
  if (prints_notes) how.on_note = [](const std::string& note) { print_message(note); };
  return how;
}

}  // namespace bloometry
