#pragma once

#include <array>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <utility>

#include "experiments/cli/command_line/hidden_passwords.hpp"
#include "experiments/cli/command_line/key_command_parts.hpp"
#include "experiments/cli/filter/filter_command_parts.hpp"
#include "experiments/cli/redis/redis_options.hpp"
#include "experiments/text/duration_notation.hpp"
#include "variants/redis/native_positions.hpp"

/// The commands of `bloometry redis`. Only main.cpp includes this file, because CLI11 needs seconds
/// to compile.
namespace bloometry {

/// Options of all `redis` commands. Each command uses one member of the struct.
struct RedisOptions {
  redis_cli::LoadOptions load{};
  redis_cli::PullOptions pull{};
  redis_cli::QueryOptions query{};
  redis_cli::AddOptions add{};
  redis_cli::CreateOptions create{};
  redis_cli::InfoOptions info{};
  redis_cli::DropOptions drop{};
};

namespace redis_commands {

inline constexpr std::uint64_t kMaxTtl = 10'000'000'000;  // seconds
inline constexpr std::uint64_t kMaxTimeout = 3'600'000;   // milliseconds
inline constexpr std::uint64_t kMaxRetries = 1000;
inline constexpr std::uint64_t kMaxBatch = 100'000;  // keys

inline constexpr auto kLoadableFormats = std::to_array<std::string_view>(
    {"bloometry", "redisbloom", "jedis", "pyrebloom", "php3", "go_seeded"});

inline Action in_terms_of_redis(Action command) {
  return in_terms_of(point_options(), in_terms_of(redis_options(), std::move(command)));
}

inline void add_server(const Command& app, redis_cli::ServerOptions& server,
                       const HiddenPasswords& passwords) {
  app.value(
      "--url", "URL",
      "server: redis://[[user]:password@]host[:port][/database] or unix:/path[?db=N] (default: "
      "the environment variable BLOOMETRY_REDIS_URL; if it is not set, redis://127.0.0.1:6379)",
      [&server, &passwords](const std::string& text) { server.url = passwords.original(text); });
  app->add_option("--user", server.user, "user name on the server (default: the user in the URL)")
      ->type_name("NAME");
  app->add_option("--password-file", server.password_file,
                  "file with the password; other users of the machine can briefly see a "
                  "password in --url (default: the environment variable BLOOMETRY_REDIS_PASSWORD, "
                  "or the password in the URL)")
      ->type_name("FILE");
  app.count_within("--timeout", server.timeout_ms, 1, kMaxTimeout,
                   "maximum time in milliseconds for connecting, and for each batch of commands, "
                   "1 to 3600000 (default: 2000 for connecting, 5000 per batch)",
                   "milliseconds");
  app.count_within("--retries", server.num_retries, 0, kMaxRetries,
                   "further attempts after a failure, 0 to 1000 (default 4, or 34 for a cluster)");
}

inline void add_target(const Command& app, redis_cli::TargetOptions& target,
                       const HiddenPasswords& passwords) {
  app.value("--key", "NAME", "name of the filter in Redis",
            [&target](const std::string& text) {
              if (text.empty()) throw ConfigError("--key must not be empty");
              target.key = text;
            })
      ->required();
  add_server(app, target.server, passwords);
}

inline void add_scheme(const Command& app, redis_cli::TargetOptions& target) {
  app.offer(
         app->add_option("--scheme", target.scheme,
                         "scheme of a bitmap that another program wrote: jedis, pyrebloom, php3 or "
                         "go_seeded (default: the Redis key contains a filter of bloometry)"),
         std::to_array<std::string_view>({"jedis", "pyrebloom", "php3", "go_seeded"}))
      ->type_name("NAME");
}

/// Adds the options for m and k of a bitmap, because Redis does not store m and k.
inline void add_bitmap(const Command& app, redis_cli::TargetOptions& target) {
  add_scheme(app, target);
  app.value(
      "-m", "SIZE",
      "size of the bitmap of --scheme in bits, or in bytes like 64MiB (default: the size that "
      "`redis load` stored)",
      [&target](const std::string& text) { target.sizes.num_bits = parse_bits("-m", text); });
  app.value("-k", "N",
            "number of hashes of the bitmap of --scheme (default: the number that `redis load` "
            "stored, or 3 for php3)",
            [&target](const std::string& text) {
              target.sizes.num_hashes = static_cast<unsigned>(
                  std::min<std::uint64_t>(parse_whole("-k", kHashesAllowed, text), 1U << 20U));
            });
}

inline void add_ttl(const Command& app, std::optional<std::uint64_t>& ttl_s, const char* help) {
  app.count_within("--ttl", ttl_s, 1, kMaxTtl, help, "seconds");
}

inline void add_batch(const Command& app, std::uint64_t& batch_keys) {
  app.count_within("--batch", batch_keys, 1, kMaxBatch,
                   "keys per batch, 1 to 100000 (default 1000)");
}

inline void add_load(const Command& redis, redis_cli::LoadOptions& options, Action& action,
                     const HiddenPasswords& passwords) {
  const Command app = redis.subcommand("load", "load a filter file into Redis atomically");
  filter_commands::add_filter_file(app, options.filter, kLoadableFormats);
  add_target(app, options.target, passwords);
  add_ttl(app, options.ttl_s, "seconds until the filter expires, 1 to 1e10 (default: never)");
  app.count_within("--shards", options.num_shards, 1, 16384,
                   "number of Redis strings that contain the bits, 1 to 16384; each has its own "
                   "slot in a cluster (default: one per 2^32 bits)");
  app->add_flag("--replace", options.replaces_anything,
                "replace the Redis key even if it does not contain a filter (default: an existing "
                "filter is replaced, and any other value is an error)");
  app->add_flag("--quiet", options.is_quiet, "print only errors");
  app->footer(
      footer({"bloometry redis load urls.bloom --key urls",
              "bloometry redis load users.bits --from jedis -m 958505 -k 7 --key users",
              "bloometry redis load dump --from redisbloom --key items --url redis://cache"},
             fmt::format("These files can be loaded: filters of the variants {}, and bitmaps of "
                         "jedis, pyrebloom, php3 and go_seeded. Dumps of redisbloom can be loaded "
                         "if the server has the module RedisBloom.",
                         joined(variants_of_bits()))));
  app->callback([&options, &action] {
    action = in_terms_of_redis(
        in_terms_of(redis_file_options(), [&options] { return redis_load_command(options); }));
  });
}

inline void add_pull(const Command& redis, redis_cli::PullOptions& options, Action& action,
                     const HiddenPasswords& passwords) {
  const Command app = redis.subcommand("pull", "save a filter from Redis to a file");
  add_target(app, options.target, passwords);
  filter_commands::add_out(app, options.out);
  app.offer(app->add_option(
                "--from", options.from,
                "kind of filter in Redis: bloometry (stored by `redis load` or `redis add "
                "--create`) or redisbloom (of the module RedisBloom); for a bitmap of another "
                "program, give --scheme instead (default bloometry)"),
            std::to_array<std::string_view>({"bloometry", "redisbloom"}))
      ->type_name("NAME");
  add_bitmap(app, options.target);
  app->add_flag("--quiet", options.is_quiet, "print only errors");
  app->footer(
      footer({"bloometry redis pull --key urls -o urls.bloom",
              "bloometry redis pull --key users --scheme jedis -m 958505 -k 7 -o users.bits"}));
  app->callback([&options, &action] {
    action = in_terms_of_redis(
        in_terms_of(redis_file_options(), [&options] { return redis_pull_command(options); }));
  });
}

inline void add_query(const Command& redis, redis_cli::QueryOptions& options, Action& action,
                      const HiddenPasswords& passwords) {
  const Command app =
      redis.subcommand("query", "print those of the given keys that a filter in Redis accepts");
  filter_commands::add_key_files(app, options.keys);
  add_target(app, options.target, passwords);
  add_bitmap(app, options.target);
  filter_commands::add_secret(app, options.target.secret);
  app.offer(
         app->add_option(
             "--method", options.method,
             "method of reading bits: getbit, bitfield or getrange (only for filters with blocks), "
             "or "
             "best, the fastest of these for the filter; all give the same answers (default best)"),
         std::to_array<std::string_view>({"best", "getbit", "bitfield", "getrange"}))
      ->type_name("NAME");
  add_batch(app, options.batch_keys);
  filter_commands::add_answers(app, options.is_inverted, options.counts, options.keys.is_quiet);
  app->footer(footer(
      {"bloometry redis query requests.txt --key urls > maybe_known.txt",
       "bloometry redis query ids --key users --scheme jedis -m 958505 -k 7 --invert"},
      "At the first error, the command stops with exit code 3 and does not print the keys of "
      "the failed batch. A key that could not be queried is never reported as absent."));
  app->callback([&options, &action] {
    action = in_terms_of(filter_options(),
                         in_terms_of_redis([&options] { return redis_query_command(options); }));
  });
}

inline void add_create(const Command& app, redis_cli::AddOptions& options) {
  app->add_flag("--create", options.creates,
                "create an empty filter if the Redis key does not exist (default: it must exist)");
  add_size_options(app, options.point.request,
                   {"; required with --create, unless -m and -k are given",
                    " (default 0.01, unless -m is given)", false});
  app.offer(app->add_option("--variant", options.point.variant,
                            fmt::format("variant to create: {} (default standard)",
                                        joined_by_or(variants_of_bits()))),
            variants_of_bits())
      ->type_name("NAME");
  filter_commands::add_own_hash(app, options.point.request.probes, options.hash, options.seed);
  add_ttl(app, options.ttl_s,
          "seconds until the created filter expires, 1 to 1e10 (default: never)");
}

inline void add_add(const Command& redis, redis_cli::AddOptions& options, Action& action,
                    const HiddenPasswords& passwords) {
  const Command app = redis.subcommand("add", "add keys to a filter in Redis");
  filter_commands::add_key_files(app, options.keys);
  add_target(app, options.target, passwords);
  add_create(app, options);
  add_scheme(app, options.target);
  filter_commands::add_secret(app, options.target.secret);
  add_batch(app, options.batch_keys);
  CLI::Option* const wait = app.count_within(
      "--wait", options.num_replicas, 1, 1000,
      "number of replicas that must confirm all keys before the command ends, 1 to 1000 (default: "
      "the command does not wait)");
  app.count_within("--wait-timeout", options.wait_timeout_ms, 1, kMaxTimeout,
                   "maximum time for --wait in milliseconds, 1 to 3600000; after it, the command "
                   "ends with exit code 3 (default 1000)")
      ->needs(wait);
  app->add_flag("--quiet", options.keys.is_quiet, "print only errors");
  app->footer(
      footer({"bloometry redis add new.txt --key urls",
              "bloometry redis add ids --key seen --create -n 1e6 -p 0.01",
              "bloometry redis add ids --key users --scheme jedis -m 958505 -k 7"},
             "The options -n, -p, -m, -k, --variant, --probes, --hash, --seed and --ttl "
             "describe the filter that --create creates. Without --create, -m and -k "
             "describe the bitmap of --scheme, and default to the numbers that `redis load` "
             "stored, or to -k 3 for php3."));
  app->callback([&options, &action, app] {
    for (const char* name : {"-n", "-p", "--variant", "--probes", "--hash", "--seed", "--ttl"}) {
      if (app->count(name) > 0) options.create_only.emplace_back(name);
    }
    for (const char* name : {"--variant", "--probes", "--hash", "--seed", "--secret"}) {
      if (app->count(name) > 0) options.own_only.emplace_back(name);
    }
    action = in_terms_of(filter_options(),
                         in_terms_of_redis([&options] { return redis_add_command(options); }));
  });
}

/// Adds the options of a rotating filter.
inline void add_rotating_filter(const Command& app, RotatingRequest& filter) {
  app.value(
         "--window", "TIME",
         "time for which a key is found after it was added, with the unit ms, s, m, h or d, like "
         "24h; at least 1 ms per generation but the first",
         [&filter](const std::string& text) {
           const auto window = read_duration(text);
           if (!window) {
             throw ConfigError(
                 fmt::format("--window must be a whole number with the unit ms, s, "
                             "m, h or d, like 24h or 90s, got '{}'",
                             text));
           }
           filter.window = *window;
         })
      ->required();
  app.count_within("--generations", filter.generations, kMinGenerations, kMaxGenerations,
                   "number of generations, 2 to 64, which are forgotten one by one; more "
                   "generations forget a key sooner after the window (default 8)");
  app.count("-n", filter.capacity,
            "number of keys that are added per window, repeated ones included, if they arrive "
            "evenly, e.g. 1e6")
      ->required();
  app.real("-p", filter.target_false_positive_rate, kRateAllowed,
           "target false-positive rate of the whole filter, e.g. 0.01 (default 0.01)");
  app.offer(app->add_option("--variant", filter.variant,
                            fmt::format("variant of each generation: {} (default standard)",
                                        joined_by_or(variants_of_bits()))),
            variants_of_bits())
      ->type_name("NAME");
}

inline void add_create_command(const Command& redis, redis_cli::CreateOptions& options,
                               Action& action, const HiddenPasswords& passwords) {
  const Command app =
      redis.subcommand("create", "create a filter in Redis that forgets keys after a window");
  add_target(app, options.target, passwords);
  add_rotating_filter(app, options.filter);
  filter_commands::add_own_hash(app, options.filter.probes, options.hash, options.seed);
  filter_commands::add_secret(app, options.target.secret);
  app->add_flag("--quiet", options.is_quiet, "print only errors");
  app->footer(footer(
      {"bloometry redis create --key seen --window 24h --generations 8 -n 1e6 -p 0.01",
       "bloometry redis add requests.txt --key seen", "bloometry redis info --key seen"},
      "The server's clock decides when keys are forgotten. The filter itself does not expire. If a "
      "filter with the same parameters exists, the command does not change it. `bloometry redis "
      "add --create` creates filters that do not forget."));
  app->callback([&options, &action] {
    action = in_terms_of(filter_options(),
                         in_terms_of_redis([&options] { return redis_create_command(options); }));
  });
}

inline void add_info(const Command& redis, redis_cli::InfoOptions& options, Action& action,
                     const HiddenPasswords& passwords) {
  const Command app =
      redis.subcommand("info", "print parameters, fill, rates and expiry of a filter in Redis");
  add_target(app, options.target, passwords);
  add_bitmap(app, options.target);
  add_json(app, options.json);
  add_wide(app);
  app->footer(
      footer({"bloometry redis info --key urls"},
             "The command reads all bits of a filter of at most 64 MiB. For a larger filter, the "
             "server counts the set bits; the rates are computed from this number if a formula "
             "exists."));
  app->callback([&options, &action] {
    action = in_terms_of_redis([&options] { return redis_info_command(options); });
  });
}

inline void add_drop(const Command& redis, redis_cli::DropOptions& options, Action& action,
                     const HiddenPasswords& passwords) {
  const Command app = redis.subcommand("drop", "delete a filter and its parameters from Redis");
  add_target(app, options.target, passwords);
  app->footer(footer({"bloometry redis drop --key urls"},
                     "A bitmap that another program wrote is not deleted, because Redis does not "
                     "store its parameters.\nThe exit code is 1 if the filter does not exist."));
  app->callback([&options, &action] {
    action = in_terms_of_redis([&options] { return redis_drop_command(options); });
  });
}

}  // namespace redis_commands

inline void add_redis(const Command& program, RedisOptions& options, Action& action,
                      const HiddenPasswords& passwords) {
  using namespace redis_commands;
  const Command redis =
      program.subcommand("redis", "load, query, change and inspect filters in Redis");
  redis->require_subcommand(1);
  redis->footer(footer({"bloometry redis load urls.bloom --key urls",
                        "bloometry redis query requests.txt --key urls"}));
  redis_commands::add_load(redis, options.load, action, passwords);
  redis_commands::add_pull(redis, options.pull, action, passwords);
  redis_commands::add_query(redis, options.query, action, passwords);
  redis_commands::add_add(redis, options.add, action, passwords);
  redis_commands::add_create_command(redis, options.create, action, passwords);
  redis_commands::add_info(redis, options.info, action, passwords);
  redis_commands::add_drop(redis, options.drop, action, passwords);
}

}  // namespace bloometry
