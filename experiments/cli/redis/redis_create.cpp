#include "experiments/cli/redis/redis_create.hpp"

#include <array>
#include <fmt/core.h>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/redis/redis_target.hpp"
#include "experiments/cli/theory/foreign_theory.hpp"
#include "experiments/cli/theory/requested_filter.hpp"
#include "experiments/filter_files/foreign_filters.hpp"
#include "variants/redis/redis_load.hpp"

namespace bloometry::redis_cli {
namespace {

constexpr double kDefaultRate = 0.01;

constexpr const char* kNumKeysMissing =
    "must be given with --create, unless -m and -k are given: the number of keys, like 1e6";

/// The options of `redis add --create` that determine the size.
constexpr std::array<std::string_view, 2> kCreateSizeOptions = {"-m", "-p"};

bool is_there(RedisClient& client, const std::string& key) {
  try {
    static_cast<void>(find_in_redis(client, key));
    return true;
  } catch (const RedisError& error) {
    if (error.failure() == RedisFailure::kMissing) return false;
    throw;
  }
}

RedisParameters foreign_parameters_of(const AddOptions& options) {
  const RedisScheme scheme = scheme_named(options.target.scheme);
  SizeRequest request = options.point.request;
  const bool is_sized_by_keys = !size_in_bits(request) && scheme != RedisScheme::kPhp3;
  if (is_sized_by_keys && !request.num_keys) throw ConfigError("num_keys", kNumKeysMissing);
  if (!request.rate) request.rate = kDefaultRate;
  const RedisSizes sizes = redis_bitmap_sizes(scheme, request);
  if (is_sized_by_keys) {
    warn_of_limited_size(*find_foreign_format(name_of(scheme)), *request.num_keys, *request.rate);
  }
  return foreign_parameters(scheme, sizes);
}

/// Returns the options of the filter with defaults for missing options. The defaults equal the
/// defaults of `bloometry filter build`.
PointOptions completed(const AddOptions& options) {
  PointOptions point = options.point;
  SizeRequest& request = point.request;
  if (has_size(request)) {
    // With m and k, n does not affect the filter.
    if (!request.num_keys && request.num_hashes) request.num_keys = 1;
  } else if (!request.rate) {
    request.rate = kDefaultRate;
  }
  if (!request.num_keys) throw ConfigError("num_keys", kNumKeysMissing);
  return point;
}

FileNotes notes_of(const AddOptions& options) {
  FileNotes notes;
  const SizeRequest& request = options.point.request;
  if (has_size(request)) return notes;
  notes.capacity = request.num_keys;
  notes.target_false_positive_rate = request.rate.value_or(kDefaultRate);
  return notes;
}

RedisParameters native_parameters_of(const AddOptions& options) {
  PointOptions point = completed(options);
  const VariantInfo& variant = find_variant(point.variant);
  const SchemeInfo& scheme = scheme_of(variant, point.request.probes);
  FileHeader header;
  header.variant = variant.name;
  header.probes = scheme.name;
  std::optional<SipHashKey> secret;
  if (options.target.secret) secret = read_secret(*options.target.secret);
  FilterHash(options.hash, options.seed, secret).describe(header);
  static_cast<void>(native_parameters(header));  // throws for other variants before they are sized
  point.request.probes = scheme.name;
  header.geometry = scheme.geometry(requested_filter(point, kCreateSizeOptions).spec);
  header.notes = notes_of(options);
  return native_parameters(header);
}

}  // namespace

void require_fitting_options(const AddOptions& options) {
  const SizeRequest& request = options.point.request;
  if (!options.creates && !options.create_only.empty()) {
    throw ConfigError(joined(options.create_only) + " must be left out without --create");
  }
  const bool has_scheme = !options.target.scheme.empty();
  if (!options.creates && !has_scheme && (has_size(request) || request.num_hashes)) {
    throw ConfigError(has_size(request) ? "num_bits" : "num_hashes",
                      "must be left out without --create or --scheme: the parameters in Redis "
                      "contain this value");
  }
  if (has_scheme && !options.own_only.empty()) {
    throw ConfigError(
        fmt::format("{} must be left out with --scheme {}, because the scheme determines the "
                    "variant and the hash",
                    joined(options.own_only), options.target.scheme));
  }
}

RedisParameters parameters_to_create(const AddOptions& options) {
  return options.target.scheme.empty() ? native_parameters_of(options)
                                       : foreign_parameters_of(options);
}

bool create_if_missing(RedisClient& client, const AddOptions& options,
                       const RedisParameters& parameters) {
  const std::string& key = options.target.key;
  if (is_there(client, key)) return false;
  RedisLoadOptions how;
  if (options.ttl_s) how.ttl = std::chrono::seconds(*options.ttl_s);
  how.needs_free_key = true;
  try {
    create_in_redis(client, key, parameters, how);
    return true;
  } catch (const RedisError& error) {
    // Another program may have created the filter in the meantime.
    if (error.failure() != RedisFailure::kChanged || !is_there(client, key)) throw;
    return false;
  }
}

}  // namespace bloometry::redis_cli
