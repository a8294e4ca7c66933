#include <unistd.h>

#include <chrono>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "experiments/cli/filter/facts_text.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/cli/redis/redis_target.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/progress_line.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/filter_files/foreign_filters.hpp"
#include "experiments/text/number_text.hpp"
#include "variants/redis/redis_load.hpp"
#include "variants/redis/redisbloom_transfer.hpp"

namespace bloometry {
namespace {

using redis_cli::LoadOptions;

/// Thrown after Ctrl-C, so that the loader removes the loaded data.
struct Interrupted {};

/// Maximum time after Ctrl-C for the current step and for removing the loaded data. A busy server
/// needs half a second to create a string of 250 MB. A second Ctrl-C ends the process at once.
constexpr std::chrono::seconds kGraceOfLoad{5};

std::function<void(std::uint64_t, std::uint64_t)> shown_in(InputLine& line, bool is_quiet) {
  return [&line, is_quiet](std::uint64_t num_done, std::uint64_t num_all) {
    if (!is_quiet) line.show("loading", num_done, num_all);
    if (InterruptWatch::flag()) throw Interrupted();
  };
}

std::optional<std::chrono::milliseconds> ttl_of(const LoadOptions& options) {
  if (!options.ttl_s) return std::nullopt;
  return std::chrono::seconds(*options.ttl_s);
}

void load_dump(RedisClient& client, const RedisBloomFilter& filter, const LoadOptions& options,
               InputLine& line) {
  load_redisbloom(client, options.target.key, filter,
                  {.ttl = ttl_of(options),
                   .replaces_anything = options.replaces_anything,
                   .on_progress = shown_in(line, options.is_quiet)});
}

/// Loads a filter of bits and returns its location in Redis.
RedisLocation load_bits(RedisClient& client, const FileFilter& filter, const LoadOptions& options,
                        InputLine& line) {
  RedisLoadOptions how;
  how.ttl = ttl_of(options);
  how.num_shards = options.num_shards;
  how.replaces_anything = options.replaces_anything;
  how.on_progress = shown_in(line, options.is_quiet);
  const std::string& key = options.target.key;
  if (const RedisBitmapFilter* const bitmap = redis_bitmap_in(filter)) {
    load_into_redis(client, key, *bitmap, how);
  } else {
    const auto& own = dynamic_cast<const BloometryFilter&>(filter);
    load_into_redis(client, key, own.image(), how);
  }
  return find_in_redis(client, key);
}

/// Throws ConfigError for a filter that cannot be stored in Redis.
void require_loadable(const FileFilter& filter, const LoadOptions& options) {
  if (redisbloom_in(filter) != nullptr) {
    if (!options.num_shards) return;
    throw ConfigError("num_shards",
                      "must be left out with redisbloom, which stores a filter in one Redis key");
  }
  if (redis_bitmap_in(filter) != nullptr) return;
  const auto& own = dynamic_cast<const BloometryFilter&>(filter);
  static_cast<void>(native_parameters(own.header()));  // throws for other variants
}

/// Returns the error with a note about --replace if the key contains something else.
ConfigError with_replace_note(const ConfigError& error) {
  std::vector<Problem> problems = error.problems();
  for (Problem& problem : problems) {
    if (problem.field != "key" || !problem.text.starts_with("must be a new key")) continue;
    problem.text += " (--replace overwrites it)";
  }
  return ConfigError(std::move(problems));
}

void load(const LoadOptions& options) {
  FilterInput input = options.filter;
  if (input.from == "go-seeded") input.from = "go_seeded";
  const std::unique_ptr<FileFilter> filter = open_filter(input);
  require_loadable(*filter, options);
  if (!options.is_quiet) print_unchecked_sizes(input.path, *filter);
  const std::shared_ptr<RedisClient> client = redis_cli::connect(options.target.server);
  InputLine line(std::cerr, ::isatty(STDERR_FILENO) != 0);
  std::string storage = "in 1 key of the module";
  if (const RedisBloomFilter* const dump = redisbloom_in(*filter)) {
    load_dump(*client, *dump, options, line);
  } else {
    storage = redis_cli::storage_text(load_bits(*client, *filter, options, line));
  }
  if (options.is_quiet) return;
  std::cout << options.target.key << ": " << size_text(filter->description()) << "; " << storage
            << "; "
            << (options.ttl_s ? "expires in " + plural(*options.ttl_s, "second") : "never expires")
            << '\n';
}

}  // namespace

int redis_load_command(const LoadOptions& options) {
  const std::string kept = "the filter in Redis is unchanged";
  InterruptWatch watch(kept, kGraceOfLoad);
  try {
    load(options);
    return kDone;
  } catch (const Interrupted&) {
    return watch.say_interrupted(kept);
  } catch (const ConfigError& error) {
    throw with_replace_note(error);
  }
}

}  // namespace bloometry
