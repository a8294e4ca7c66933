#pragma once

#include <limits>
#include <string>
#include <utility>

#include "experiments/cli/filter_commands.hpp"
#include "experiments/cli/hidden_passwords.hpp"
#include "experiments/cli/redis_options.hpp"

/// The commands of `bloometry redis`. Only main.cpp includes this file, because CLI11 needs seconds
/// to compile.
namespace bloometry {

/// Options of all `redis` commands. Each command uses one member of the struct.
struct RedisOptions {
  redis_cli::LoadOptions load{};
  redis_cli::PullOptions pull{};
  redis_cli::QueryOptions query{};
  redis_cli::AddOptions add{};
  redis_cli::InfoOptions info{};
  redis_cli::DropOptions drop{};
};

namespace redis_commands {

inline constexpr std::uint64_t kMaxTtl = 10'000'000'000;  // seconds
inline constexpr std::uint64_t kMaxTimeout = 3'600'000;   // milliseconds
inline constexpr std::uint64_t kMaxRetries = 1000;
inline constexpr std::uint64_t kMaxBatch = 100'000;  // keys

inline Action in_terms_of_redis(Action command) {
  return in_terms_of(point_options(), in_terms_of(redis_options(), std::move(command)));
}

/// Adds an option for a whole number in [1, max].
template <class Target>
void add_whole(const Command& app, const std::string& name, Target& target, std::uint64_t max,
               const std::string& help) {
  app.value(name, "NUMBER", help, [name, max, &target](const std::string& text) {
    const std::uint64_t number = parse_positive_count(name, text);
    if (number > max) {
      throw ConfigError(name + " must be in [1, " + std::to_string(max) + "], got " + text);
    }
    target = number;
  });
}

inline void add_server(const Command& app, redis_cli::ServerOptions& server,
                       const HiddenPasswords& passwords) {
  app.value(
      "--url", "URL",
      "redis://[[user]:password@]host[:port][/database] or unix:/path[?db=N] (default: the "
      "environment's BLOOMETRY_REDIS_URL, otherwise redis://127.0.0.1:6379)",
      [&server, &passwords](const std::string& text) { server.url = passwords.original(text); });
  app->add_option("--user", server.user, "user of the server (default: the user in the URL)")
      ->type_name("NAME");
  app->add_option("--password-file", server.password_file,
                  "file with the password; or use the environment's BLOOMETRY_REDIS_PASSWORD. A "
                  "password in --url is briefly visible to other users of the machine")
      ->type_name("FILE");
  add_whole(app, "--timeout", server.timeout_ms, kMaxTimeout,
            "maximum milliseconds for connecting and for each batch (default 2000 and 5000)");
  app.value("--retries", "NUMBER", "further attempts after a failure (default 4)",
            [&server](const std::string& text) {
              const std::uint64_t number =
                  parse_whole("--retries", "a whole number from 0 to 1000", text);
              if (number > kMaxRetries) {
                throw ConfigError("--retries must be in [0, 1000], got " + text);
              }
              server.num_retries = number;
            });
}

inline void add_target(const Command& app, redis_cli::TargetOptions& target,
                       const HiddenPasswords& passwords) {
  app->add_option("--key", target.key, "name of the filter in Redis")
      ->required()
      ->type_name("NAME");
  add_server(app, target.server, passwords);
}

inline void add_scheme(const Command& app, redis_cli::TargetOptions& target) {
  app->add_option("--scheme", target.scheme,
                  "scheme of another program's bitmap: jedis, pyrebloom, php3 or go_seeded")
      ->type_name("NAME");
}

/// Adds the options for m and k of a bitmap, because Redis does not store m and k.
inline void add_bitmap(const Command& app, redis_cli::TargetOptions& target) {
  add_scheme(app, target);
  app.value("-m", "NUMBER", "number of bits of the bitmap of --scheme",
            [&target](const std::string& text) { target.num_bits = parse_bits("-m", text); });
  app.value("-k", "NUMBER", "hashes per key of a format whose bitmaps do not contain this number",
            [&target](const std::string& text) {
              target.num_hashes = static_cast<unsigned>(
                  std::min<std::uint64_t>(parse_whole("-k", kHashesAllowed, text), 1U << 20U));
            });
}

inline void add_ttl(const Command& app, std::optional<std::uint64_t>& ttl_s, const char* help) {
  add_whole(app, "--ttl", ttl_s, kMaxTtl, help);
}

inline void add_load(const Command& redis, redis_cli::LoadOptions& options, Action& action,
                     const HiddenPasswords& passwords) {
  const Command app = redis.subcommand("load", "load a filter file into Redis atomically");
  filter_commands::add_filter_file(app, options.filter);
  add_target(app, options.target, passwords);
  add_ttl(app, options.ttl_s, "seconds until the filter expires (default: never)");
  add_whole(app, "--shards", options.num_shards, 16384,
            "number of strings for the bits, each in its own slot of a cluster (default: as few as "
            "possible)");
  app->add_flag("--replace", options.replaces_anything,
                "replace the key even if it does not hold a filter");
  app->add_flag("--quiet", options.is_quiet, "print only errors");
  app->footer(
      example(
          "bloometry redis load urls.bloom --key urls\n"
          "  bloometry redis load users.bits --from jedis -m 958505 -k 7 --key users --ttl 3600\n"
          "  bloometry redis load dump --from redisbloom --key items --url redis://cache:6379") +
      "These files can be loaded: filters of standard, partitioned, blocked, split_block and "
      "lanes, and bitmaps of jedis, pyrebloom, php3 and go_seeded. Dumps of redisbloom can be "
      "loaded if the server has the module RedisBloom.\n");
  app->callback([&options, &action] {
    action = in_terms_of_redis(
        in_terms_of(redis_file_options(), [&options] { return redis_load_command(options); }));
  });
}

inline void add_pull(const Command& redis, redis_cli::PullOptions& options, Action& action,
                     const HiddenPasswords& passwords) {
  const Command app = redis.subcommand("pull", "write a filter in Redis to a file");
  add_target(app, options.target, passwords);
  filter_commands::add_out(app, options.out);
  app->add_option("--from", options.from,
                  "redisbloom, for a filter of the module RedisBloom (default: a filter of `load` "
                  "or `add --create`, or a bitmap with --scheme)")
      ->type_name("FORMAT");
  add_bitmap(app, options.target);
  app->add_flag("--quiet", options.is_quiet, "print only errors");
  app->footer(
      example("bloometry redis pull --key urls -o urls.bloom\n"
              "  bloometry redis pull --key bf:users --scheme jedis -m 958505 -k 7 -o users.bits"));
  app->callback([&options, &action] {
    action = in_terms_of_redis(
        in_terms_of(redis_file_options(), [&options] { return redis_pull_command(options); }));
  });
}

inline void add_query(const Command& redis, redis_cli::QueryOptions& options, Action& action,
                      const HiddenPasswords& passwords) {
  const Command app = redis.subcommand("query", "print the keys that a filter in Redis contains");
  filter_commands::add_key_files(app, options.keys);
  add_target(app, options.target, passwords);
  add_bitmap(app, options.target);
  filter_commands::add_secret(app, options.target.secret);
  app->add_option(
         "--method", options.method,
         "command that reads bits: best (default), getbit, bitfield, getrange; all give the "
         "same answers")
      ->type_name("NAME");
  add_whole(app, "--batch", options.batch_keys, kMaxBatch, "keys per round trip (default 1000)");
  app->add_flag("--invert", options.is_inverted,
                "print the keys that the filter does not contain; this answer is never wrong");
  CLI::Option* count =
      app->add_flag("--count", options.counts, "print only the number of these keys");
  app->add_flag("--quiet", options.keys.is_quiet,
                "omit the output; exit code 1 if some key would not have been printed")
      ->excludes(count);
  app->footer(
      example("bloometry redis query requests.txt --key urls > maybe_known.txt\n"
              "  bloometry redis query ids --key bf:users --scheme jedis -m 958505 -k 7 --invert") +
      "An error stops the command with exit code 3, and the keys of that batch are not printed: a "
      "key that could not be queried is never reported as absent.\n");
  app->callback([&options, &action] {
    action = in_terms_of(filter_options(),
                         in_terms_of_redis([&options] { return redis_query_command(options); }));
  });
}

inline void add_create(const Command& app, redis_cli::AddOptions& options) {
  app->add_flag("--create", options.creates, "create an empty filter if the key does not exist");
  add_size_options(app, options.point);
  app->add_option("--variant", options.point.variant,
                  "standard (default), partitioned, blocked, split_block or lanes")
      ->type_name("NAME");
  app->add_option("--probes", options.probes, "probe scheme (default: the variant's)")
      ->type_name("NAME");
  app->add_option("--hash", options.hash, "hash of the keys (default xxh3)")->type_name("NAME");
  app.count("--seed", options.seed, "seed of the hash (default 0)");
  add_ttl(app, options.ttl_s, "seconds until the created filter expires (default: never)");
}

inline void add_add(const Command& redis, redis_cli::AddOptions& options, Action& action,
                    const HiddenPasswords& passwords) {
  const Command app = redis.subcommand("add", "add keys to a filter in Redis");
  filter_commands::add_key_files(app, options.keys);
  add_target(app, options.target, passwords);
  add_create(app, options);
  add_scheme(app, options.target);
  filter_commands::add_secret(app, options.target.secret);
  add_whole(app, "--batch", options.batch_keys, kMaxBatch, "keys per step (default 1000)");
  CLI::Option* wait = nullptr;
  add_whole(app, "--wait", options.num_replicas, 1000,
            "number of replicas that must have all keys before the command ends (default: none)");
  wait = app->get_option("--wait");
  add_whole(app, "--wait-timeout", options.wait_timeout_ms, kMaxTimeout,
            "maximum milliseconds to wait for the replicas (default 1000); exit code 3 if the time "
            "is not enough");
  app->get_option("--wait-timeout")->needs(wait);
  app->add_flag("--quiet", options.keys.is_quiet, "print only errors");
  app->footer(
      example("bloometry redis add new.txt --key urls\n"
              "  bloometry redis add ids --key seen --create -n 1e6 -p 0.01\n"
              "  bloometry redis add ids --key bf:users --scheme jedis -m 958505 -k 7") +
      "-n, -p, -m and -k size the filter that --create makes; without --create, -m and -k are "
      "those of the bitmap of --scheme.\n");
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

inline void add_info(const Command& redis, redis_cli::InfoOptions& options, Action& action,
                     const HiddenPasswords& passwords) {
  const Command app = redis.subcommand(
      "info", "print parameters, strings, fill, rates and time to live of a filter in Redis");
  add_target(app, options.target, passwords);
  add_bitmap(app, options.target);
  app->add_flag("--json", options.json, "print one JSON object");
  app->footer(example("bloometry redis info --key urls") +
              "The bits are read if they take at most 64 MiB. For larger filters, the server "
              "counts the ones, and "
              "rates are computed from their number if a formula exists.\n");
  app->callback([&options, &action] {
    action = in_terms_of_redis([&options] { return redis_info_command(options); });
  });
}

inline void add_drop(const Command& redis, redis_cli::DropOptions& options, Action& action,
                     const HiddenPasswords& passwords) {
  const Command app = redis.subcommand(
      "drop", "delete a filter and its parameters; exit code 1 if the filter does not exist");
  add_target(app, options.target, passwords);
  app->footer(
      example("bloometry redis drop --key urls") +
      "A filter without parameters in Redis, such as one of another program, is not deleted.\n");
  app->callback([&options, &action] {
    action = in_terms_of_redis([&options] { return redis_drop_command(options); });
  });
}

}  // namespace redis_commands

inline void add_redis(const Command& program, RedisOptions& options, Action& action,
                      const HiddenPasswords& passwords) {
  using namespace redis_commands;
  const Command redis =
      program.subcommand("redis", "filters in Redis: load, pull, query, add, inspect, drop");
  redis->require_subcommand(1);
  redis->footer(
      example("bloometry redis load urls.bloom --key urls\n"
              "  bloometry redis query requests.txt --key urls"));
  redis_commands::add_load(redis, options.load, action, passwords);
  redis_commands::add_pull(redis, options.pull, action, passwords);
  redis_commands::add_query(redis, options.query, action, passwords);
  redis_commands::add_add(redis, options.add, action, passwords);
  redis_commands::add_info(redis, options.info, action, passwords);
  redis_commands::add_drop(redis, options.drop, action, passwords);
}

}  // namespace bloometry
