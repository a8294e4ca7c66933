#include "experiments/cli/redis/rotating_info.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/cli/redis/server_facts.hpp"
#include "experiments/cli/terminal/fitted_lines.hpp"
#include "experiments/cli/terminal/optional_json.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/filter_files/filter_hash.hpp"
#include "experiments/text/duration_notation.hpp"
#include "experiments/text/number_text.hpp"
#include "variants/redis/redis_keys.hpp"
#include "variants/redis/rotating_in_redis.hpp"
#include "variants/registry/filter_rates.hpp"

namespace bloometry::redis_cli {
namespace {

/// A live generation with the values that follow from its counts.
struct GenerationFacts {
  LiveGeneration live{};
  std::string key{};
  double fill_ratio = 0;
  bool is_overfull = false;  ///< whether it has more inserts than it is sized for
  /// Rate if all inserts were of different keys; repeated inserts lower the rate. Absent if no
  /// formula of the rate is known.
  std::optional<double> expected_rate{};
};

struct RotatingFacts {
  RotatingLocation location{};
  ServerFacts server{};
  std::vector<GenerationFacts> generations{};

  [[nodiscard]] const RotatingParameters& parameters() const { return location.parameters; }

  [[nodiscard]] std::size_t num_overfull() const {
    return static_cast<std::size_t>(
        std::count_if(generations.begin(), generations.end(),
                      [](const GenerationFacts& generation) { return generation.is_overfull; }));
  }

