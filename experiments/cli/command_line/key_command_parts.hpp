#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "experiments/cli/command_line/command.hpp"
#include "experiments/cli/command_line/command_parts.hpp"
#include "experiments/cli/command_line/key_options.hpp"
#include "experiments/cli/command_line/option_names.hpp"

/// The options of the commands that read keys. Only the headers of these commands include this
/// file, because CLI11 needs seconds to compile.
namespace bloometry::filter_commands {

inline constexpr auto kKeyEncodings = std::to_array<std::string_view>({"utf-8", "utf-16le"});

/// Adds the options for reading keys.
inline void add_key_files(const Command& app, KeyOptions& keys) {
  app->add_option("KEYS", keys.files, "files of keys; - is standard input (default -)");
  const auto add = [&](const char* name, const char* help, auto read) {
    return app.value(name, "NAME", help, [read](const std::string& text) {
      try {
        read(text);
      } catch (const ConfigError& error) {
        throw in_options(error, filter_options());
      }
    });
  };
  app.offer(add("--format",
                "format of the keys: lines; hex or base64 (one key per line); u32le, u32be, u64le "
                "or u64be "
                "(integers of 4 or 8 bytes); or csv:COLUMN (a name in the first row, or a column "
                "number from "
                "1) (default lines)",
                [&keys](const std::string& text) { keys.format = parse_key_format(text); }),
            {"lines", "hex", "base64", "u32le", "u32be", "u64le", "u64be", "csv:"});
  app.offer(
      add("--text-encoding",
          "encoding of text: utf-8, utf-16le, utf-16be, utf-32le, utf-32be, or bytes (the "
          "decompressed "
          "input is used without changes); text is converted to utf-8 (default auto: from the "
          "first "
          "bytes)",
          [&keys](const std::string& text) { keys.text_encoding = parse_text_encoding(text); }),
      {"utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "bytes", "auto"});
  app.offer(
      add("--key-encoding",
          "bytes of a key of text: utf-8, or utf-16le (the keys of Guava's unencodedCharsFunnel) "
          "(default utf-8)",
          [&keys](const std::string& text) {
            keys.has_utf16_keys = parse_choice("--key-encoding", kKeyEncodings, text) == "utf-16le";
          }),
      kKeyEncodings);
  app->add_flag("--allow-empty", keys.allows_empty,
                "accept KEYS that do not contain a key (default: an error)");
}

/// Adds the option for keys on the command line. The commands `redis` have another option --key.
inline void add_key_texts(const Command& app, KeyOptions& keys) {
  keys.has_key_option = true;
  app->add_option(
         "--key", keys.texts,
         "a key itself, in place of KEYS; repeatable (default: the keys are read from KEYS)")
      ->allow_extra_args(false)
      ->type_name("TEXT");
}

/// Adds the options for reading keys with several threads.
inline void add_keys(const Command& app, KeyOptions& keys) {
  add_key_files(app, keys);
  app.count_within("--threads", keys.num_threads, 1, 1024,
                   "number of threads, 1 to 1024 (default: one per core, at most 4)");
}

}  // namespace bloometry::filter_commands
