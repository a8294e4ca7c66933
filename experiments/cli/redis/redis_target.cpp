#include "experiments/cli/redis/redis_target.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <utility>

#include "core/error.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "variants/foreign/redis_bitmap/fitting_bits.hpp"
#include "variants/redis/redis_keys.hpp"

namespace bloometry::redis_cli {
namespace {

/// Maximum number of repetitions of a batch whose filter was replaced during the query.
constexpr int kMaxReplacements = 10;

bool is_missing(const RedisError& error) {
  return error.failure() == RedisFailure::kMissing;
}

/// Returns advice for the error message about a filter that was not found.
std::string advice(RedisClient& client, const std::string& key) {
  const std::string type = type_of(client, key);
  if (type == "string") {
    return "; to query a bitmap of another program, give --scheme, -m and -k";
  }
  if (type == "MBbloom--") {
    return "; the key contains a filter of RedisBloom: `bloometry redis pull --from redisbloom` "
           "writes it to a file, which `bloometry filter query --from redisbloom` reads";
  }
  if (type != "none") return "; the key contains a " + type;
  return "; `bloometry redis load` or `bloometry redis add --create` creates it";
}

RedisLocation find_with_parameters(RedisClient& client, const std::string& key) {
  try {
    return find_in_redis(client, key);
  } catch (const RedisError& error) {
    if (!is_missing(error)) throw;
    throw RedisError(error.failure(), error.what() + advice(client, key));
  }
}

void require_equal_parameters(const RedisParameters& stored, RedisScheme scheme,
                              const TargetOptions& options) {
  const auto refuse = [](const char* field, const char* what, const auto& held, const auto& got) {
    throw ConfigError(field, fmt::format("must be the {} of the filter, {}, or be left out, got {}",
                                         what, held, got));
  };
  if (stored.scheme != scheme) {
    refuse("scheme", "scheme", stored.scheme_name(), options.scheme);
  }
  if (options.sizes.num_bits.value_or(stored.num_bits) != stored.num_bits) {
    refuse("num_bits", "number of bits", stored.num_bits, *options.sizes.num_bits);
  }
  if (options.sizes.num_hashes.value_or(stored.num_hashes) != stored.num_hashes) {
    refuse("num_hashes", "number of hashes", stored.num_hashes, *options.sizes.num_hashes);
  }
}

RedisSizes sizes_of(const TargetOptions& options, RedisScheme scheme) {
  const bool is_php = scheme == RedisScheme::kPhp3;
  const auto refuse = [&](const char* field, const char* what) {
    throw ConfigError(
        field, fmt::format("must be given: the {}, which a bitmap of {} does not contain", what,
                           options.scheme));
  };
  if (!options.sizes.num_bits) refuse("num_bits", "number of bits");
  if (!options.sizes.num_hashes && !is_php) refuse("num_hashes", "number of hashes");
  return {.num_bits = *options.sizes.num_bits, .num_hashes = options.sizes.num_hashes.value_or(3)};
}

std::uint64_t integer_reply(RedisClient& client, const char* command, const std::string& key) {
  const RedisReply reply = client.command(key, RedisCommands().add(command, key));
  return static_cast<std::uint64_t>(reply.view().integer());
}

/// Returns the number of set bits, or nullopt if the user may not run BITCOUNT.
std::optional<std::uint64_t> num_ones_if_allowed(RedisClient& client, const std::string& key) {
  try {
    return integer_reply(client, "BITCOUNT", key);
  } catch (const RedisError& error) {
    if (error.code() != "NOPERM") throw;
    return std::nullopt;
  }
}

/// Throws ConfigError for a wrong m, because all answers would be wrong. Each string is checked by
/// itself, so a string that has become too short is found, too. A bitmap that is shorter than m is
/// accepted if the user may not run BITCOUNT.
void require_fitting_num_bits(RedisClient& client, const RedisLocation& location) {
  const RedisParameters& parameters = location.parameters;
  const std::vector<std::string> keys = location.keys();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint64_t length = 8 * integer_reply(client, "STRLEN", keys[i]);
    const std::uint64_t num_bits = location.bits_of_string(i);
    const std::uint64_t others = parameters.num_bits - num_bits;  // in other strings
    const std::string got = std::to_string(parameters.num_bits);
    if (length >= num_bits + 8) {
      throw ConfigError("num_bits",
                        fmt::format("must be at least {}, got {}: the bitmap '{}' is larger",
                                    length - 7 + others, got, keys[i]));
    }
    if (length >= num_bits) continue;
    const std::optional<std::uint64_t> num_ones = num_ones_if_allowed(client, keys[i]);
    if (!num_ones) continue;
    FittingBits fitting =
        fitting_bits(*parameters.scheme, parameters.num_hashes, *num_ones, length);
    if (!fitting.most || num_bits <= *fitting.most) continue;
    fitting = {.least = length - 7 + others, .most = *fitting.most + others};
    throw ConfigError("num_bits", fmt::format("must be {} for the bitmap '{}', got {}",
                                              interval_text(fitting), keys[i], got));
  }
}

/// Checks the number of set bits, unless counting would block the server for long or the user may
/// not run BITCOUNT.
void require_kept_bits_if_small(RedisClient& client, const RedisLocation& location) {
  if (location.parameters.num_bits / 8 > kMaxBytesRead) return;
  try {
    require_kept_bits(client, location);
  } catch (const RedisError& error) {
    if (error.code() != "NOPERM") throw;
  }
}

/// Returns the bitmap that the options name. The error about another type states the type.
RedisLocation find_bitmap(RedisClient& client, const TargetOptions& options, RedisScheme scheme) {
  const RedisSizes sizes = sizes_of(options, scheme);
  try {
    return find_bitmap_in_redis(client, options.key, scheme, sizes);
  } catch (const RedisError& error) {
    if (error.code() != "WRONGTYPE") throw;
    throw RedisError(error.failure(), error.what() + advice(client, options.key));
  }
}

FilterHash hash_of(const RedisParameters& parameters, const TargetOptions& options) {
  std::optional<SipHashKey> secret;
  if (options.secret) secret = read_secret(*options.secret);
  return FilterHash::of(parameters.header(), secret);
}

}  // namespace

