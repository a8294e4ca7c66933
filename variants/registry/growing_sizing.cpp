#include "variants/registry/growing_sizing.hpp"

#include "core/rates/search.hpp"
#include "core/text.hpp"
#include "variants/registry/refusal.hpp"
#include "variants/registry/theory_registry.hpp"

namespace bloometry {
namespace {

class GrowingSizing {
 public:
  GrowingSizing(const VariantInfo& variant, const SizeRequest& request)
      : variant_(variant), params_(request.params) {}

  SizeAnswer solve(const SizeRequest& request) const {
    if (!request.rate) {
      throw Refusal(
          "p must be given: a number in (0, 1), because a filter that grows is sized by p");
    }
    if (request.num_hashes) throw Refusal("k must be left out, because each stage has its own");
    if (request.num_blocks) throw Refusal("num_blocks must be left out without blocks");
    if (params_.contains("initial_capacity")) {
      throw Refusal("initial_capacity must be left out, because the first stage is sized for n");
    }
    const std::optional<std::uint64_t> limit =
        request.num_cells ? request.num_cells : requested_memory(request);
    const double p = *request.rate;
    const std::uint64_t keys =
        request.num_keys ? *request.num_keys : most_keys(p, limit.value_or(0));
    const SchemeInfo scheme = requested_scheme(variant_, request);
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
    const std::optional<std::uint64_t> keys = most_that_holds(
        0, 2 * kMaxRequestedCount, [&](std::uint64_t n) { return cells(n, p) <= limit; });
    if (!keys) throw Refusal("it needs more than 2^53 cells");
    if (*keys == 0) throw Refusal("the rate is too high at this size even with one key");
    return *keys;
  }

  /// Checks that the rate does not exceed its bound with these parameters, because some parameters
  /// are meant for studies of exceeded bounds. The function checks the stages of a filter that
  /// grows to a thousand times the number of keys.
  void require_bound_kept(std::uint64_t num_keys, double p, ProbeModel model) const {
    const Prediction prediction =
        find_theory(variant_.name).predict(spec_of(num_keys, p), model, num_keys * kManyfold);
    for (const NamedRate& named : prediction.approximations) {
      if (named.name == "design_bound" && named.rate > p) {
        throw Refusal("with these parameters, the bound of its rate rises to " +
                      shortest_text(*named.rate) + ", above p, as the filter grows");
      }
    }
  }

  /// Checks that collisions of digests stay below the bound as the filter grows. The bound itself
  /// is for ideal digests.
  void require_floor_below(std::uint64_t num_keys, double p, const SizeRequest& request) const {
    const std::optional<RateFloor> floor =
        rate_floor({.variant = variant_,
                    .scheme = requested_scheme(variant_, request),
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

SizeAnswer solve_growing(const VariantInfo& variant, const SizeRequest& request) {
  return GrowingSizing(variant, request).solve(request);
}

}  // namespace bloometry
