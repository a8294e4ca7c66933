#include "variants/registry/forgetting_sizing.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/rates/search.hpp"
#include "core/theory/phase_rates.hpp"
#include "variants/registry/refusal.hpp"
#include "variants/registry/theory_registry.hpp"

namespace bloometry {
namespace {

/// Computes the sizes of one variant.
class ForgettingSizing {
 public:
  ForgettingSizing(const VariantInfo& variant, const SizeRequest& request)
      : variant_(variant), request_(request), scheme_(requested_scheme(variant, request)) {
    if (request.num_blocks) throw Refusal("num_blocks must be left out: give a memory in bits");
  }

  [[nodiscard]] SizeAnswer solve() const {
    if (!has_size(request_)) return answer_for(spec_for_rate(*request_.num_keys));
    if (!request_.num_keys) return most_keys();
    SizeAnswer answer = answer_for(spec_for_size(*request_.num_keys));
    if (request_.rate && answer.rate > *request_.rate) {
      throw Refusal("its rate at this size, " + text_above(answer.rate, *request_.rate) +
                    ", is above p");
    }
    return answer;
  }

 private:
  /// Returns the spec of the filter that chooses its size for a window of n inserts at p. The size
  /// is for ideal digests, so its rate is lower than p by the collisions of digests.
  [[nodiscard]] FilterSpec spec_for_rate(std::uint64_t num_keys) const {
    const double p = *request_.rate;
    FilterSpec spec{.capacity = num_keys,
                    .target_false_positive_rate = p,
                    .num_hashes = request_.num_hashes,
                    .params = request_.params};
    const std::optional<RateFloor> floor = worst_rate(rated(spec)).floor;
    if (floor && floor->rate < p) {
      spec.target_false_positive_rate = (p - floor->rate) / (1 - floor->rate);
    }
    return spec;
  }

  [[nodiscard]] RatedFilter rated(const FilterSpec& spec) const {
    return {.variant = variant_, .scheme = scheme_, .spec = spec, .hash = request_.hash};
  }

  /// Returns the spec of the filter with a window of n inserts that has at most the given size and
  /// the lowest rate.
  [[nodiscard]] FilterSpec spec_for_size(std::uint64_t num_keys) const {
    FilterSpec spec{
        .capacity = num_keys, .num_hashes = request_.num_hashes, .params = request_.params};
    set_num_bits(spec, given_size());
    if (!spec.num_hashes) {
      spec.num_hashes = best_num_hashes(variant_, spec, scheme_.model, num_keys);
      set_num_bits(spec, given_size());  // rounded for this k
    }
    return spec;
  }

  /// Sets the size to the largest one below `num_bits` that is a whole number of equal parts.
  void set_num_bits(FilterSpec& spec, std::uint64_t num_bits) const {
    const auto most = most_that_holds(num_bits, 2 * num_bits + 1, [&](std::uint64_t bits) {
      spec.num_bits = bits;
      return variant_.geometry(spec).num_bits() <= num_bits;
    });
    if (!most || *most == 0) {
      spec.num_bits = 1;
      throw Refusal("the size must be at least " +
                    std::to_string(variant_.geometry(spec).num_bits()) + " bits, got " +
                    std::to_string(num_bits));
    }
    spec.num_bits = *most;
  }

  [[nodiscard]] SizeAnswer most_keys() const {
    const std::uint64_t size = given_size();
    const auto fits = [&](std::uint64_t num_keys) {
      return variant_.geometry(spec_for_rate(num_keys)).num_bits() <= size;
    };
    const auto keys = most_that_holds(size / 16 + 1, 2 * kMaxRequestedCount, fits);
    if (!keys) throw Refusal("it needs more than 2^53 cells");
    if (*keys == 0) throw Refusal("the size is too small for a window of one insert at p");
    return answer_for(spec_for_rate(*keys));
  }

  [[nodiscard]] std::uint64_t given_size() const {
    return request_.num_cells ? *request_.num_cells : requested_memory(request_).value_or(0);
  }

  [[nodiscard]] SizeAnswer answer_for(const FilterSpec& spec) const {
    const ExpectedRate worst = worst_rate(rated(spec));
    if (!has_size(request_) && worst.rate > *request_.rate) {
      const std::string rate = text_above(worst.rate, *request_.rate);
      throw Refusal("p is below the rate of this size and of the hash, " + rate);
    }
    const Geometry geometry = variant_.geometry(spec);
    return {.variant = variant_.name,
            .model = scheme_.model,
            .probes = scheme_.name,
            .num_keys = spec.capacity.value(),
            .num_cells = geometry.num_cells,
            .cell_bits = geometry.cell_bits,
            .num_hashes = geometry.num_hashes,
            .params = variant_.resolved_params(spec),
            .rate = worst.rate,
            .expected_rate = worst.rate,
            .rate_by = name_of(worst.kind),
            .why_not_exact = worst.why_not_exact,
            .floor = worst.floor,
            .rate_at_twice_num_keys = worst.rate};  // more keys replace the older ones
  }

  const VariantInfo& variant_;
  const SizeRequest& request_;
  SchemeInfo scheme_;
};

}  // namespace

SizeAnswer solve_forgetting(const VariantInfo& variant, const SizeRequest& request) {
  return ForgettingSizing(variant, request).solve();
}

}  // namespace bloometry
