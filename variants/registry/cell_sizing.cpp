#include "variants/registry/cell_sizing.hpp"

#include "core/error.hpp"
#include "core/rates/search.hpp"
#include "variants/registry/refusal.hpp"

namespace bloometry {
namespace {

/// Computes sizes in cells. The classic formulas only provide starting points for the searches.
class CellSizing {
 public:
  CellSizing(const VariantInfo& variant, const SizeRequest& request)
      : variant_(variant),
        scheme_(requested_scheme(variant, request)),
        hash_(request.hash),
        model_(scheme_.model),
        params_(request.params) {
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
    if (!has_size(request)) return least_cells(request);
    const std::uint64_t cells = requested_cells(request);
    return request.num_keys ? rate_at(request, cells) : most_keys(request, cells);
  }

  /// Returns the requested number of cells, rounded down to whole blocks.
  [[nodiscard]] std::uint64_t requested_cells(const SizeRequest& request) const {
    if (request.num_blocks) return cells_of_blocks(*request.num_blocks);
    const std::uint64_t size = request.num_cells.value_or(requested_memory(request).value_or(0));
    const unsigned cell_size = request.num_cells ? 1 : cell_bits_;
    const std::uint64_t cells = size / cell_size / block_cells_ * block_cells_;
    if (cells > 0) return cells;
    throw Refusal("m must be at least " + std::to_string(std::uint64_t{block_cells_} * cell_size) +
                  ", one " + (block_cells_ == 1 ? "cell" : "block") + ", got " +
                  std::to_string(size));
  }

  [[nodiscard]] std::uint64_t cells_of_blocks(std::uint64_t num_blocks) const {
    if (!variant_.sized_by_blocks) throw Refusal("num_blocks must be left out without blocks");
    return num_blocks * block_cells_;
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
    LeastSize least(kMaxRequestedCount / block_cells_, [&](std::uint64_t blocks, unsigned k) {
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
      const std::optional<std::uint64_t> keys = most_that_holds(
          guess, 2 * kMaxRequestedCount, [&](std::uint64_t n) { return rate(n, cells, k) <= p; });
      if (!keys) throw Refusal("it needs more than 2^53 cells");
      const bool is_better = *keys > best.num_keys;
      if (is_better || (*keys == best.num_keys && k < best.num_hashes)) {
        best.num_keys = *keys;
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

}  // namespace

SizeAnswer solve_cells(const VariantInfo& variant, const SizeRequest& request) {
  return CellSizing(variant, request).solve(request);
}

}  // namespace bloometry
