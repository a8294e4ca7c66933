#pragma once

#include <string>
#include <utility>

#include "experiments/cli/command.hpp"
#include "experiments/cli/command_parts.hpp"
#include "experiments/cli/filter_options.hpp"
#include "experiments/cli/option_names.hpp"

/// The commands of `bloometry filter`. Only main.cpp includes this file, because CLI11 needs
/// seconds to compile.
namespace bloometry {

/// Options of all `filter` commands. Each command uses one member of the struct.
struct FilterOptions {
  FilterBuildOptions build{};
  FilterQueryOptions query{};
  FilterShowOptions show{};
  FilterCombineOptions combine{};
  FilterFoldOptions fold{};
  FilterConvertOptions convert{};
  FilterDiffOptions diff{};
};

namespace filter_commands {

inline constexpr const char* kFormats =
    "bloometry (default), guava, go_bits_and_blooms, go_bits_and_blooms_json, redisbloom, jedis, "
    "pyrebloom, php3, go_seeded, parquet_sbbf, dcso";

inline Action in_terms_of_filter(Action command) {
  return in_terms_of(point_options(), in_terms_of(filter_options(), std::move(command)));
}

inline void add_out(const Command& app, std::filesystem::path& out) {
  app->add_option("-o,--out", out, "file to write; an existing file is replaced atomically")
      ->required()
      ->type_name("FILE");
}

inline void add_secret(const Command& app, std::optional<std::filesystem::path>& secret) {
  app->add_option("--secret", secret,
                  "file with the secret of siphash_2_4 or siphash_2_4_128: 32 hexadecimal digits")
      ->type_name("FILE");
}

/// Adds the options for reading a filter file.
inline void add_input(const Command& app, FilterInput& input) {
  app->add_option("--from", input.from, std::string("format of the file: ") + kFormats)
      ->type_name("FORMAT");
  app.value("-m", "NUMBER",
            "number of bits of a bitmap of jedis, pyrebloom, php3 or go_seeded, whose files do not "
            "contain this number",
            [&input](const std::string& text) { input.num_bits = parse_bits("-m", text); });
  app.value("-k", "NUMBER", "hashes per key of a format whose files do not contain this number",
            [&input](const std::string& text) {
              input.num_hashes = static_cast<unsigned>(
                  std::min<std::uint64_t>(parse_whole("-k", kHashesAllowed, text), 1U << 20U));
            });
  add_secret(app, input.secret);
}

inline void add_filter_file(const Command& app, FilterInput& input) {
  app->add_option("FILTER", input.path, "filter file")->required();
  add_input(app, input);
}

/// Adds the options for reading keys.
inline void add_key_files(const Command& app, KeyOptions& keys) {
  app->add_option("KEYS", keys.files, "files of keys (default: standard input, also as -)");
  app.value(
      "--format", "NAME",
      "format of the keys: lines (default), u64le or u64be (integers of 8 bytes), csv:COLUMN (a "
      "name in the first row, or a number from 1)",
      [&keys](const std::string& text) { keys.format = parse_key_format(text); });
}

/// Adds the options for reading keys with several threads.
inline void add_keys(const Command& app, KeyOptions& keys) {
  add_key_files(app, keys);
  app->add_option("--threads", keys.num_threads,
                  "number of threads (default: one per core, at most 4)")
      ->check(CLI::Range(1U, 1024U));
}

inline void add_build(const Command& filter, FilterBuildOptions& options, Action& action) {
  const Command app = filter.subcommand("build", "build a filter from keys");
  add_keys(app, options.keys);
  add_out(app, options.out);
  app->add_option("--variant", options.point.variant,
                  "variant to build, see `bloometry variants` (default standard)")
      ->type_name("NAME");
  add_size_options(app, options.point);
  app.real("--bits-per-key", options.point.bits_per_key, "a number above 0 like 9.6",
           "memory in bits per key; replaces -m");
  app.count("--num-blocks", options.point.num_blocks,
            "number of blocks of a blocked filter; replaces -m");
  app->add_option("--param", options.point.params,
                  "parameter of the variant, name=value; repeatable")
      ->allow_extra_args(false);
  app->add_option("--probes", options.probes, "probe scheme (default: the variant's)")
      ->type_name("NAME");
  app->add_option("--hash", options.hash, "hash of the keys (default xxh3)")->type_name("NAME");
  app.count("--seed", options.seed, "seed of the hash (default 0)");
  add_secret(app, options.secret);
  app->add_option(
         "--to", options.to,
         std::string("format of the file, which also determines the hash and the indices: ") +
             kFormats)
      ->type_name("FORMAT");
  app->add_flag("--quiet", options.keys.is_quiet, "print only errors");
  app->footer(
      example(
          "bloometry filter build urls.txt -p 0.001 --out urls.bloom\n"
          "  zcat ids.gz | bloometry filter build -n 5e7 -p 0.01 --variant blocked -o ids.bloom\n"
          "  bloometry filter build users.csv --format csv:email --to guava -o users.guava") +
      "Without -n, the keys are counted first, including repeated ones. Without a size, -p is "
      "0.01.\n");
  app->callback([&options, &action, app] {
    for (const char* name : {"--variant", "--bits-per-key", "--num-blocks", "--param", "--probes",
                             "--hash", "--seed", "--secret"}) {
      if (app->count(name) > 0) options.own_only.emplace_back(name);
    }
    action = in_terms_of_filter([&options] { return filter_build_command(options); });
  });
}

inline void add_query(const Command& filter, FilterQueryOptions& options, Action& action) {
  const Command app = filter.subcommand("query", "print the keys that a filter contains");
  add_filter_file(app, options.filter);
  add_keys(app, options.keys);
  app->add_flag("--invert", options.is_inverted,
                "print the keys that the filter does not contain; this answer is never wrong");
  CLI::Option* count =
      app->add_flag("--count", options.counts, "print only the number of these keys");
  app->add_flag("--quiet", options.keys.is_quiet,
                "omit the output; exit code 1 if some key would not have been printed")
      ->excludes(count);
  app->footer(
      example("bloometry filter query urls.bloom requests.txt > maybe_known.txt\n"
              "  echo http://a.example | bloometry filter query urls.bloom --quiet && echo known") +
      "Keys are printed unchanged. For csv, the whole row is printed, after the row of names.\n");
  app->callback([&options, &action] {
    action = in_terms_of_filter([&options] { return filter_query_command(options); });
  });
}

inline void add_show(const Command& filter, FilterShowOptions& options, Action& action) {
  const Command info = filter.subcommand("info",
                                         "print the contents of a filter file, its fill, its rates "
                                         "and the number of keys that still fit");
  add_filter_file(info, options.filter);
  info->add_flag("--json", options.json, "print one JSON object");
  info->footer(example("bloometry filter info urls.bloom"));
  info->callback([&options, &action] {
    action = in_terms_of_filter([&options] { return filter_info_command(options); });
  });

  const Command verify = filter.subcommand(
      "verify", "check checksums, sizes and counts of a file; exit 1 if one is wrong");
  add_filter_file(verify, options.filter);
  verify->add_flag("--json", options.json, "print one JSON object");
  verify->footer(example("bloometry filter verify urls.bloom"));
  verify->callback([&options, &action] {
    action = in_terms_of_filter([&options] { return filter_verify_command(options); });
  });
}

inline void add_combine(const Command& filter, FilterCombineOptions& options, Action& action) {
  const auto add = [&](const char* name, const char* help,
                       int (*run)(const FilterCombineOptions&)) {
    const Command app = filter.subcommand(name, help);
    app->add_option("FILTERS", options.paths, "two or more files of equal size, hash and seed")
        ->required()
        ->expected(2, 1'000'000);
    add_out(app, options.out);
    add_secret(app, options.filter.secret);
    app->footer(example(std::string("bloometry filter ") + name +
                        " monday.bloom tuesday.bloom -o days.bloom"));
    app->callback([&options, &action, run] {
      action = in_terms_of_filter([&options, run] { return run(options); });
    });
  };
  add("merge", "write a filter that contains the keys of all files", filter_merge_command);
  add("intersect", "write a filter of the keys that all files contain", filter_intersect_command);
}

inline void add_fold(const Command& filter, FilterFoldOptions& options, Action& action) {
  const Command app =
      filter.subcommand("fold", "write a smaller filter that contains the same keys");
  add_filter_file(app, options.filter);
  add_out(app, options.out);
  CLI::Option* divisor =
      app.value("--divisor", "NUMBER", "number by which the number of cells is divided",
                [&options](const std::string& text) {
                  options.divisor = parse_positive_count("--divisor", text);
                });
  app.real("--to-rate", options.rate, kRateAllowed,
           "maximum false-positive rate; the smallest size with at most this rate is written")
      ->excludes(divisor);
  app->footer(
      example("bloometry filter fold urls.bloom --to-rate 0.01 -o small.bloom\n"
              "  bloometry filter fold dump --from redisbloom --to-rate 0.01 -o small.dump") +
      "These filters can be folded: standard, partitioned, blocked, split_block, lanes, redisbloom "
      "and parquet_sbbf. Exit code 1: the rate of every smaller size is too high.\n");
  app->callback([&options, &action] {
    action = in_terms_of_filter([&options] { return filter_fold_command(options); });
  });
}

inline void add_convert(const Command& filter, FilterConvertOptions& options, Action& action) {
  const Command app =
      filter.subcommand("convert", "write the cells of a filter file in another format");
  add_filter_file(app, options.filter);
  app->add_option("--to", options.to, std::string("format: ") + kFormats)
      ->required()
      ->type_name("FORMAT");
  add_out(app, options.out);
  app->footer(example("bloometry filter convert column.bloom --to parquet_sbbf -o column.sbbf") +
              "The cells do not change, so both formats must compute the same indices from the "
              "same hash.\nThese formats can be converted: split_block with hash xxh64 and "
              "parquet_sbbf, the two forms of\ngo_bits_and_blooms, and guava to jedis. For other "
              "formats, build a filter from the keys.\n");
  app->callback([&options, &action] {
    action = in_terms_of_filter([&options] { return filter_convert_command(options); });
  });
}

inline void add_diff(const Command& filter, FilterDiffOptions& options, Action& action) {
  const Command app =
      filter.subcommand("diff", "print the differences of two filters; exit 1 if they differ");
  app->add_option("A", options.a, "filter file")->required();
  app->add_option("B", options.b, "filter file")->required();
  add_input(app, options.filter);
  app->add_flag("--json", options.json, "print one JSON object");
  app->footer(example("bloometry filter diff yesterday.bloom today.bloom"));
  app->callback([&options, &action] {
    action = in_terms_of_filter([&options] { return filter_diff_command(options); });
  });
}

}  // namespace filter_commands

inline void add_filter(const Command& program, FilterOptions& options, Action& action) {
  using namespace filter_commands;
  const Command filter =
      program.subcommand("filter", "filter files: build, query, inspect, merge, shrink, convert");
  filter->require_subcommand(1);
  filter->footer(
      example("bloometry filter build urls.txt -p 0.001 --out urls.bloom\n"
              "  bloometry filter query urls.bloom requests.txt"));
  add_build(filter, options.build, action);
  add_query(filter, options.query, action);
  add_show(filter, options.show, action);
  add_combine(filter, options.combine, action);
  add_fold(filter, options.fold, action);
  add_convert(filter, options.convert, action);
  add_diff(filter, options.diff, action);
}

}  // namespace bloometry