RedisScheme scheme_named(const std::string& name) {
  return redis_scheme_named(name == "go-seeded" ? "go_seeded" : name);
}

void require_valid(const TargetOptions& options) {
  if (!options.scheme.empty()) {
    static_cast<void>(scheme_named(options.scheme));
  } else if (options.sizes.num_bits || options.sizes.num_hashes) {
    throw ConfigError(options.sizes.num_bits ? "num_bits" : "num_hashes",
                      "must be left out without --scheme: the parameters in Redis contain this "
                      "value");
  }
}

RedisLocation find_filter(RedisClient& client, const TargetOptions& options) {
  require_valid(options);
  if (options.scheme.empty()) return find_with_parameters(client, options.key);
  const RedisScheme scheme = scheme_named(options.scheme);
  std::optional<RedisLocation> found;
  try {
    found = find_in_redis(client, options.key);
  } catch (const RedisError& error) {
    if (!is_missing(error)) throw;
  }
  if (found) {
    require_equal_parameters(found->parameters, scheme, options);
    return *found;
  }
  RedisLocation location = find_bitmap(client, options, scheme);
  require_fitting_num_bits(client, location);
  return location;
}

bool rotates(RedisClient& client, const TargetOptions& options) {
  return options.scheme.empty() && is_rotating_in_redis(client, options.key);
}

std::optional<SizesCheck> check_sizes(RedisClient& client, const RedisLocation& location) {
  const std::vector<std::string> keys = location.keys();
  if (location.has_parameters() || keys.size() != 1) return std::nullopt;
  const RedisParameters& parameters = location.parameters;
  const std::uint64_t num_bytes = integer_reply(client, "STRLEN", keys.front());
  // Counting the bits of a larger bitmap would block the server for long.
  if (num_bytes == 0 || num_bytes > kMaxBytesRead) return std::nullopt;
  FittingBits fitting;
  if (const std::optional<std::uint64_t> num_ones = num_ones_if_allowed(client, keys.front())) {
    fitting = fitting_bits(*parameters.scheme, parameters.num_hashes, *num_ones, 8 * num_bytes);
  }
  fitting.least = 8 * (num_bytes - 1) + 1;  // the last byte may end with bits of 0
  return bloometry::check_sizes(*parameters.scheme, {parameters.num_bits, parameters.num_hashes},
                                fitting);
}

