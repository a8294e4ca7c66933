#include "variants/registry/forgetting_sizing.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/rates/search.hpp"
#include "core/theory/phase_rates.hpp"
#include "variants/age_partitioned/age_partitioned_sizing.hpp"
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
    if (!has_size(request_)) return answer_for(least_memory(*request_.num_keys, *request_.rate));
    if (!request_.num_keys) return answer_for(most_keys(given_size(), *request_.rate));
    SizeAnswer answer = answer_for(lowest_rate(*request_.num_keys, given_size()));
    if (request_.rate && answer.rate > *request_.rate) {
      throw Refusal("its rate at this size, " + text_above(answer.rate, *request_.rate) +
                    ", is above p");
    }
    return answer;
  }

 private:
  /// Returns the filters among which a search chooses: one for each k and each number of
  /// generations, unless the request determines them. The window is n inserts. Each filter has its
  /// smallest size, and its other sizes are the multiples of this size.
  /// @throws ConfigError if the variant does not accept any of the filters.
  [[nodiscard]] std::vector<FilterSpec> filters(std::uint64_t num_keys,
                                                unsigned most_generations) const {
    std::vector<FilterSpec> accepted;
    std::optional<ConfigError> why_not;
    FilterSpec spec{.capacity = num_keys, .params = request_.params};
    for (unsigned l = 1; l <= (chooses_generations() ? most_generations : 1); ++l) {
      if (chooses_generations()) {
        spec.params.insert_or_assign("generations", static_cast<double>(l));
      }
      for (unsigned k = first_num_hashes(); k <= last_num_hashes(); ++k) {
        spec.num_hashes = k;
        try {
          accepted.push_back(with_least_size(spec));
        } catch (const ConfigError& error) {  // the kind of the generations may limit k
          if (!why_not) why_not = error;
        }
      }
    }
    if (accepted.empty()) throw *why_not;
    return accepted;
  }

  /// Returns the filters for a window of n inserts. More generations than inserts after the key's
  /// own are never used.
  [[nodiscard]] std::vector<FilterSpec> filters_for(std::uint64_t num_keys) const {
    const auto most = std::clamp<std::uint64_t>(num_keys - 1, 1, kMaxChosenAgeGenerations);
    return filters(num_keys, static_cast<unsigned>(most));
  }

  /// Returns whether the search chooses the number of generations. Otherwise, the request gives the
  /// number, or it follows from the window, or it has a default.
  [[nodiscard]] bool chooses_generations() const {
    const ParamInfo* const info = find_param(variant_.params, "generations");
    return info != nullptr && !info->has_default && !request_.params.contains("generations") &&
           !request_.params.contains("generation_capacity");
  }

  [[nodiscard]] unsigned first_num_hashes() const {
    return request_.num_hashes.value_or(variant_.min_num_hashes);
  }

  [[nodiscard]] unsigned last_num_hashes() const {
    return request_.num_hashes.value_or(variant_.max_num_hashes);
  }

  [[nodiscard]] FilterSpec with_least_size(FilterSpec spec) const {
    spec.num_bits = 1;
    spec.num_bits = variant_.geometry(spec).num_bits();  // rounded up to whole parts
    return spec;
  }

  [[nodiscard]] RatedFilter rated(const FilterSpec& spec) const {
    return {.variant = variant_, .scheme = scheme_, .spec = spec, .hash = request_.hash};
  }

  /// Returns the rate at the worst phase, or infinity if the generations have too few bits for
  /// distinct probes.
  [[nodiscard]] double rate(const FilterSpec& spec) const {
    try {
      return worst_rate(rated(spec)).rate;
    } catch (const std::domain_error&) {
      return std::numeric_limits<double>::infinity();
    }
  }

  /// Returns the filter with a window of n inserts and at most the given size that has the lowest
  /// rate, and the least memory among those.
  [[nodiscard]] FilterSpec lowest_rate(std::uint64_t num_keys, std::uint64_t size) const {
    using Merit = std::pair<double, std::uint64_t>;
    std::optional<std::pair<Merit, FilterSpec>> best;
    std::uint64_t least_size = std::numeric_limits<std::uint64_t>::max();
    for (FilterSpec& spec : filters_for(num_keys)) {
      const std::uint64_t unit = *spec.num_bits;
      least_size = std::min(least_size, unit);
      if (unit > size) continue;
      spec.num_bits = size / unit * unit;
      const Merit merit{rate(spec), *spec.num_bits};
      if (!best || merit < best->first) best = {merit, spec};
    }
    if (best) return best->second;
    throw Refusal("the size must be at least " + std::to_string(least_size) + " bits, got " +
                  std::to_string(size));
  }

  /// Returns the filter with a window of n inserts and a rate of at most p that has the least
  /// memory. A k or a number of generations that needs more memory than the best ones so far costs
  /// one computation of the rate.
  [[nodiscard]] FilterSpec least_memory(std::uint64_t num_keys, double p) const {
    std::optional<FilterSpec> best = own_choice(num_keys, p);
    for (FilterSpec& spec : filters_for(num_keys)) {
      const std::uint64_t unit = *spec.num_bits;
      const auto keeps_p = [&](std::uint64_t num_units) {
        spec.num_bits = num_units * unit;
        return rate(spec) <= p;
      };
      const std::uint64_t most = (best ? *best->num_bits - 1 : kMaxRequestedCount) / unit;
      if (most == 0 || !keeps_p(most)) continue;
      static_cast<void>(keeps_p(*least_that_holds(most, 1, most, keeps_p)));
      best = spec;
    }
    if (!best) refuse_rate(num_keys, p);
    return *best;
  }

  /// Returns the filter that chooses its size for ideal digests, or std::nullopt unless it keeps p.
  [[nodiscard]] std::optional<FilterSpec> own_choice(std::uint64_t num_keys, double p) const {
    FilterSpec spec{.capacity = num_keys,
                    .target_false_positive_rate = p,
                    .num_hashes = request_.num_hashes,
                    .params = request_.params};
    try {
      const Geometry geometry = variant_.geometry(spec);
      spec.params = variant_.resolved_params(spec);
      spec.target_false_positive_rate.reset();
      spec.num_bits = geometry.num_bits();
      spec.num_hashes = geometry.num_hashes;
    } catch (const ConfigError&) {
      return std::nullopt;
    }
    const bool keeps_p = *spec.num_bits <= kMaxRequestedCount && rate(spec) <= p;
    return keeps_p ? std::optional(spec) : std::nullopt;
  }

  /// Refuses a rate that no filter reaches.
  [[noreturn]] void refuse_rate(std::uint64_t num_keys, double p) const {
    const FilterSpec spec = lowest_rate(num_keys, kMaxRequestedCount);
    const std::optional<RateFloor> floor = worst_rate(rated(spec)).floor;
    if (!floor || floor->rate < p) throw Refusal("it needs more than 2^53 cells");
    const WorstPhase worst = find_theory(variant_.name).worst_phase(spec, scheme_.model);
    throw Refusal("p is below " + floor_text(*floor, worst.num_held));
  }

  /// Returns the filter with at most the given size and a rate of at most p that has the longest
  /// window.
  [[nodiscard]] FilterSpec most_keys(std::uint64_t size, double p) const {
    std::optional<FilterSpec> best;
    for (FilterSpec& spec : filters(1, kMaxChosenAgeGenerations)) {
      const auto keeps_p = [&](std::uint64_t num_keys) {
        return num_keys <= kMaxRequestedCount && is_sized(spec, num_keys, size) && rate(spec) <= p;
      };
      const std::uint64_t next = best ? *best->capacity + 1 : 1;
      if (!keeps_p(next)) continue;
      static_cast<void>(keeps_p(*most_that_holds(next, kMaxRequestedCount + 1, keeps_p)));
      best = spec;
    }
    if (best) return *best;
    throw Refusal("the size is too small for a window of one insert at p");
  }

  /// Sets the window to n inserts and the size to the largest one of at most `size` bits. Returns
  /// whether such a filter exists.
  [[nodiscard]] bool is_sized(FilterSpec& spec, std::uint64_t num_keys, std::uint64_t size) const {
    spec.capacity = num_keys;
    try {
      spec = with_least_size(spec);
    } catch (const ConfigError&) {  // the given generations are too short for the window
      return false;
    }
    const std::uint64_t num_units = size / *spec.num_bits;
    *spec.num_bits *= num_units;
    return num_units > 0;
  }

  [[nodiscard]] std::uint64_t given_size() const {
    return request_.num_cells ? *request_.num_cells : requested_memory(request_).value_or(0);
  }

  [[nodiscard]] SizeAnswer answer_for(const FilterSpec& spec) const {
    const ExpectedRate worst = worst_rate(rated(spec));
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
