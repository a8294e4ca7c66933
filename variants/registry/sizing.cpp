#include "variants/registry/sizing.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "core/error.hpp"
#include "core/probe/limits.hpp"
#include "core/rates/search.hpp"
#include "variants/registry/theory_registry.hpp"

namespace bloometry {
namespace {

/// Limit of the number of keys and of the number of cells in a request. A thousand times kMaxCount
/// still fits in 64 bits.
constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 53;

std::string text(double value) {
  return to_string(ParamValue(value));
}

/// Returns `value` in decimal, with the smallest number of digits, at least 4, that gives a number
/// above p.
std::string text_above(double value, double p) {
  for (int digits = 4; digits < 17; ++digits) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::general, digits)
                         .ptr;
    double shown = 0;
    std::from_chars(buffer.data(), end, shown);
    if (shown > p) return {buffer.data(), end};
  }
  return text(value);
}

}  // namespace

void require_valid(const SizeRequest& request) {
  ProblemCollector problems;
  const auto require = [&](bool holds, const std::string& field, const std::string& complaint) {
    if (!holds) problems.collect([&] { throw ConfigError(field, complaint); });
  };
  const auto require_count = [&](const std::optional<std::uint64_t>& value, const char* field) {
    require(!value || (*value >= 1 && *value <= kMaxCount), field,
            "must be in [1, 2^53], got " + std::to_string(value.value_or(0)));
  };
  const bool has_size = request.num_cells || request.num_bits;
  require(!(request.num_cells && request.num_bits), "num_bits",
          "must be left out with num_cells, because each determines the size");
  if (int{request.num_keys.has_value()} + int{request.rate.has_value()} + int{has_size} < 2) {
    problems.collect([] {
      throw ConfigError(
          "at least two of num_keys, rate and a size (num_cells or num_bits) must be given");
    });
  }
  require_count(request.num_keys, "num_keys");
  require(!request.rate || (*request.rate > 0 && *request.rate < 1), "rate",
          "must be in (0, 1), got " + text(request.rate.value_or(0)));
  require_count(request.num_cells, "num_cells");
  require_count(request.num_bits, "num_bits");
  require(!request.num_hashes || (*request.num_hashes >= 1 && *request.num_hashes <= kMaxNumHashes),
          "num_hashes",
          "must be in [1, " + std::to_string(kMaxNumHashes) + "], got " +
              std::to_string(request.num_hashes.value_or(0)));
  problems.throw_if_any();
}

namespace {

/// Exception that states why one variant cannot be sized as requested. The message of the exception
/// becomes SizeAnswer::refusal.
class Refusal : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns the largest number of keys for which `fits` holds. The result is one less than the
/// smallest number for which `fits` does not hold.
template <class Fits>
std::uint64_t most_keys_that(std::uint64_t guess, Fits fits) {
  const auto least = least_that_holds(guess + 1, 1, 2 * kMaxCount,
                                      [&](std::uint64_t num_keys) { return !fits(num_keys); });
  if (!least) throw Refusal("it needs more than 2^53 cells");
  return *least - 1;
}

/// Returns the scheme of the request, or the variant's scheme for its model.
SchemeInfo scheme_of(const VariantInfo& variant, const SizeRequest& request) {
  if (request.scheme != nullptr) return *request.scheme;
  return scheme_of_model(variant, request.model.value_or(variant.schemes.front().model));
}

std::string floor_text(const RateFloor& floor, std::uint64_t num_keys) {
  return "the floor of its rate with " + std::to_string(num_keys) +
         (num_keys == 1 ? " key" : " keys") + ", the probability " + text_above(floor.rate, 0) +
         " that a query has the digest bits of one of them. The floor is lowered by " +
         floor.lowered_by;
}

/// Computes sizes in cells for a variant whose filters do not grow.
class CellSizing {
 public:
  CellSizing(const VariantInfo& variant, const SizeRequest& request, const Params& params)
      : variant_(variant),
        scheme_(scheme_of(variant, request)),
        hash_(request.hash),
        model_(scheme_.model),
        params_(params) {
    const Geometry geometry = variant.geometry(spec_of(kManyCells, variant.min_num_hashes));
    cell_bits_ = geometry.cell_bits;
    block_cells_ = geometry.block_cells;
  }

