#include <array>
#include <fmt/core.h>
#include <iostream>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "experiments/cli/redis/redis_target.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/filter_files/filter_hash.hpp"
#include "experiments/text/duration_notation.hpp"
#include "experiments/text/number_text.hpp"
#include "variants/redis/redis_filter.hpp"
#include "variants/redis/rotating_in_redis.hpp"
#include "variants/registry/filter_rates.hpp"
#include "variants/registry/refusal.hpp"

namespace bloometry {
namespace {

using redis_cli::CreateOptions;

/// Returns a generation of the filter with the rates of its scheme and its hash.
RatedFilter rated_generation(const RotatingParameters& parameters) {
  const RedisParameters& generation = parameters.generation;
  const VariantInfo& variant = find_variant(generation.variant);
  return {.variant = variant,
          .scheme = variant.scheme(generation.probes),
          .spec = {.num_bits = generation.num_bits,
                   .num_hashes = generation.num_hashes,
                   .params = generation.header().params},
          .hash = hash_bits_of(generation.hash)};
}

/// Checks that the digests of the keys in all generations give a rate below the target rate.
void require_rate_above_floor(const RotatingParameters& parameters) {
  const std::uint64_t num_keys = parameters.generations * parameters.generation_capacity();
  const std::optional<RateFloor> floor = rate_floor(rated_generation(parameters), num_keys);
  const double target = parameters.target_false_positive_rate;
  if (!floor || floor->rate < target) return;
  throw ConfigError(
      "target_false_positive_rate",
      fmt::format("must be a rate that {} can reach with the given -n, got {}: p is below {}",
                  parameters.generation.variant, rounded(target, 10),
                  floor_text(*floor, num_keys)));
}

RotatingParameters requested_parameters(const CreateOptions& options) {
  std::optional<SipHashKey> secret;
  if (options.target.secret) secret = read_secret(*options.target.secret);
  FileHeader hash;
  FilterHash(options.hash, options.seed, secret).describe(hash);
  RotatingParameters parameters = rotating_parameters(options.filter, hash);
  require_rate_above_floor(parameters);
  return parameters;
}

/// The fields that a request determines.
constexpr std::array<const char*, 9> kRequestedFields = {
    "window_ms", "generations", "capacity", "target_false_positive_rate", "variant", "probes",
    "hash",      "seed",        "key_id"};

std::string text_in(const RedisFields& fields, const char* name) {
  const auto field = fields.find(name);
  return field == fields.end() ? "none" : field->second;
}

/// Throws ConfigError unless the existing filter has the requested parameters.
void require_requested(const std::string& key, const RedisFields& existing,
                       const RedisFields& requested) {
  for (const char* name : kRequestedFields) {
    const std::string held = text_in(existing, name);
    const std::string wanted = text_in(requested, name);
    if (held == wanted) continue;
    throw ConfigError("key",
                      fmt::format("must be a new name, or that of a filter with {} = {}, got '{}', "
                                  "a filter with {} = {}",
                                  name, wanted, key, name, held));
  }
}

/// Throws ConfigError if a filter of another kind has the name.
void require_no_other_filter(RedisClient& client, const std::string& key) {
  try {
    static_cast<void>(find_in_redis(client, key));
  } catch (const RedisError& error) {
    if (error.failure() == RedisFailure::kMissing) return;
    throw;
  }
  throw ConfigError(
      "key", fmt::format("must be a new name, got '{}', a filter that does not rotate", key));
}

/// Creates the filter, unless an equal filter exists.
/// @returns false if an equal filter exists
bool create(RedisClient& client, const std::string& key, const RotatingParameters& parameters) {
  if (!is_rotating_in_redis(client, key)) {
    require_no_other_filter(client, key);
    try {
      create_rotating_in_redis(client, key, parameters);
      return true;
    } catch (const RedisError& error) {
      // Another program may have created the filter in the meantime.
      if (error.failure() != RedisFailure::kChanged || !is_rotating_in_redis(client, key)) throw;
    }
  }
  require_requested(key, find_rotating_in_redis(client, key).fields, parameters.fields());
  return false;
}

std::string text_of(const RotatingParameters& parameters) {
  const RedisParameters& generation = parameters.generation;
  return fmt::format(
      "{} generations of {}; {}, m = {} bits, k = {} each; at most {} of memory; keys are found "
      "for "
      "{}, and forgotten after at most {}",
      parameters.generations, readable_duration(parameters.generation_time()), generation.variant,
      grouped(generation.num_bits), generation.num_hashes,
      memory_text(8 * parameters.num_bytes() * parameters.generations),
      readable_duration(parameters.window), readable_duration(parameters.longest_time()));
}

}  // namespace

int redis_create_command(const CreateOptions& options) {
  const InterruptWatch watch("the filter may have been created");
  const RotatingParameters parameters = requested_parameters(options);
  const auto client = redis_cli::connect(options.target.server);
  const std::string& key = options.target.key;
  if (!create(*client, key, parameters)) {
    if (!options.is_quiet) {
      print_message(fmt::format("the filter '{}' already exists and is not changed", key));
    }
    return kDone;
  }
  if (!options.is_quiet) std::cout << key << ": " << text_of(parameters) << '\n';
  return kDone;
}

}  // namespace bloometry
