#include "experiments/filter_files/foreign_facts.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <utility>
#include <vector>

#include "core/engine/store_access.hpp"
#include "core/rates/cardinality.hpp"
#include "core/rates/modulo_cells.hpp"
#include "core/theory/coincidences.hpp"
#include "experiments/text/content_hash.hpp"
#include "experiments/text/number_text.hpp"
#include "variants/foreign/dcso/dcso_filter.hpp"
#include "variants/foreign/go_bits_and_blooms/go_bits_and_blooms_filter.hpp"
#include "variants/foreign/guava/guava_filter.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_theory.hpp"
#include "variants/foreign/redis_bitmap/redis_bitmap_filter.hpp"
#include "variants/foreign/redis_bitmap/redis_bitmap_theory.hpp"
#include "variants/foreign/redisbloom/redisbloom_filter.hpp"

namespace bloometry {
namespace {

/// Number of values of a hash of php3. The formats without such a constant reduce 63 or 64 bits,
/// which makes all of at most 2^43 cells equally likely up to 1e-6.
constexpr std::uint64_t kNumPhpValues = std::uint64_t{1} << 32U;

/// Sets the facts of a filter that is one bit array with k probes per key.
void describe_bits(const auto& filter, FilterFacts& facts) {
  const std::uint64_t num_ones = filter.bits().count();
  facts.num_cells = filter.num_bits();
  facts.num_hashes = static_cast<unsigned>(filter.num_hashes());
  facts.state.num_bits = filter.num_bits();
  facts.state.num_ones = num_ones;
  facts.estimated_num_keys =
      count_given_ones(ProbeModel::kWithReplacement, num_ones, facts.num_cells, facts.num_hashes);
  facts.rate_if_independent = std::pow(facts.fill_ratio(), facts.num_hashes);
}

/// Replaces the facts that depend on the likelihood of cells, for indices that are the remainders
/// of values below num_values.
void describe_remainders(const auto& filter, std::uint64_t num_values, FilterFacts& facts) {
  const ModuloCells cells = modulo_cells(facts.num_cells, num_values);
  const std::uint64_t heavy_ones = filter.bits().count(0, cells.num_heavy);
  if (cells.num_reachable() < facts.num_cells) facts.num_reachable_cells = cells.num_reachable();
  facts.estimated_num_keys = count_given_ones(cells, facts.state.num_ones, facts.num_hashes);
  facts.rate_if_independent =
      std::pow(cells.pass_rate(heavy_ones, facts.state.num_ones - heavy_ones), facts.num_hashes);
}

/// Returns the number of keys whose bits may coincide with those of a query. The bits of an
/// intersection are about those of the estimated number, even if these keys are not in it.
double num_members_of(const FilterFacts& facts) {
  return facts.estimated_num_keys.value_or(count_given_ones(
      ProbeModel::kWithReplacement, facts.state.num_ones, facts.num_cells, facts.num_hashes));
}

/// Sets the rates of one bit array whose scheme has few words per key.
void add_few_word_rates(theory::FewWordScheme scheme, std::string_view scheme_text,
                        FilterFacts& facts) {
  const unsigned k = facts.num_hashes;
  facts.set_given_state(theory::as_expected_rate(
      theory::coincidence_rate_given_ones(scheme, facts.state.num_ones, num_members_of(facts),
                                          facts.num_cells, k),
      scheme_text));
  if (facts.state.num_ones == facts.num_cells) facts.set_given_state({.rate = 1});
  if (!facts.num_keys) {
    facts.why_no_expected_rate = facts.why_no_estimate.empty()
                                     ? "all cells are set, so the number of keys is unknown"
                                     : "the number of keys is unknown";
    return;
  }
  facts.set_expected(theory::as_expected_rate(
      theory::coincidence_rate(scheme, *facts.num_keys, facts.num_cells, k), scheme_text));
}

/// The rate of a chain of filters: a query is positive if at least one link is.
class ChainRate {
 public:
  void add(const theory::ModelRate& link) {
    chain_.integration_error = std::hypot(chain_.integration_error, link.integration_error);
    chain_.rate += (1 - chain_.rate) * link.rate;
    is_integrated_ |= link.rate > 0 && !link.is_independent;
  }