  SizeAnswer solve(const SizeRequest& request) const {
    SizeAnswer answer = solved(request);
    answer.variant = variant_.name;
    answer.model = model_;
    answer.probes = scheme_.name;
    answer.cell_bits = cell_bits_;
    const RatedFilter filter = rated(answer.num_cells, answer.num_hashes);
    const std::optional<ExpectedRate> expected = predict(filter, answer.num_keys).expected;
    answer.expected_rate = answer.rate;
    answer.rate_by = "approximation";
    if (expected) {
      if (!scheme_.follows_model) answer.rate = expected->rate;
      const bool is_bound = expected->kind == RateKind::kModel && expected->upper_bound;
      answer.rate_by = name_of(is_bound ? RateKind::kBound : expected->kind);
      answer.expected_rate = expected->rate;
      answer.why_not_exact = expected->why_not_exact;
      answer.floor = expected->floor;
    }
    answer.rate_at_twice_num_keys = known_rate(filter, 2 * answer.num_keys);
    return answer;
  }

 private:
  static constexpr std::uint64_t kManyCells = 1 << 20;

  [[nodiscard]] FilterSpec spec_of(std::uint64_t num_cells, unsigned num_hashes) const {
    FilterSpec spec{.num_hashes = num_hashes, .params = params_};
    set_size(spec, variant_.cell_axis(), num_cells);
    return spec;
  }

  [[nodiscard]] double rate(std::uint64_t num_keys, std::uint64_t num_cells, unsigned k) const {
    return guaranteed_rate(rated(num_cells, k), num_keys);
  }

  [[nodiscard]] RatedFilter rated(std::uint64_t num_cells, unsigned k) const {
    return {.variant = variant_, .scheme = scheme_, .spec = spec_of(num_cells, k), .hash = hash_};
  }

  /// Returns the rate of the filter's scheme, or of its model if the rate of the scheme is unknown.
  [[nodiscard]] static double known_rate(const RatedFilter& filter, std::uint64_t num_keys) {
    if (filter.scheme.follows_model) return expected_rate(filter, num_keys);
    const std::optional<ExpectedRate> expected = predict(filter, num_keys).expected;
    return expected ? expected->rate : expected_rate(filter, num_keys);
  }

  /// Checks that a filter of the size that ideal digests need has a floor below p. A filter of
  /// blocks has a lower floor if it is larger, but such a size would be out of all proportion.
  void require_floor_below(std::uint64_t num_keys, double p, unsigned k) const {
    const std::optional<std::uint64_t> cells = cells_by_filter(num_keys, p, k);
    if (!cells) return;
    const std::optional<RateFloor> floor = rate_floor(rated(*cells, k), num_keys);
    if (floor && floor->rate >= p) throw Refusal("p is below " + floor_text(*floor, num_keys));
  }

  /// Returns the number of cells that the filter itself chooses for n keys at p with k hashes. The
  /// result is within a few k of the minimum number of cells. Returns nullopt if a filter cannot
  /// have the required number of cells.
  [[nodiscard]] std::optional<std::uint64_t> cells_by_filter(std::uint64_t num_keys, double p,
                                                             unsigned k) const {
    try {
      return variant_
          .geometry({.capacity = num_keys,
                     .target_false_positive_rate = p,
                     .num_hashes = k,
                     .params = params_})
          .num_cells;
    } catch (const ConfigError&) {
      return std::nullopt;
    }
  }

  SizeAnswer solved(const SizeRequest& request) const {
    if (!request.num_cells && !request.num_bits) return least_cells(request);
    const std::uint64_t cells =
        whole_blocks(request.num_cells.value_or(request.num_bits.value_or(0) / cell_bits_));
    if (cells == 0) {
      const std::uint64_t least = request.num_cells ? block_cells_ : block_cells_ * cell_bits_;
      throw Refusal("m must be at least " + std::to_string(least) + ", one " +
                    (block_cells_ == 1 ? "cell" : "block") + ", got " +
                    std::to_string(request.num_cells ? *request.num_cells : *request.num_bits));
    }
    if (!request.num_keys) return most_keys(request, cells);
    return rate_at(request, cells);
  }