  /// Returns 1 - prod (1 - f_i) over the live generations, or nullopt if an f_i is unknown.
  [[nodiscard]] std::optional<double> expected_rate() const {
    double log_of_absent = 0;
    for (const GenerationFacts& generation : generations) {
      if (!generation.expected_rate) return std::nullopt;
      log_of_absent += std::log1p(-*generation.expected_rate);
    }
    return 0 - std::expm1(log_of_absent);  // not -0 without keys
  }
};

std::optional<double> expected_rate_of(const RedisParameters& parameters,
                                       std::uint64_t num_inserts) {
  const VariantInfo& variant = find_variant(parameters.variant);
  const RatedFilter filter{.variant = variant,
                           .scheme = variant.scheme(parameters.probes),
                           .spec = {.num_bits = parameters.num_bits,
                                    .num_hashes = parameters.num_hashes,
                                    .params = parameters.header().params},
                           .hash = hash_bits_of(parameters.hash)};
  const std::optional<ExpectedRate> expected = predict(filter, num_inserts).expected;
  if (!expected) return std::nullopt;
  return expected->rate;
}

RotatingFacts facts_of(const std::shared_ptr<RedisClient>& client, const std::string& name) {
  RotatingFacts facts{.location = find_rotating_in_redis(*client, name)};
  RotatingInRedis filter(client, facts.location, HashCall{});  // the command does not hash keys
  const RotatingParameters& parameters = facts.parameters();
  for (const LiveGeneration& live : filter.live_generations()) {
    const RedisGeneration& generation = live.generation;
    facts.generations.push_back(
        {.live = live,
         .key = generation_key(name, parameters.slot_of(generation.number)),
         .fill_ratio = static_cast<double>(live.num_ones) /
                       static_cast<double>(parameters.generation.num_bits),
         .is_overfull = generation.num_inserts > parameters.generation_capacity(),
         .expected_rate = expected_rate_of(parameters.generation, generation.num_inserts)});
  }
  facts.server = server_facts(*client, parameters_key(name));
  return facts;
}

std::string rate_text(const std::optional<double>& rate) {
  return rate ? percent(*rate) : "unknown";
}

void print_generations(const RotatingFacts& facts) {
  TextTable table({{"generation", true},
                   {"key", true},
                   {"age"},
                   {"expires in"},
                   {"inserts"},
                   {"overfull", true},
                   {"fill"},
                   {"expected rate"}});
  for (const GenerationFacts& generation : facts.generations) {
    const LiveGeneration& live = generation.live;
    table.add({std::to_string(live.generation.number), generation.key, readable_duration(live.age),
               readable_duration(live.expires), grouped(live.generation.num_inserts),
               generation.is_overfull ? "yes" : "no", percent(generation.fill_ratio),
               rate_text(generation.expected_rate)});
  }
  table.print(std::cout);
}

void print_text(const RedisClient& client, const RotatingFacts& facts) {
  const FittedLines fitted(std::cout);
  const RotatingParameters& parameters = facts.parameters();
  const RedisParameters& generation = parameters.generation;
  TextTable table({{"", true}, {"", true}});
  table.add({"server", fmt::format("{}, version {}", client.name(), facts.server.version)});
  table.add({"parameters", parameters_key(facts.location.name)});
  table.add({"version", generation.version});
  table.add({"window", fmt::format("{}; keys are forgotten after at most {}",
                                   readable_duration(parameters.window),
                                   readable_duration(parameters.longest_time()))});
  table.add({"generations", fmt::format("{} of {}, each for {}", parameters.generations,
                                        readable_duration(parameters.generation_time()),
                                        plural(parameters.generation_capacity(), "insert"))});
  table.add({"generation", fmt::format("{}, {}, m = {} bits, k = {}, {} bytes", generation.variant,
                                       generation.probes, grouped(generation.num_bits),
                                       generation.num_hashes, grouped(parameters.num_bytes()))});
  table.add({"hash", generation.hash});
  table.add({"capacity", fmt::format("{} per window", plural(parameters.capacity, "insert"))});
  table.add({"target rate", percent(parameters.target_false_positive_rate)});
  table.add({"inserts since the creation", grouped(facts.location.state.num_updates)});
  table.add({"live generations", std::to_string(facts.generations.size())});
  table.add({"overfull generations", std::to_string(facts.num_overfull())});
  table.add({"expected rate now, at most", rate_text(facts.expected_rate())});
  table.add({"eviction policy", facts.server.eviction_policy});
  table.print(std::cout);
  if (facts.generations.empty()) return;
  std::cout << '\n';
  print_generations(facts);
}

nlohmann::ordered_json to_json(const GenerationFacts& generation) {
  const LiveGeneration& live = generation.live;
  return {{"number", live.generation.number},
          {"key", generation.key},
          {"age_ms", live.age.count()},
          {"expires_ms", live.expires.count()},
          {"num_inserts", live.generation.num_inserts},
          {"is_overfull", generation.is_overfull},
          {"num_ones", live.num_ones},
          {"fill_ratio", generation.fill_ratio},
          {"expected_false_positive_rate", finite_or_null(generation.expected_rate)}};
}

void print_json(const RedisClient& client, const RotatingFacts& facts) {
  const RotatingParameters& parameters = facts.parameters();
  const RedisParameters& generation = parameters.generation;
  nlohmann::ordered_json json = {
      {"key", facts.location.name},
      {"server", client.name()},
      {"server_version", facts.server.version},
      {"scheme", "rotating"},
      {"version", generation.version},
      {"window_ms", parameters.window.count()},
      {"generations", parameters.generations},
      {"generation_ms", parameters.generation_time().count()},
      {"capacity", parameters.capacity},
      {"generation_capacity", parameters.generation_capacity()},
      {"target_false_positive_rate", parameters.target_false_positive_rate},
      {"variant", generation.variant},
      {"probes", generation.probes},
      {"hash", generation.hash},
      {"seed", or_null(generation.seed)},
      {"num_bits", generation.num_bits},
      {"num_hashes", generation.num_hashes},
      {"num_updates", facts.location.state.num_updates},
      {"num_overfull", facts.num_overfull()},
      {"expected_false_positive_rate", finite_or_null(facts.expected_rate())},
      {"eviction_policy", facts.server.eviction_policy},
      {"can_be_evicted", facts.server.may_evict(true)}};
  json["live_generations"] = nlohmann::ordered_json::array();
  for (const GenerationFacts& facts_of_one : facts.generations) {
    json["live_generations"].push_back(to_json(facts_of_one));
  }
  std::cout << json.dump(2) << '\n';
}

}  // namespace

void print_rotating_info(const std::shared_ptr<RedisClient>& client, const InfoOptions& options) {
  const RotatingFacts facts = facts_of(client, options.target.key);
  if (options.json) {
    print_json(*client, facts);
  } else {
    print_text(*client, facts);
  }
  if (facts.server.may_evict(true)) print_eviction_warning(facts.server);
}

}  // namespace bloometry::redis_cli