  [[nodiscard]] ExpectedRate rate() const {
    theory::ModelRate rate = chain_;
    rate.is_independent = rate.rate > 0 && !is_integrated_;
    return theory::as_expected_rate(rate, RedisBloomFilter::why_no_exact_rate());
  }

 private:
  theory::ModelRate chain_;
  bool is_integrated_ = false;  // whether a link has a rate by the integration
};

}  // namespace

SplitBlockFilter split_block_of(const ParquetSbbfFilter& filter) {
  SplitBlockFilter same({.num_blocks = filter.num_blocks()});
  const std::span<const std::uint64_t> words = filter.bits().words();
  std::copy(words.begin(), words.end(), StoreAccess::cells(same).all_words().begin());
  return same;
}

void describe(const GuavaFilter& filter, FilterFacts& facts) {
  describe_bits(filter, facts);
  const bool is_mitz_32 = filter.strategy() == GuavaStrategy::kMurmur128Mitz32;
  if (is_mitz_32) describe_remainders(filter, GuavaFilter::kNumMitz32Values, facts);
  facts.details.emplace_back("strategy", is_mitz_32 ? "MURMUR128_MITZ_32" : "MURMUR128_MITZ_64");
}

void describe(const GoBitsAndBloomsFilter& filter, FilterFacts& facts) {
  describe_bits(filter, facts);
}

void describe(const RedisBitmapFilter& filter, FilterFacts& facts) {
  describe_bits(filter, facts);
  facts.sizes_check = check_sizes(filter);
  if (filter.scheme() == RedisScheme::kPhp3) describe_remainders(filter, kNumPhpValues, facts);
  if (filter.scheme() == RedisScheme::kGoSeeded && filter.num_bits() % 2 == 0) {
    facts.remark = "the rates are exact for keys of more than 8 bytes, because m is even";
  }
}

void describe(const DcsoFilter& filter, FilterFacts& facts) {
  describe_bits(filter, facts);
  facts.notes = {.capacity = filter.parameters().capacity,
                 .target_false_positive_rate = filter.parameters().false_positive_rate,
                 .num_inserted = filter.num_items()};
  facts.counts_new_keys = true;
  if (!filter.data().empty()) {
    facts.details.emplace_back("attached_bytes", std::to_string(filter.data().size()));
    facts.details.emplace_back("attached_hash", content_hash(filter.data()));
  }
  if (filter.num_items() <= facts.state.num_ones) return;
  facts.notes.num_inserted.reset();
  facts.remark = fmt::format(
      "the file counts {}, more than the {}: DCSO's Join adds the counts of filters that have keys "
      "in common",
      plural(filter.num_items(), "key"), plural(facts.state.num_ones, "set bit"));
}

void describe(const RedisBloomFilter& filter, FilterFacts& facts) {
  const std::vector<RedisBloomLink>& links = filter.links();
  double rate = 0;
  double count = 0;
  for (const RedisBloomLink& link : links) {
    const std::uint64_t num_ones = link.bits().count();
    const RedisBloomShape& shape = link.shape();
    const double fill = static_cast<double>(num_ones) / static_cast<double>(shape.num_bits);
    rate += (1 - rate) * std::pow(fill, shape.num_hashes);
    count +=
        count_given_ones(ProbeModel::kWithReplacement, num_ones, shape.num_bits, shape.num_hashes);
    facts.state.num_ones += num_ones;
    facts.notes.capacity = facts.notes.capacity.value_or(0) + shape.capacity;
  }
  facts.grows = filter.options().is_scaling;
  if (facts.grows) facts.initial_capacity = links.front().shape().capacity;
  facts.num_cells = filter.num_bits();
  facts.num_hashes = links.size() == 1 ? links.front().shape().num_hashes : 0;
  facts.state.num_bits = filter.num_bits();
  facts.state.num_stages = links.size();
  facts.estimated_num_keys = count;
  facts.rate_if_independent = rate;
  facts.notes.num_inserted = filter.num_items();
  facts.counts_new_keys = true;
  facts.details.emplace_back("scaling", filter.options().is_scaling ? "yes" : "no");
  facts.details.emplace_back("expansion", std::to_string(filter.options().expansion));
  facts.details.emplace_back("error_rate", number_text(links.front().shape().error_rate));
}

void describe(const ParquetSbbfFilter& filter, FilterFacts& facts) {
  const SplitBlockFilter same = split_block_of(filter);
  facts.num_cells = filter.num_bits();
  facts.num_hashes = ParquetSbbfFilter::num_hashes();
  facts.state = same.state();
  facts.estimated_num_keys = same.estimate_count();
}

void add_rates(const GuavaFilter& filter, FilterFacts& facts) {
  const bool is_mitz_32 = filter.strategy() == GuavaStrategy::kMurmur128Mitz32;
  add_few_word_rates(
      is_mitz_32 ? theory::FewWordScheme::kFolded32 : theory::FewWordScheme::kModulo63,
      GuavaFilter::why_no_exact_rate(), facts);
}

void add_rates(const GoBitsAndBloomsFilter& /*filter*/, FilterFacts& facts) {
  add_few_word_rates(theory::FewWordScheme::kFourWords, GoBitsAndBloomsFilter::why_no_exact_rate(),
                     facts);
}

void add_rates(const RedisBitmapFilter& filter, FilterFacts& facts) {
  const std::string_view why = RedisBitmapFilter::why_no_exact_rate(filter.scheme());
  facts.why_no_expected_rate = why;
  if (filter.scheme() == RedisScheme::kJedis) {
    add_few_word_rates(theory::FewWordScheme::kModulo63, why, facts);
  }
  if (!why.empty()) return;
  facts.set_given_state({.rate = std::exchange(facts.rate_if_independent, std::nullopt).value()});
  if (!facts.num_keys) return;
  facts.set_expected(redis_bitmap_prediction(
                         filter.scheme(), {filter.num_bits(), filter.num_hashes()}, *facts.num_keys)
                         .expected);
}

void add_rates(const DcsoFilter& /*filter*/, FilterFacts& facts) {
  add_few_word_rates(theory::FewWordScheme::kFactor, DcsoFilter::why_no_exact_rate(), facts);
}

void add_rates(const RedisBloomFilter& filter, FilterFacts& facts) {
  const std::vector<RedisBloomLink>& links = filter.links();
  constexpr auto kScheme = theory::FewWordScheme::kModulo64;
  // The integrations of all links together take at most a few seconds.
  const double effort = std::min(1.0, 8.0 / static_cast<double>(links.size()));
  ChainRate expected;
  ChainRate given_state;
  for (const RedisBloomLink& link : links) {
    const auto [num_bits, num_hashes] = std::pair(link.shape().num_bits, link.shape().num_hashes);
    const std::uint64_t num_items =
        links.size() == 1 ? facts.num_keys.value_or(0) : link.num_items();
    expected.add(theory::coincidence_rate(kScheme, num_items, num_bits, num_hashes, effort));
    const std::uint64_t num_ones = link.bits().count();
    const double estimate =
        count_given_ones(ProbeModel::kWithReplacement, num_ones, num_bits, num_hashes);
    given_state.add(theory::coincidence_rate_given_ones(kScheme, num_ones, estimate, num_bits,
                                                        num_hashes, effort));
  }
  facts.set_given_state(given_state.rate());
  if (facts.num_keys) {
    facts.set_expected(expected.rate());
  } else {
    facts.why_no_expected_rate = "the number of keys is unknown";
  }
}

void add_rates(const ParquetSbbfFilter& filter, FilterFacts& facts) {
  const RatedFilter rated = rated_parquet_sbbf(filter.num_blocks());
  facts.set_given_state(
      rate_given_state(rated, facts.state.conditional_false_positive_rate, facts.num_keys));
  if (!facts.num_keys) return;
  facts.set_expected(predict(rated, *facts.num_keys).expected);
}

}  // namespace bloometry