  /// Returns the number of cells rounded down to whole blocks.
  [[nodiscard]] std::uint64_t whole_blocks(std::uint64_t cells) const {
    return cells / block_cells_ * block_cells_;
  }

  SizeAnswer rate_at(const SizeRequest& request, std::uint64_t cells) const {
    const std::uint64_t n = *request.num_keys;
    const unsigned k = request.num_hashes.value_or(0);
    SizeAnswer answer{.num_keys = n, .num_cells = cells, .num_hashes = k};
    if (k == 0) {
      FilterSpec spec = spec_of(cells, variant_.min_num_hashes);
      spec.num_hashes.reset();
      answer.num_hashes = best_num_hashes(variant_, spec, model_, n);
    }
    answer.rate = rate(n, cells, answer.num_hashes);
    if (request.rate && answer.rate > *request.rate) {
      throw Refusal("its rate at this size, " + text_above(answer.rate, *request.rate) +
                    " with k = " + std::to_string(answer.num_hashes) + ", is above p");
    }
    return answer;
  }

  /// Returns the smallest possible number of blocks for k probes. Models D and P need at least k
  /// cells. A block always has at least k cells.
  [[nodiscard]] std::uint64_t fewest_blocks(unsigned k) const {
    return model_ == ProbeModel::kWithReplacement || block_cells_ > 1 ? 1 : k;
  }

  /// Calls visit(k) with the given k, or with the values of k around the filter's own choice for n
  /// keys at p. The function visit returns whether k is better than all earlier values. In each
  /// direction, the search ends after kPatience values that are not better. One such value does not
  /// end the search, because rounding to integers makes small plateaus. The search is limited,
  /// because the rate may be costly to compute far from the best k.
  template <class Visit>
  void for_each_k(const SizeRequest& request, std::uint64_t num_keys, Visit visit) const {
    if (request.num_hashes) {
      // The function geometry throws if the filter does not accept k.
      static_cast<void>(variant_.geometry(spec_of(kManyCells, *request.num_hashes)));
      if (!cells_by_filter(num_keys, *request.rate, *request.num_hashes)) {
        throw Refusal("it needs more than 2^53 cells");
      }
      visit(*request.num_hashes);
      return;
    }
    visit_num_hashes(most_promising_k(num_keys, *request.rate), variant_.min_num_hashes,
                     variant_.max_num_hashes, kPatience, visit);
  }

  /// Returns the k that the filter itself chooses for n keys at p.
  [[nodiscard]] unsigned most_promising_k(std::uint64_t num_keys, double p) const {
    try {
      return variant_
          .geometry({.capacity = num_keys, .target_false_positive_rate = p, .params = params_})
          .num_hashes;
    } catch (const ConfigError&) {
      throw Refusal("it needs more than 2^53 cells");
    }
  }

  SizeAnswer least_cells(const SizeRequest& request) const {
    const std::uint64_t n = *request.num_keys;
    const double p = *request.rate;
    require_floor_below(n, p, request.num_hashes.value_or(most_promising_k(n, p)));
    LeastSize least(kMaxCount / block_cells_, [&](std::uint64_t blocks, unsigned k) {
      return rate(n, blocks * block_cells_, k) <= p;
    });
    for_each_k(request, n, [&](unsigned k) {
      const auto guess = cells_by_filter(n, p, k);
      return guess && least.try_num_hashes(k, *guess / block_cells_, fewest_blocks(k));
    });
    if (!least.size()) throw Refusal("it needs more than 2^53 cells");
    SizeAnswer best{
        .num_keys = n, .num_cells = *least.size() * block_cells_, .num_hashes = least.num_hashes()};
    best.rate = rate(n, best.num_cells, best.num_hashes);
    return best;
  }