HashedFilter::HashedFilter(std::shared_ptr<RedisClient> client, const TargetOptions& options,
                           const RedisFilter::Options& how)
    : client_(std::move(client)), options_(options), how_(how) {
  if (redis_cli::rotates(*client_, options_)) {
    require_valid(options_);
    open(find_rotating_in_redis(*client_, options_.key));
  } else {
    open(find_filter(*client_, options_));
  }
}

void HashedFilter::open(RotatingLocation location) {
  hash_ = hash_of(location.parameters.generation, options_);
  rotating_.emplace(client_, std::move(location), hash_->call(),
                    RotatingInRedis::Options{.batch_keys = how_.batch_keys});
}

void HashedFilter::open(RedisLocation location) {
  std::optional<FilterHash> hash;
  if (!location.parameters.scheme) {
    hash = hash_of(location.parameters, options_);
  } else if (options_.secret) {
    throw ConfigError("secret", fmt::format("must be left out with scheme {}",
                                            location.parameters.scheme_name()));
  }
  require_kept_bits_if_small(*client_, location);
  const HashCall call = hash ? hash->call() : HashCall{};
  filter_.emplace(client_, std::move(location), call, how_);
  hash_ = std::move(hash);
}

std::optional<SizesCheck> HashedFilter::sizes_check() const {
  if (rotating_) return std::nullopt;
  return check_sizes(*client_, filter_->location());
}

bool HashedFilter::counts_new_keys() const {
  if (rotating_) return true;
  const RedisLocation& location = filter_->location();
  return location.keys().size() == 1 || location.parameters.block_bits > 1;
}

std::uint64_t HashedFilter::insert(std::span<const KeyView> keys) {
  if (filter_) return filter_->insert(keys).num_new;
  const std::vector<Presence> answers = rotating_->query_and_insert(keys);
  return static_cast<std::uint64_t>(std::count(answers.begin(), answers.end(), Presence::kAbsent));
}

void HashedFilter::wait_for_replicas(unsigned num_replicas, std::chrono::milliseconds timeout) {
  if (filter_) return filter_->wait_for_replicas(num_replicas, timeout);
  rotating_->wait_for_replicas(num_replicas, timeout);
}

std::vector<Presence> HashedFilter::query(std::span<const KeyView> keys) {
  if (rotating_) return rotating_->query(keys);
  for (int num_replacements = 0;; ++num_replacements) {
    try {
      return filter_->query(keys);
    } catch (const RedisError& error) {
      const bool may_be_replaced = is_missing(error) || error.failure() == RedisFailure::kChanged;
      if (!may_be_replaced || num_replacements == kMaxReplacements || !reopen_if_replaced()) throw;
    }
    print_message(fmt::format(
        "the filter '{}' was replaced during the query; further answers are those of version {}",
        options_.key, filter_->location().parameters.version));
  }
}

/// Opens the filter again if another filter replaced it. Returns false if the filter in Redis is
/// unchanged or does not exist.
bool HashedFilter::reopen_if_replaced() {
  const RedisLocation& before = filter_->location();
  if (!before.has_parameters()) return false;
  try {
    RedisLocation now = find_filter(*client_, options_);
    if (now.parameters.version == before.parameters.version) return false;
    open(std::move(now));
    return true;
  } catch (const RedisError& error) {
    if (error.failure() == RedisFailure::kUnreachable) throw;
    return false;
  } catch (const ConfigError& error) {
    throw RedisError(RedisFailure::kChanged,
                     fmt::format("{}: key '{}' was replaced by a filter that cannot be queried: {}",
                                 client_->name(), options_.key, error.what()));
  }
}

std::string storage_text(const RedisLocation& location) {
  return fmt::format("{} in {}{}", memory_text(location.parameters.num_bits),
                     plural(location.keys().size(), "string"),
                     location.has_parameters() ? ", version " + location.parameters.version : "");
}

}  // namespace bloometry::redis_cli
