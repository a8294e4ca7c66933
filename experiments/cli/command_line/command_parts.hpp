#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/command_line/command.hpp"
#include "experiments/cli/command_line/option_names.hpp"
#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/terminal/text_width.hpp"
#include "experiments/plan/grid_fields.hpp"
#include "experiments/text/quantity.hpp"
#include "variants/registry/registry.hpp"

/// Options and help texts that several commands share. Only main.cpp and the headers of its
/// commands include this file, because CLI11 needs seconds to compile.
namespace bloometry {

/// The function of a subcommand, which runs after the whole line has been parsed.
using Action = std::function<int()>;

/// Returns a command whose error messages name options instead of the library's fields.
inline Action in_terms_of(std::span<const OptionName> options, Action command) {
  return [options, command = std::move(command)] {
    try {
      return command();
    } catch (const ConfigError& error) {
      throw in_options(error, options);
    }
  };
}

/// Paths and flags of the commands with few options.
struct SmallOptions {
  std::filesystem::path path;
  bool json = false;
};

/// Returns the last part of the help text: the examples and notes.
inline std::string footer(std::initializer_list<const char*> examples,
                          const std::string& notes = "") {
  std::string text = "Examples:\n";
  for (const char* line : examples) text += fmt::format("  {}\n", line);
  return notes.empty() ? text : fmt::format("{}\n{}\n", text, notes);
}

/// Returns the items unchanged. Throws ConfigError if an item is not in `allowed`.
inline std::vector<std::string> items_of(const std::string& option,
                                         std::span<const std::string_view> allowed,
                                         const std::vector<std::string>& items) {
  for (const std::string& item : items) {
    if (std::find(allowed.begin(), allowed.end(), item) == allowed.end()) {
      throw ConfigError(fmt::format("{} must be {}, got '{}'", option, one_of_text(allowed), item));
    }
  }
  return items;
}

inline std::string parse_choice(const std::string& option,
                                std::span<const std::string_view> allowed,
                                const std::string& text) {
  return items_of(option, allowed, {text}).front();
}

/// Returns the names of the probe schemes of all variants, each of them once.
inline std::set<std::string_view> probe_names() {
  std::set<std::string_view> names;
  for (const VariantInfo& variant : all_variant_infos()) {
    for (const SchemeInfo& scheme : variant.schemes) {
      if (!scheme.name.empty()) names.insert(scheme.name);
    }
  }
  return names;
}

/// Returns the names of the parameters of all variants, each with a =.
inline std::set<std::string> param_names() {
  std::set<std::string> names;
  for (const VariantInfo& variant : all_variant_infos()) {
    for (const ParamInfo& param : variant.params) names.insert(std::string(param.name) + "=");
  }
  return names;
}

/// The defaults of the options that size a filter, as phrases for the end of the descriptions in
/// --help.
struct SizeDefaults {
  const char* num_keys;
  const char* rate;
  bool has_counters = true;  ///< false if no filter of the command has counters
};

inline constexpr const char* kHashesAllowed = "a whole number in [1, 64]";
inline constexpr const char* kRateAllowed = "a number in (0, 1) like 0.01";

inline void add_json(const Command& command, bool& json) {
  command->add_flag("--json", json, "print JSON instead of text");
}

/// Lets the tables and lines of the command fit the terminal, unless --wide is given.
inline void add_wide(const Command& command) {
  command->preparse_callback([](std::size_t) { set_columns(std::cout, output_columns()); });
  command->add_flag_callback(
      "--wide", [] { set_columns(std::cout, 0); },
      "print each row on one line (default: lines fit the terminal, or the variable COLUMNS; "
      "without both, for example in a pipe, lines have any length)");
}

inline void add_param(const Command& command, std::vector<std::string>& params) {
  command
      .offer(command->add_option(
                 "--param", params,
                 "parameter of the variant, e.g. block_bits=256; repeatable (default: the values "
                 "that `bloometry variants` lists)"),
             param_names())
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
}

inline void add_probes(const Command& command, std::string& probes) {
  command
      .offer(command->add_option(
                 "--probes", probes,
                 "probe scheme (default: the first scheme that `bloometry variants` lists)"),
             probe_names())
      ->type_name("NAME");
}

inline void add_bits_per_key(const Command& command, SizeRequest& request) {
  command.value(
      "--bits-per-key", "X", "memory in bits per key, e.g. 9.6; an alternative to -m",
      [&request](const std::string& text) {
        constexpr const char* kAllowed = "a number above 0 like 9.6";
        const double bits = parse_real("--bits-per-key", kAllowed, text);
        if (!(bits > 0)) {
          throw ConfigError(fmt::format("--bits-per-key must be {}, got '{}'", kAllowed, text));
        }
        request.bits_per_key = bits;
      });
}

inline void add_num_blocks(const Command& command, SizeRequest& request) {
  command.value("--num-blocks", "N", "number of blocks of a blocked filter; an alternative to -m",
                [&request](const std::string& text) {
                  request.num_blocks = parse_positive_count("--num-blocks", text);
                });
}

inline void add_size_options(const Command& command, SizeRequest& request,
                             const SizeDefaults& defaults) {
  command.count("-n", request.num_keys,
                fmt::format("number of inserted keys, e.g. 1e6 or 1.5M{}", defaults.num_keys));
  command.value(
      "-m", "SIZE",
      fmt::format("size of the filter: a number of bits like 1e7 or 64M, {}or bytes like 64MB "
                  "(10^6) or 64MiB (2^20) (default: computed from the other options)",
                  defaults.has_counters ? "a number of counters for a counting filter, " : ""),
      [&request](const std::string& text) {
        const WrittenSize size = parse_size("-m", text);
        if (size.is_bytes) {
          request.num_bits = 8 * size.number;
        } else {
          request.num_cells = size.number;
        }
      });
  command.value("-k", "N",
                "number of hashes, which is the number of probes per key, 1 to 64 (default: the "
                "number that gives the lowest rate or, with -p, the smallest filter)",
                [&request](const std::string& text) {
                  // The variant determines the valid numbers.
                  const std::uint64_t num_hashes = parse_whole("-k", kHashesAllowed, text);
                  if (num_hashes > std::numeric_limits<unsigned>::max()) {
                    throw ConfigError("-k must be in [1, 64], got " + text);
                  }
                  request.num_hashes = static_cast<unsigned>(num_hashes);
                });
  command.real("-p", request.rate, kRateAllowed,
               fmt::format("target false-positive rate, e.g. 0.01{}", defaults.rate));
}

/// Adds the options of `theory` except the variant's name and the size.
inline void add_theory_options(const Command& app, PointOptions& options) {
  add_num_blocks(app, options.request);
  app.offer(
         app->add_option("--probe-model", options.probe_model,
                         "how the probes of a key are drawn: W (with replacement), D (distinct) or "
                         "P (one in each of k slices) (default: the model of the first scheme that "
                         "`bloometry variants` lists)"),
         {"W", "D", "P"})
      ->type_name("NAME");
  add_param(app, options.params);
}

}  // namespace bloometry