  SizeAnswer most_keys(const SizeRequest& request, std::uint64_t cells) const {
    const double p = *request.rate;
    constexpr std::uint64_t kManyKeys = 1 << 20;
    SizeAnswer best{.num_cells = cells};
    for_each_k(request, kManyKeys, [&](unsigned k) {
      const auto for_many = cells_by_filter(kManyKeys, p, k);
      if (!for_many || cells < fewest_blocks(k) * block_cells_) return false;
      // Apart from at most k cells, the filter chooses a size proportional to the number of keys.
      const double cells_per_key = static_cast<double>(*for_many - k) / double{kManyKeys};
      const auto guess = static_cast<std::uint64_t>(static_cast<double>(cells) / cells_per_key);
      const std::uint64_t keys =
          most_keys_that(guess, [&](std::uint64_t n) { return rate(n, cells, k) <= p; });
      const bool is_better = keys > best.num_keys;
      if (is_better || (keys == best.num_keys && k < best.num_hashes)) {
        best.num_keys = keys;
        best.num_hashes = k;
      }
      return is_better;
    });
    if (best.num_keys == 0) {
      require_floor_below(1, p, request.num_hashes.value_or(most_promising_k(1, p)));
      throw Refusal("the rate is too high at this size even with one key");
    }
    best.rate = rate(best.num_keys, cells, best.num_hashes);
    return best;
  }

  static constexpr unsigned kPatience = 4;

  const VariantInfo& variant_;
  SchemeInfo scheme_;
  HashBits hash_;
  ProbeModel model_;
  const Params& params_;
  unsigned cell_bits_ = 1;
  unsigned block_cells_ = 1;  // sizes are multiples of this number
};

/// Computes sizes for a variant whose filters grow. The first stage is sized for n keys, and the
/// rate of the answer is the guaranteed bound.
class GrowingSizing {
 public:
  GrowingSizing(const VariantInfo& variant, const Params& params)
      : variant_(variant), params_(params) {}

  SizeAnswer solve(const SizeRequest& request) const {
    if (!request.rate) {
      throw Refusal(
          "p must be given: a number in (0, 1), because a filter that grows is sized by p");
    }
    if (request.num_hashes) throw Refusal("k must be left out, because each stage has its own");
    const std::optional<std::uint64_t> limit =
        request.num_cells ? request.num_cells : request.num_bits;
    const double p = *request.rate;
    const std::uint64_t keys =
        request.num_keys ? *request.num_keys : most_keys(p, limit.value_or(0));
    const SchemeInfo scheme = scheme_of(variant_, request);
    SizeAnswer answer{.variant = variant_.name,
                      .model = scheme.model,
                      .probes = scheme.name,
                      .num_keys = keys,
                      .num_cells = cells(keys, p)};
    if (limit && answer.num_cells > *limit) {
      throw Refusal("it needs " + std::to_string(answer.num_cells) +
                    " cells for n keys at p, more than the given " + std::to_string(*limit));
    }
    require_bound_kept(keys, p, answer.model);
    require_floor_below(keys, p, request);
    answer.rate = p;
    answer.expected_rate = p;
    answer.rate_by = scheme.follows_model ? "design_bound" : "approximation";
    answer.rate_at_twice_num_keys = p;
    return answer;
  }

 private:
  [[nodiscard]] FilterSpec spec_of(std::uint64_t num_keys, double p) const {
    return {.capacity = num_keys, .target_false_positive_rate = p, .params = params_};
  }

  [[nodiscard]] std::uint64_t cells(std::uint64_t num_keys, double p) const {
    return variant_.geometry(spec_of(num_keys, p)).num_cells;
  }

  [[nodiscard]] std::uint64_t most_keys(double p, std::uint64_t limit) const {
    const std::uint64_t keys =
        most_keys_that(0, [&](std::uint64_t n) { return cells(n, p) <= limit; });
    if (keys == 0) throw Refusal("the rate is too high at this size even with one key");
    return keys;
  }

