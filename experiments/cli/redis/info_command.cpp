#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/rates/cardinality.hpp"
#include "experiments/cli/filter/facts_text.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/cli/redis/redis_pull.hpp"
#include "experiments/cli/redis/redis_target.hpp"
#include "experiments/cli/redis/rotating_info.hpp"
#include "experiments/cli/redis/server_facts.hpp"
#include "experiments/cli/terminal/fitted_lines.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/optional_json.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/filter_files/filter_hash.hpp"
#include "variants/redis/redis_keys.hpp"
#include "variants/registry/filter_rates.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

/// Facts that a Redis server reports about a filter and about itself.
struct Storage {
  std::vector<std::string> keys{};
  std::uint64_t num_bytes = 0;           ///< total length of all strings
  std::uint64_t num_ones = 0;            ///< BITCOUNT
  std::optional<std::int64_t> ttl_ms{};  ///< time until the first string expires, if any expires
  std::optional<std::uint64_t> num_updates{};  ///< number of keys added since the load
  redis_cli::ServerFacts server{};

  /// Returns whether the server may evict the filter, according to its known settings.
  [[nodiscard]] bool can_be_evicted() const { return server.may_evict(ttl_ms.has_value()); }
};

void add_ttl(RedisClient& client, const std::string& key, Storage& storage) {
  const RedisReply reply = client.command(key, RedisCommands().add("PTTL", key));
  const std::int64_t ttl = reply.view().integer();
  if (ttl < 0) return;
  storage.ttl_ms = std::min(storage.ttl_ms.value_or(ttl), ttl);
}

std::uint64_t integer_reply(RedisClient& client, const char* command, const std::string& key) {
  const RedisReply reply = client.command(key, RedisCommands().add(command, key));
  return static_cast<std::uint64_t>(reply.view().integer());
}

Storage storage_of(RedisClient& client, const RedisLocation& location) {
  Storage storage{.keys = location.keys()};
  for (const std::string& key : storage.keys) {
    storage.num_bytes += integer_reply(client, "STRLEN", key);
    storage.num_ones += integer_reply(client, "BITCOUNT", key);
    add_ttl(client, key, storage);
    if (location.has_parameters()) add_ttl(client, parameters_key(key), storage);
  }
  if (location.has_parameters()) storage.num_updates = redis_cli::num_updates(client, location);
  storage.server = redis_cli::server_facts(client, storage.keys.front());
  return storage;
}

const SchemeInfo& scheme_of(const RedisParameters& parameters) {
  return find_variant(parameters.variant).scheme(parameters.probes);
}

std::optional<std::uint64_t> num_counted_keys(const FilterFacts& facts) {
  if (facts.notes.num_inserted) return facts.notes.num_inserted;
  if (!facts.estimated_num_keys || !std::isfinite(*facts.estimated_num_keys)) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(*facts.estimated_num_keys));
}

/// Adds the rate that follows from the number of counted bits if probes are independent and uniform
/// over all cells.
void add_counted_rates(const RedisParameters& parameters, FilterFacts& facts) {
  facts.why_no_expected_rate = "the bits of filters above 64 MiB are counted, not read";
  if (parameters.block_bits > 1) return;
  facts.rate_if_independent = std::pow(facts.fill_ratio(), facts.num_hashes);
  ProbeModel model = ProbeModel::kWithReplacement;
  if (!parameters.scheme) model = scheme_of(parameters).model;
  if (parameters.notes.is_intersected) {
    facts.why_no_estimate = kWhyNoEstimateOfIntersection;
  } else {
    facts.estimated_num_keys =
        count_given_ones(model, facts.state.num_ones, facts.num_cells, facts.num_hashes);
  }
  if (parameters.scheme || model != ProbeModel::kWithReplacement) return;
  const RatedFilter filter{
      .variant = find_variant(parameters.variant),
      .scheme = scheme_of(parameters),
      .spec = {.num_bits = parameters.num_bits, .num_hashes = parameters.num_hashes},
      .hash = hash_bits_of(parameters.hash)};
  if (!filter.scheme.follows_model) return;
  const double of_ideal_digests = *facts.rate_if_independent;
  facts.rate_if_independent.reset();
  facts.set_given_state(rate_given_state(filter, of_ideal_digests, num_counted_keys(facts)));
}

