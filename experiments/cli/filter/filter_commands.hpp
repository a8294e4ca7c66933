#pragma once

#include <fmt/core.h>
#include <initializer_list>
#include <string>

#include "core/any_filter/variant_info.hpp"
#include "core/text.hpp"
#include "experiments/cli/command_line/command.hpp"
#include "experiments/cli/command_line/command_parts.hpp"
#include "experiments/cli/command_line/key_command_parts.hpp"
#include "experiments/cli/filter/filter_check.hpp"
#include "experiments/cli/filter/filter_command_parts.hpp"
#include "experiments/cli/filter/filter_options.hpp"
#include "variants/registry/registry.hpp"

/// The commands of `bloometry filter`. Only main.cpp includes this file, because CLI11 needs
/// seconds to compile.
namespace bloometry {

/// Options of all `filter` commands. Each command uses one member of the struct.
struct FilterOptions {
  FilterBuildOptions build{};
  FilterUpdateOptions add{};
  FilterUpdateOptions erase{};
  FilterChangeOptions grow{};
  FilterChangeOptions tick{};
  FilterQueryOptions query{};
  FilterShowOptions show{};
  FilterCombineOptions combine{};
  FilterFoldOptions fold{};
  FilterConvertOptions convert{};
  FilterDiffOptions diff{};
  FilterCheckOptions check{};
};

namespace filter_commands {

inline void add_build(const Command& filter, FilterBuildOptions& options, Action& action) {
  const Command app = filter.subcommand("build", "build a filter from keys");
  add_key_texts(app, options.keys);
  add_keys(app, options.keys);
  add_out(app, options.out);
  app.offer(app->add_option("--variant", options.point.variant,
                            "variant to build, see `bloometry variants` (default standard)"),
            variant_names())
      ->type_name("NAME");
  add_size_options(app, options.point.request,
                   {"; an estimate suffices (default: the keys are counted first)",
                    " (default 0.01, unless a size is given)"});
  add_bits_per_key(app, options.point.request);
  add_num_blocks(app, options.point.request);
  add_param(app, options.point.params);
  add_own_hash(app, options.point.request.probes, options.hash, options.seed);
  add_secret(app, options.secret);
  app.offer(app->add_option(
                "--to", options.to,
                fmt::format("format of the file to write: {} (all except bloometry determine the "
                            "variant and the hash) (default bloometry)",
                            joined(kFormats))),
            kFormats)
      ->type_name("NAME");
  app->add_flag("--foldable", options.is_foldable,
                "round the size up by at most 1/64, or by one cell or block, to one with many "
                "divisors for `filter fold`; "
                "the cost in bits is printed (default: the size is not rounded)");
  add_quiet(app, options.keys.is_quiet);
  app->footer(
      footer({"bloometry filter build urls.txt -p 0.001 --out urls.bloom",
              "bloometry filter build ids.gz -n 5e7 --variant blocked -o ids.bloom",
              "bloometry filter build h.txt --format hex --text-encoding utf-16le -o h.bloom",
              "bloometry filter build a.txt --key-encoding utf-16le --to guava -o a.guava",
              "bloometry filter build users.csv --format csv:email --to guava -o users.guava"},
             "At most one of -p, -m, --bits-per-key and --num-blocks is allowed, because each "
             "determines the size. If -n is not given, each occurrence of a repeated key is "
             "counted. KEYS compressed by gzip or zstd are decompressed, and a byte order mark is "
             "removed."));
  app->callback([&options, &action, app] {
    for (const char* name : {"--variant", "--bits-per-key", "--num-blocks", "--param", "--probes",
                             "--hash", "--seed", "--secret", "--foldable"}) {
      if (app->count(name) > 0) options.own_only.emplace_back(name);
    }
    action = in_terms_of_filter([&options] { return filter_build_command(options); });
  });
}

/// Adds the commands that change a filter file in place.
inline void add_wait(const Command& app, std::optional<std::uint64_t>& wait_s) {
  app.count_within("--wait", wait_s, 0, 1'000'000,
                   "most seconds to wait if another command has locked FILTER; 0 does not wait "
                   "(default: without limit)",
                   "seconds");
}

inline void add_update(const Command& filter, FilterUpdateOptions& add, FilterUpdateOptions& erase,
                       Action& action) {
  const auto command = [&](const char* name, const char* help, FilterUpdateOptions& options,
                           int (*run)(const FilterUpdateOptions&),
                           std::initializer_list<const char*> examples, const std::string& notes) {
    const Command app = filter.subcommand(name, help);
    add_filter_file(app, options.filter);
    add_key_texts(app, options.keys);
    add_keys(app, options.keys);
    add_quiet(app, options.keys.is_quiet);
    add_wait(app, options.wait_s);
    app->footer(
        footer(examples, notes + "\nFILTER is locked and replaced atomically, so that no change of "
                                 "two commands at the same time is lost. A symbolic link is "
                                 "followed. A command that waits for the lock says so after a "
                                 "second. After --wait seconds, the exit code is 3."));
    app->callback([&options, &action, run] {
      action = in_terms_of_filter([&options, run] { return run(options); });
    });
  };
  command("add", "insert keys into a filter file", add, filter_add_command,
          {"bloometry filter add urls.bloom new.txt",
           "bloometry filter add urls.bloom --key a.example"},
          "A warning is printed if the filter contains more keys than its capacity.");
  command(
      "erase", "erase keys from a filter file", erase, filter_erase_command,
      {"bloometry filter erase urls.bloom old.txt",
       "bloometry filter erase urls.bloom --key a.example"},
      fmt::format("These variants can erase: {}. Erase only keys that were inserted: a key that "
                  "is a false positive is erased, too, and another key may become absent. The "
                  "exit code is 1 if keys are absent; the other keys are erased.",
                  joined(variants_that_can(Operation::kErase))));
}

inline void add_grow(const Command& filter, FilterChangeOptions& options, Action& action) {
  const Command app =
      filter.subcommand("grow", "double the room of a filter file for keys, without the keys");
  add_filter_file(app, options.filter);
  add_wait(app, options.wait_s);
  add_quiet(app, options.is_quiet);
  app->footer(footer(
      {"bloometry filter grow urls.bloom"},
      fmt::format("These variants can be grown: {}. Every query has the same answer after the "
                  "command. The rate depends on the number of keys alone, so it is twice as high "
                  "when the number of keys has doubled.\nFILTER is locked and replaced "
                  "atomically. A symbolic link is followed.",
                  joined(growable_variants()))));
  app->callback([&options, &action] {
    action = in_terms_of_filter([&options] { return filter_grow_command(options); });
  });
}

inline void add_tick(const Command& filter, FilterChangeOptions& options, Action& action) {
  const Command app = filter.subcommand(
      "tick", "close the newest generation of a filter file and clear the oldest");
  add_filter_file(app, options.filter);
  add_wait(app, options.wait_s);
  add_quiet(app, options.is_quiet);
  app->footer(footer(
      {"bloometry filter tick requests.bloom"},
      fmt::format("These variants forget: {}. A key is found after as many ticks as `filter info` "
                  "prints as the window. The output states how many inserts the cleared "
                  "generation had.\nFILTER is locked and replaced atomically. A symbolic link is "
                  "followed.",
                  joined(variants_that_can(Operation::kTick)))));
  app->callback([&options, &action] {
    action = in_terms_of_filter([&options] { return filter_tick_command(options); });
  });
}

inline void add_query(const Command& filter, FilterQueryOptions& options, Action& action) {
  const Command app =
      filter.subcommand("query", "print those of the given keys that a filter accepts");
  add_filter_file(app, options.filter);
  add_key_texts(app, options.keys);
  add_keys(app, options.keys);
  add_answers(app, options.is_inverted, options.counts, options.keys.is_quiet);
  app->footer(footer(
      {"bloometry filter query urls.bloom requests.txt > maybe_known.txt",
       "bloometry filter query urls.bloom --key a.example -q && echo maybe known"},
      "Keys are printed unchanged, but text in UTF-16 or UTF-32 is printed in UTF-8, and "
      "compressed KEYS are printed decompressed. An empty standard input is accepted without "
      "--quiet. With --format csv:COLUMN, whole rows are printed; if COLUMN is a name, the first "
      "row is printed, too."));
  app->callback([&options, &action] {
    action = in_terms_of_filter([&options] { return filter_query_command(options); });
  });
}

inline void add_show(const Command& filter, FilterShowOptions& options, Action& action) {
  const Command info =
      filter.subcommand("info", "print parameters, fill and rates of a filter file");
  add_filter_file(info, options.filter);
  add_json(info, options.json);
  add_wide(info);
  info->footer(footer({"bloometry filter info urls.bloom"}));
  info->callback([&options, &action] {
    action = in_terms_of_filter([&options] { return filter_info_command(options); });
  });

  const Command verify =
      filter.subcommand("verify", "check the checksums, sizes and counts of a filter file");
  add_filter_file(verify, options.filter);
  add_json(verify, options.json);
  verify->footer(
      footer({"bloometry filter verify urls.bloom"}, "The exit code is 1 if the file is damaged."));
  verify->callback([&options, &action] {
    action = in_terms_of_filter([&options] { return filter_verify_command(options); });
  });
}

inline void add_check(const Command& filter, FilterCheckOptions& options, Action& action) {
  const Command app =
      filter.subcommand("check", "test whether a filter has the rate that its fill predicts");
  add_filter_file(app, options.filter);
  app.list("--counters",
           "answers of the filter since the last check, as negatives=N,positives=P,true=T: N "
           "answers were \"absent\", P were \"may be present\", and the keys of T of these P were "
           "present",
           [&options](const std::vector<std::string>& items) {
             options.counters = parse_counters(items);
           })
      ->required();
  app.count_within("--max-repeats", options.max_repeats, 1, 1ULL << 53U,
                   "most queries of one key in this check; the keys may occur in other checks, too "
                   "(default: the key of each query is new)");
  app.value("--false-alarm", "P",
            "probability of a false alarm in all checks together (default: that of --state, or "
            "1e-6)",
            [&options](const std::string& text) {
              options.false_alarm = parse_false_alarm("--false-alarm", text);
            });
  app->add_option("--state", options.state,
                  "file that keeps the evidence from one check to the next; it is created if it "
                  "does not exist (default: this check alone)")
      ->type_name("FILE");
  app->add_flag("--reset", options.is_reset, "discard the evidence in --state and a raised alarm");
  app.count_within("--wait", options.wait_s, 0, 1'000'000,
                   "most seconds to wait if another command has locked the file of --state; 0 does "
                   "not wait (default: without limit)",
                   "seconds");
  CLI::Option* json = app->add_flag("--json", options.json, "print JSON instead of text");
  app->add_flag("--prometheus", options.prometheus,
                "print gauges in the text format of Prometheus instead of text")
      ->excludes(json);
  add_wide(app);
  app->footer(footer(
      {"bloometry filter check a.bf --counters negatives=9851,positives=149,true=50",
       "bloometry filter check a.bf --counters negatives=99,positives=1,true=0 --json"},
      "The rate is (P-T)/(N+P-T), because only queries of absent keys can be false positives. "
      "RocksDB has tickers for the three numbers: N is BLOOM_FILTER_USEFUL, P is "
      "BLOOM_FILTER_FULL_POSITIVE and T is BLOOM_FILTER_FULL_TRUE_POSITIVE. In HBase, N is "
      "bloomFilterNegativeResultsCount, and P is bloomFilterRequestsCount minus N. In Cassandra, "
      "P-T is BloomFilterFalsePositives. FILTER must have the keys that the filter had at the end "
      "of the counting.\n"
      "Each key must be counted once, in one check; otherwise give --max-repeats. If keys are "
      "erased or forgotten, check before the fill decreases.\n"
      "The verdict is sound, overfull (more keys than the capacity), hash suspect (more false "
      "positives than the fill explains, or wrong counters) or undecided. The exit code is 1 for "
      "overfull and hash suspect. Hash suspect stays in --state until --reset."));
  app->callback([&options, &action] {
    action = in_terms_of_filter([&options] { return filter_check_command(options); });
  });
}

inline void add_combine(const Command& filter, FilterCombineOptions& options, Action& action) {
  const auto add = [&](const char* name, const char* help, const char* example,
                       int (*run)(const FilterCombineOptions&)) {
    const Command app = filter.subcommand(name, help);
    app->add_option("FILTER", options.paths,
                    "two or more filter files in one format, with equal parameters, hash and seed")
        ->required()
        ->expected(2, 1'000'000);
    add_out(app, options.out);
    add_input(app, options.filter, "the files");
    app->footer(footer(
        {example},
        "Files of other programs are combined bit by bit. The counts of keys in the headers of "
        "dcso and redisbloom become estimates. Filters of redisbloom must have a single stage. A "
        "warning is printed if the keys of a merged filter exceed its capacity, and if the format "
        "cannot state that the filter is an intersection."));
    app->callback([&options, &action, run] {
      action = in_terms_of_filter([&options, run] { return run(options); });
    });
  };
  add("merge", "write a filter of the keys in any of the files",
      "bloometry filter merge monday.bloom tuesday.bloom -o days.bloom", filter_merge_command);
  add("intersect", "write a filter of the keys in all of the files",
      "bloometry filter intersect monday.bloom tuesday.bloom -o days.bloom",
      filter_intersect_command);
}

inline void add_fold(const Command& filter, FilterFoldOptions& options, Action& action) {
  const Command app =
      filter.subcommand("fold", "write a smaller filter that contains the same keys");
  add_filter_file_without_bitmaps(app, options.filter, kFoldableFormats);
  add_out(app, options.out);
  CLI::Option* divisor =
      app.value("--divisor", "N",
                "divisor of the number of cells or blocks; the new filter is smaller by this "
                "factor (default: selected by -p)",
                [&options](const std::string& text) {
                  options.divisor = parse_positive_count("--divisor", text);
                });
  app.real("-p,--to-rate", options.rate, kRateAllowed,
           "maximum false-positive rate; the smallest filter with at most this rate is written "
           "(default: the size is selected by --divisor)")
      ->excludes(divisor);
  app->footer(
      footer({"bloometry filter fold urls.bloom -p 0.01 -o small.bloom",
              "bloometry filter fold dump --from redisbloom -p 0.01 -o small.dump"},
             fmt::format("Exactly one of --divisor and -p is required. These filters can be "
                         "folded: {}, redisbloom and parquet_sbbf. `filter build --foldable` "
                         "chooses a size with many divisors.\nThe exit code is 1 if every smaller "
                         "filter has a rate above -p.",
                         joined(variants_that_can(Operation::kFold)))));
  app->callback([&options, &action] {
    action = in_terms_of_filter([&options] { return filter_fold_command(options); });
  });
}

inline void add_convert(const Command& filter, FilterConvertOptions& options, Action& action) {
  const Command app =
      filter.subcommand("convert", "write the cells of a filter file in another format");
  add_filter_file_without_bitmaps(app, options.filter, kConvertibleFormats);
  app.offer(app->add_option(
                "--to", options.to,
                "format to write: bloometry, go_bits_and_blooms, go_bits_and_blooms_json, jedis, "
                "parquet_sbbf"),
            std::to_array<std::string_view>({"bloometry", "go_bits_and_blooms",
                                             "go_bits_and_blooms_json", "jedis", "parquet_sbbf"}))
      ->required()
      ->type_name("NAME");
  add_out(app, options.out);
  app->footer(
      footer({"bloometry filter convert column.bloom --to parquet_sbbf -o column.sbbf"},
             "The cells do not change, so both formats must use the same hash and the same "
             "positions. These conversions are possible: bloometry (variant split_block, hash "
             "xxh64) to parquet_sbbf and back, go_bits_and_blooms to go_bits_and_blooms_json and "
             "back, and guava to jedis. For other formats, build a filter from the keys."));
  app->callback([&options, &action] {
    action = in_terms_of_filter([&options] { return filter_convert_command(options); });
  });
}

inline void add_diff(const Command& filter, FilterDiffOptions& options, Action& action) {
  const Command app = filter.subcommand("diff", "print the differences between two filter files");
  app->add_option("A", options.a, "first filter file")->required();
  app->add_option("B", options.b, "second filter file")->required();
  add_input(app, options.filter, "A and B");
  add_json(app, options.json);
  add_wide(app);
  app->footer(footer({"bloometry filter diff yesterday.bloom today.bloom"},
                     "The exit code is 1 if the filters differ."));
  app->callback([&options, &action] {
    action = in_terms_of_filter([&options] { return filter_diff_command(options); });
  });
}

}  // namespace filter_commands

inline void add_filter(const Command& program, FilterOptions& options, Action& action) {
  using namespace filter_commands;
  const Command filter =
      program.subcommand("filter", "build, query, inspect and change filter files");
  filter->require_subcommand(1);
  filter->footer(footer({"bloometry filter build urls.txt -p 0.001 --out urls.bloom",
                         "bloometry filter query urls.bloom requests.txt"}));
  add_build(filter, options.build, action);
  add_query(filter, options.query, action);
  add_update(filter, options.add, options.erase, action);
  add_grow(filter, options.grow, action);
  add_tick(filter, options.tick, action);
  add_show(filter, options.show, action);
  add_check(filter, options.check, action);
  add_combine(filter, options.combine, action);
  add_fold(filter, options.fold, action);
  add_convert(filter, options.convert, action);
  add_diff(filter, options.diff, action);
}

}  // namespace bloometry