  /// Checks that the rate does not exceed its bound with these parameters, because some parameters
  /// are meant for studies of exceeded bounds. The function checks the stages of a filter that
  /// grows to a thousand times the number of keys.
  void require_bound_kept(std::uint64_t num_keys, double p, ProbeModel model) const {
    const Prediction prediction =
        find_theory(variant_.name).predict(spec_of(num_keys, p), model, num_keys * kManyfold);
    for (const NamedRate& named : prediction.approximations) {
      if (named.name == "design_bound" && named.rate > p) {
        throw Refusal("with these parameters, the bound of its rate rises to " + text(*named.rate) +
                      ", above p, as the filter grows");
      }
    }
  }

  /// Checks that collisions of digests stay below the bound as the filter grows. The bound itself
  /// is for ideal digests.
  void require_floor_below(std::uint64_t num_keys, double p, const SizeRequest& request) const {
    const std::optional<RateFloor> floor = rate_floor({.variant = variant_,
                                                       .scheme = scheme_of(variant_, request),
                                                       .spec = spec_of(num_keys, p),
                                                       .hash = request.hash},
                                                      num_keys * kManyfold);
    if (!floor || floor->rate < p) return;
    throw Refusal("as the filter grows, p is below " + floor_text(*floor, num_keys * kManyfold));
  }

  static constexpr std::uint64_t kManyfold = 1000;

  const VariantInfo& variant_;
  const Params& params_;
};

}  // namespace

SizeAnswer solve_size(const VariantInfo& variant, const SizeRequest& request,
                      const Params& params) {
  require_valid(request);
  const auto refused = [&](const std::exception& error) {
    return SizeAnswer{.variant = variant.name, .refusal = error.what()};
  };
  try {
    if (variant.can(Operation::kGrow)) {
      return GrowingSizing(variant, params).solve(request);
    }
    return CellSizing(variant, request, params).solve(request);
  } catch (const Refusal& refusal) {
    return refused(refusal);
  } catch (const ConfigError& error) {
    return refused(error);
  } catch (const std::domain_error& error) {
    return refused(error);
  }
}

NearestAnswers nearest_answers(const VariantInfo& variant, const SizeRequest& request,
                               const Params& params) {
  if (!request.num_keys || !request.rate || (!request.num_cells && !request.num_bits)) {
    throw ConfigError("n, p and a size must be given");
  }
  const auto answer_without = [&](auto leave_out) -> std::optional<SizeAnswer> {
    SizeRequest other = request;
    leave_out(other);
    SizeAnswer answer = solve_size(variant, other, params);
    return answer.is_sized() ? std::optional(std::move(answer)) : std::nullopt;
  };
  return {.size_needed = answer_without([](SizeRequest& other) {
            other.num_cells.reset();
            other.num_bits.reset();
          }),
          .keys_that_fit = answer_without([](SizeRequest& other) { other.num_keys.reset(); }),
          .rate_reached = answer_without([](SizeRequest& other) { other.rate.reset(); })};
}

unsigned best_num_hashes(const VariantInfo& variant, const FilterSpec& spec, ProbeModel model,
                         std::uint64_t num_keys) {
  const VariantTheory& theory = find_theory(variant.name);
  const auto rate = [&](unsigned k) {
    FilterSpec with_k = spec;
    with_k.num_hashes = k;
    return theory.expected_rate(with_k, model, num_keys);
  };
  return best_num_hashes(variant, spec, model, num_keys, rate);
}

unsigned best_num_hashes(const VariantInfo& variant, const FilterSpec& spec, ProbeModel model,
                         std::uint64_t num_keys, const std::function<double(unsigned)>& rate) {
  FilterSpec sized = spec;
  sized.capacity = std::max<std::uint64_t>(num_keys, 1);
  const Geometry geometry = variant.geometry(sized);
  const unsigned fewest = variant.min_num_hashes;
  const unsigned most = model == ProbeModel::kWithReplacement
                            ? variant.max_num_hashes
                            : static_cast<unsigned>(std::min<std::uint64_t>(variant.max_num_hashes,
                                                                            geometry.num_cells));
  return least_rate_num_hashes(std::clamp(geometry.num_hashes, fewest, most), fewest, most, rate);
}

}  // namespace bloometry