FilterFacts counted_facts(const RedisParameters& parameters, std::uint64_t num_ones) {
  FilterFacts facts{.format = std::string(parameters.scheme_name()),
                    .variant = parameters.variant,
                    .probes = parameters.probes,
                    .hash = parameters.hash,
                    .seed = parameters.seed,
                    .key_id = parameters.key_id,
                    .num_cells = parameters.num_bits,
                    .num_hashes = parameters.num_hashes,
                    .notes = parameters.notes};
  facts.state.num_bits = parameters.num_bits;
  facts.state.num_ones = num_ones;
  add_counted_rates(parameters, facts);
  return facts;
}

FilterFacts facts_of(const std::shared_ptr<RedisClient>& client, const RedisLocation& location,
                     const Storage& storage) {
  const RedisParameters& parameters = location.parameters;
  // The server counts the bits of a larger filter.
  FilterFacts facts = parameters.num_bits / 8 > redis_cli::kMaxBytesRead
                          ? counted_facts(parameters, storage.num_ones)
                          : redis_cli::pulled_filter(client, location)->facts();
  facts.sizes_check = redis_cli::check_sizes(*client, location);
  return facts;
}

std::string shown_keys(const std::vector<std::string>& keys) {
  if (keys.size() == 1) return keys.front();
  return fmt::format("{} to {}, {}", keys.front(), keys.back(), plural(keys.size(), "string"));
}

void print_text(const RedisClient& client, const RedisLocation& location, const Storage& storage,
                const FilterFacts& facts) {
  const FittedLines fitted(std::cout);
  TextTable table({{"", true}, {"", true}});
  table.add({"server", fmt::format("{}, version {}", client.name(), storage.server.version)});
  table.add(
      {"bits", fmt::format("{}, {} bytes", shown_keys(storage.keys), grouped(storage.num_bytes))});
  if (location.has_parameters()) {
    table.add({"parameters", location.is_cut() ? current_key(location.name)
                                               : parameters_key(storage.keys.front())});
    table.add({"version", location.parameters.version});
    table.add({"added since the load", plural(*storage.num_updates, "key")});
  } else {
    table.add({"parameters", "none in Redis; they are given on the command line"});
  }
  table.add({"expires",
             storage.ttl_ms
                 ? fmt::format("in {} ms", grouped(static_cast<std::uint64_t>(*storage.ttl_ms)))
                 : "never"});
  table.add({"eviction policy", storage.server.eviction_policy});
  table.print(std::cout);
  std::cout << '\n' << text_of(facts);
}

void print_json(const RedisClient& client, const RedisLocation& location, const Storage& storage,
                const FilterFacts& facts) {
  nlohmann::ordered_json json = {{"key", location.name},
                                 {"server", client.name()},
                                 {"server_version", storage.server.version},
                                 {"scheme", location.parameters.scheme_name()},
                                 {"has_parameters", location.has_parameters()},
                                 {"version", location.parameters.version},
                                 {"strings", storage.keys},
                                 {"num_bytes", storage.num_bytes},
                                 {"num_updates", or_null(storage.num_updates)},
                                 {"ttl_ms", or_null(storage.ttl_ms)},
                                 {"eviction_policy", storage.server.eviction_policy},
                                 {"can_be_evicted", storage.can_be_evicted()}};
  json["filter"] = to_json(facts);
  std::cout << json.dump(2) << '\n';
}

}  // namespace

int redis_info_command(const redis_cli::InfoOptions& options) {
  const InterruptWatch watch("the server was not changed");
  redis_cli::require_valid(options.target);
  const std::shared_ptr<RedisClient> client = redis_cli::connect(options.target.server);
  if (redis_cli::rotates(*client, options.target)) {
    redis_cli::print_rotating_info(client, options);
    return kDone;
  }
  const RedisLocation location = redis_cli::find_filter(*client, options.target);
  require_kept_bits(*client, location);
  const Storage storage = storage_of(*client, location);
  const FilterFacts facts = facts_of(client, location, storage);
  if (options.json) {
    print_json(*client, location, storage, facts);
  } else {
    print_text(*client, location, storage, facts);
  }
  if (storage.can_be_evicted()) redis_cli::print_eviction_warning(storage.server);
  return kDone;
}

}  // namespace bloometry
