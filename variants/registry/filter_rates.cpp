#include "variants/registry/filter_rates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/rates/block_words.hpp"
#include "core/rates/digest_width.hpp"
#include "core/theory/coincidences.hpp"
#include "variants/registry/table_room.hpp"
#include "variants/registry/theory_registry.hpp"

namespace bloometry {
namespace {

using theory::FewWordScheme;

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// Share of a rate below which an upper bound of a term is as good as the term. The bound then does
/// not change the 10 digits that the commands print.
constexpr double kInvisible = 1e-10;

/// The digest bits that must agree by chance so that a query has the probes of a given member.
struct CollisionBits {
  double num = kUnlimited;
  std::string_view name{};
  /// Whether equal bits need not make the query positive. The floor is then an upper bound.
  bool is_bound = false;
};

/// Returns -log2 of the probability that two keys have the same block.
double block_bits(const Geometry& geometry, double num_word_bits) {
  if (geometry.block_cells <= 1) return 0;
  return BlockWords(num_word_bits, geometry.num_blocks()).collision_bits();
}

/// Returns the number of cells among which a probe chooses.
double range_of(ProbeModel model, const Geometry& geometry) {
  const bool is_block = geometry.block_cells > 1;
  const auto cells = static_cast<double>(is_block ? geometry.block_cells : geometry.num_cells);
  return model == ProbeModel::kPartitioned ? cells / geometry.num_hashes : cells;
}

/// Returns whether every probe of a key has digest bits of its own.
bool has_bits_for_all(const SchemeInfo& scheme, const Geometry& geometry) {
  if (geometry.num_hashes == 1) return true;
  const DigestBits& bits = scheme.digest_bits;
  return bits.are_fields &&
         geometry.num_hashes * std::log2(range_of(scheme.model, geometry)) <= bits.num;
}

CollisionBits scheme_bits(const RatedFilter& filter) {
  // The rate of a table includes equal fingerprints, so equal words do not add to it.
  if (filter.variant.is_limited) return {};
  const DigestBits& bits = filter.scheme.digest_bits;
  if (filter.variant.can(Operation::kTick)) {
    // An insert of a repeated digest still counts, so the filter has fewer distinct keys than the
    // rate for ideal digests assumes.
    const bool has_blocks = filter.geometry().block_cells > 1;
    return {.num = has_blocks ? 64 : bits.num,
            .name = has_blocks ? "block_bits" : "scheme_bits",
            .is_bound = true};
  }
  if (filter.variant.can(Operation::kGrow)) {
    const auto stages = filter.spec.params.find("stages");
    const bool is_sliced = stages == filter.spec.params.end() ||
                           std::get<std::string>(stages->second) == "partitioned";
    if (is_sliced) return {.num = bits.num, .name = "scheme_bits"};
    // A key of a blocked stage uses 64 bits in its block; the blocks of the stages differ in
    // number.
    return {.num = 64, .name = "block_bits", .is_bound = true};
  }
  const Geometry geometry = filter.geometry();
  if (has_bits_for_all(filter.scheme, geometry)) return {};
  return {.num = bits.num + block_bits(geometry, bits.num_for_block),
          .name = geometry.block_cells > 1 ? "block_bits" : "scheme_bits",
          .is_bound = !filter.variant.passes_nonzero_cells()};
}

/// Returns the bits of the hash or of the scheme, whichever are fewer. The bits of a scheme are
/// bits of the hash or of its mix, so the collisions of the wider of the two are negligible.
CollisionBits collision_bits(const RatedFilter& filter) {
  const CollisionBits scheme = scheme_bits(filter);
  if (scheme.num <= filter.hash.num) return scheme;
  // In a table, a query with the digest of a member is also one with its fingerprint.
  const bool is_bound = filter.variant.is_limited || filter.variant.can(Operation::kTick);
  return {.num = filter.hash.num, .name = "hash_bits", .is_bound = is_bound};
}

std::string lowered_by(const RatedFilter& filter, const CollisionBits& bits) {
  if (bits.name == "hash_bits") {
    // A digest has 128 bits, so a hash cannot have more.
    return bits.num < 128 ? "a hash of more bits, such as xxh3 with 128 bits" : "fewer keys";
  }
  if (bits.name == "block_bits") return "more blocks, or another variant";
  for (const SchemeInfo& scheme : filter.variant.schemes) {
    if (scheme.follows_model && scheme.model == filter.scheme.model &&
        scheme.digest_bits.num > filter.scheme.digest_bits.num) {
      const std::string name(scheme.name);
      return "the scheme " + name + " (--probes " + name + "), which uses " +
             std::to_string(static_cast<unsigned>(scheme.digest_bits.num)) + " bits";
    }
  }
  return "fewer keys";
}

std::optional<RateFloor> floor_at(const RatedFilter& filter, const CollisionBits& bits,
                                  double num_keys) {
  if (bits.num == kUnlimited) return std::nullopt;
  return RateFloor{.name = bits.name,
                   .rate = digest_collision_rate(num_keys, bits.num),
                   .num_bits = bits.num,
                   .lowered_by = lowered_by(filter, bits)};
}

/// Returns whether the only queries that test positive are those with the digest bits of a member.
bool is_enumerated(const RatedFilter& filter, std::uint64_t num_keys) {
  return filter.scheme.digest_bits.is_injective && num_keys <= 1;
}

/// Returns the number of keys of which the filter holds all cells after num_keys inserts. For a
/// filter that forgets, it is an upper bound.
std::uint64_t num_held(const RatedFilter& filter, std::uint64_t num_keys) {
  const auto worst_phase = find_theory(filter.variant.name).worst_phase;
  if (worst_phase == nullptr) return num_keys;
  return std::min(num_keys, worst_phase(filter.spec, filter.scheme.model).num_held);
}

/// Returns the rates over the phases of a generation. Each includes the collisions with the keys
/// that the filter holds at the end of a generation, and is an upper bound if these are visible.
PhaseRates phase_rates(const RatedFilter& filter, const CollisionBits& bits) {
  PhaseRates rates = find_theory(filter.variant.name).phase_rates(filter.spec, filter.scheme.model);
  const double collision = digest_collision_rate(static_cast<double>(rates.num_held), bits.num);
  for (double* const rate : {&rates.start, &rates.mean, &rates.worst}) {
    *rate = collision + (1 - collision) * *rate;
  }
  return rates;
}

/// Returns the rate of n keys. The argument ideal(j) returns the rate of j keys with unlimited
/// digests.
template <class Ideal>
double rate_at(const RatedFilter& filter, const CollisionBits& bits, std::uint64_t num_keys,
               const Ideal& ideal) {
  if (filter.variant.can(Operation::kTick)) {
    const auto held = static_cast<double>(num_held(filter, num_keys));
    const double collision = digest_collision_rate(held, bits.num);
    return collision + (1 - collision) * (is_enumerated(filter, num_keys) ? 0 : ideal(num_keys));
  }
  return rate_with_digests(
      num_keys, bits.num, [&](std::uint64_t j) { return is_enumerated(filter, j) ? 0 : ideal(j); });
}

/// Returns an upper bound of the rate with unlimited digests if the filter does not have room for
/// the keys, and otherwise 1. Each full cell adds at most the rate of one key.
double rate_of_full_cells(const RatedFilter& filter, std::uint64_t num_keys) {
  if (has_room(filter.variant, filter.spec, num_keys)) return 1;
  const Geometry full = filter.variant.geometry_at(filter.spec, num_keys);
  const double of_one =
      find_theory(filter.variant.name).expected_rate(filter.spec, filter.scheme.model, 1);
  return std::min(1.0, static_cast<double>(full.num_cells) * of_one);
}

/// Returns a proven upper bound of the rate of a scheme that follows a model only approximately, or
/// std::nullopt if no bound is proven.
std::optional<double> bound_of_model(const RatedFilter& filter, const CollisionBits& bits,
                                     std::uint64_t num_keys) {
  const auto rate_bound = find_theory(filter.variant.name).rate_bound;
  const bool is_proven = rate_bound != nullptr && !filter.scheme.why_not_exact.empty() &&
                         filter.hash.why_not_uniform.empty();
  if (!is_proven) return std::nullopt;
  const bool is_narrow_hash = bits.name == "hash_bits";
  const double of_hash =
      is_narrow_hash ? digest_collision_rate(static_cast<double>(num_keys), bits.num) : 0;
  return std::min(1.0, of_hash + rate_bound(filter.spec, num_keys));
}

/// Sets the kind of a rate to kModel, unless an earlier reason has already done so.
void call_model(ExpectedRate& rate, std::string_view formula, std::string_view why) {
  if (rate.kind != RateKind::kExact) return;
  rate.kind = RateKind::kModel;
  rate.formula = formula;
  rate.why_not_exact = why;
}

/// Sets the kind of a rate that is exact apart from the properties of hash and scheme. Names a weak
/// hash before the scheme, because its deviations are larger.
void describe(const RatedFilter& filter, const CollisionBits& bits, bool is_one_key,
              ExpectedRate& rate) {
  if (!filter.hash.why_not_uniform.empty()) {
    call_model(rate, "uniform_hash", filter.hash.why_not_uniform);
  }
  if (!filter.scheme.why_not_exact.empty() && !is_one_key) {
    call_model(rate, "independent_lanes", filter.scheme.why_not_exact);
  }
  if (rate.kind != RateKind::kExact || !bits.is_bound) return;
  if (rate.floor->rate <= kInvisible * rate.rate) return;
  rate.kind = RateKind::kBound;
  rate.formula = "digest_collisions";
  rate.why_not_exact = "a query with the digest bits of a member is counted as positive";
  rate.upper_bound = rate.rate;
}

/// Makes the rate of a limited filter conditional, or an upper bound if the filter does not have
/// room for the keys. Removes the values that hold only for a filter that contains all keys.
void limit(const RatedFilter& filter, std::uint64_t num_keys, Prediction& prediction,
           ExpectedRate& rate) {
  if (!filter.variant.is_limited || num_keys == 0) return;
  prediction.has_room = has_room(filter.variant, filter.spec, num_keys);
  if (prediction.has_room) {
    rate.condition = "no insert is refused";
    return;
  }
  for (NamedRate& named : prediction.approximations) named.rate.reset();
  prediction.rate_stddev.reset();
  prediction.expected_fill_ratio.reset();
  if (rate.kind == RateKind::kModel) return;
  rate.kind = RateKind::kBound;
  rate.formula = "upper_bound";
  rate.why_not_exact = no_room_text(filter.variant, filter.spec, num_keys);
  rate.upper_bound = rate.rate;
}

/// Returns the rate of a scheme with few words per key in a filter whose probes may fall on any
/// cell, or std::nullopt for other filters.
/// @param rate returns the rate for a scheme and a geometry
template <class Rate>
std::optional<ExpectedRate> rate_of_few_words(const RatedFilter& filter, const Rate& rate) {
  const auto scheme = theory::few_word_scheme_named(filter.scheme.name);
  const bool has_cells = filter.scheme.model == ProbeModel::kWithReplacement &&
                         filter.variant.passes_nonzero_cells() &&
                         !filter.variant.can(Operation::kGrow);
  if (!scheme || !has_cells) return std::nullopt;
  const Geometry geometry = filter.geometry();
  if (geometry.block_cells > 1) return std::nullopt;
  return theory::as_expected_rate(
      rate(*scheme, geometry),
      "the probes of a key follow from few words (" + std::string(filter.scheme.name) + ")");
}

/// Returns the name of the approximation that has the given rate.
std::string_view name_of_rate(const Prediction& prediction, double rate) {
  for (const NamedRate& named : prediction.approximations) {
    if (named.rate == rate) return named.name;
  }
  return "approximation";
}

}  // namespace

SchemeInfo scheme_of_model(const VariantInfo& variant, ProbeModel model) {
  for (const SchemeInfo& scheme : variant.schemes) {
    if (scheme.model == model && scheme.follows_model) return scheme;
  }
  SchemeInfo scheme = variant.schemes.front();
  if (scheme.model != model) scheme.name = {};
  scheme.model = model;
  return scheme;
}

double expected_rate(const RatedFilter& filter, std::uint64_t num_keys) {
  const VariantTheory& theory = find_theory(filter.variant.name);
  const double most = rate_of_full_cells(filter, num_keys);
  return rate_at(filter, collision_bits(filter), num_keys, [&](std::uint64_t j) {
    return std::min(most, theory.expected_rate(filter.spec, filter.scheme.model, j));
  });
}

double guaranteed_rate(const RatedFilter& filter, std::uint64_t num_keys) {
  const std::optional<double> bound = bound_of_model(filter, collision_bits(filter), num_keys);
  return bound ? *bound : expected_rate(filter, num_keys);
}

ExpectedRate worst_rate(const RatedFilter& filter) {
  const CollisionBits bits = collision_bits(filter);
  const WorstPhase worst =
      find_theory(filter.variant.name).worst_phase(filter.spec, filter.scheme.model);
  const auto num_held = static_cast<double>(worst.num_held);
  const double collision = digest_collision_rate(num_held, bits.num);
  ExpectedRate rate{.rate = collision + (1 - collision) * worst.rate,
                    .floor = floor_at(filter, bits, num_held)};
  describe(filter, bits, false, rate);
  return rate;
}

std::optional<RateFloor> rate_floor(const RatedFilter& filter, std::uint64_t num_keys) {
  const auto held = static_cast<double>(num_held(filter, num_keys));
  return floor_at(filter, collision_bits(filter), held);
}

Prediction predict(const RatedFilter& filter, std::uint64_t num_keys) {
  const VariantTheory& theory = find_theory(filter.variant.name);
  const ProbeModel model = filter.scheme.model;
  Prediction prediction = theory.predict(filter.spec, model, num_keys);
  if (!filter.scheme.follows_model) {
    prediction.exact.reset();
    prediction.expected = rate_of_few_words(filter, [&](FewWordScheme scheme, const Geometry& of) {
      return theory::coincidence_rate(scheme, num_keys, of.num_cells, of.num_hashes);
    });
    return prediction;
  }
  const double most = rate_of_full_cells(filter, num_keys);
  const auto ideal = [&](std::uint64_t j) {
    const bool is_predicted = j == num_keys && prediction.exact;
    return std::min(most,
                    is_predicted ? *prediction.exact : theory.expected_rate(filter.spec, model, j));
  };
  const CollisionBits bits = collision_bits(filter);
  ExpectedRate rate{
      .rate = rate_at(filter, bits, num_keys, ideal),
      .floor = floor_at(filter, bits, static_cast<double>(num_held(filter, num_keys)))};
  if (!prediction.exact) {
    call_model(rate, name_of_rate(prediction, ideal(num_keys)),
               "an exact formula is not known for this filter");
  }
  const bool is_one_key = is_enumerated(filter, num_keys);
  if (!is_one_key) rate.upper_bound = bound_of_model(filter, bits, num_keys);
  describe(filter, bits, is_one_key, rate);
  limit(filter, num_keys, prediction, rate);
  if (theory.phase_rates != nullptr) prediction.phase_rates = phase_rates(filter, bits);
  prediction.exact.reset();
  if (rate.kind == RateKind::kExact) prediction.exact = rate.rate;
  prediction.expected = rate;
  return prediction;
}

ExpectedRate rate_given_state(const RatedFilter& filter, double of_ideal_digests,
                              std::optional<std::uint64_t> num_keys) {
  const CollisionBits bits = collision_bits(filter);
  // The cells of a damaged table may be more than its fingerprints.
  of_ideal_digests = std::min(1.0, of_ideal_digests);
  ExpectedRate rate{.rate = of_ideal_digests};
  if (num_keys) {
    rate.floor = floor_at(filter, bits, static_cast<double>(num_held(filter, *num_keys)));
    const double collision = rate.floor ? rate.floor->rate : 0;
    const double of_others = is_enumerated(filter, *num_keys) ? 0 : of_ideal_digests;
    rate.rate = collision + (1 - collision) * of_others;
  } else if (bits.num != kUnlimited) {
    call_model(rate, "without_collisions", "the number of keys is unknown");
  }
  describe(filter, bits, is_enumerated(filter, num_keys.value_or(2)), rate);
  return rate;
}

std::optional<ExpectedRate> rate_given_ones(const RatedFilter& filter, std::uint64_t num_ones,
                                            std::uint64_t num_keys) {
  return rate_of_few_words(filter, [&](FewWordScheme scheme, const Geometry& of) {
    return theory::coincidence_rate_given_ones(scheme, num_ones, static_cast<double>(num_keys),
                                               of.num_cells, of.num_hashes);
  });
}

}  // namespace bloometry
