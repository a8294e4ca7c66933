#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/contract/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "variants/registry/registry.hpp"
#include "variants/registry/size_request.hpp"

/// Sizing for every variant of the registry. The functions compute the missing values among the
/// number of keys n, the rate p, the size and the number of hashes k. The computation uses the
/// guaranteed rate of the filter itself (filter_rates.hpp), which includes the collisions of its
/// digest bits. The returned rate is therefore the rate after rounding, and never exceeds p. If the
/// floor of a variant is at least p, the answer is a refusal. A scheme that does not follow its
/// model, such as double hashing, has the size of independent probes, and the rate of the answer is
/// its own. The sizes that filters choose for themselves follow from core/rates/sizing.hpp.
namespace bloometry {

/// The answer for one variant, or the reason why the variant cannot meet the request.
struct SizeAnswer {
  std::string_view variant{};
  std::string refusal{};  ///< reason why the request cannot be met, or empty
  ProbeModel model = ProbeModel::kWithReplacement;
  std::string_view probes{};  ///< name of the scheme; empty if no scheme has the requested model
  std::uint64_t num_keys = 0;
  std::uint64_t num_cells = 0;
  unsigned cell_bits = 1;
  unsigned num_hashes = 0;  ///< 0 if each stage has its own k
  Params params{};          ///< parameters that, with num_cells and k, describe the filter
  /// Guaranteed rate for num_keys and num_cells, at most p if p is given. A scheme that does not
  /// follow its model is sized as if it did, so its rate may exceed p.
  double rate = 0;
  double expected_rate = 0;  ///< the same as `rate` if that is exact; otherwise at most `rate`
  /// The name of a RateKind, "design_bound" for a filter that grows, or "approximation" if the rate
  /// of the scheme is unknown.
  std::string_view rate_by = "exact";
  std::string why_not_exact{};       ///< ExpectedRate::why_not_exact
  std::optional<RateFloor> floor{};  ///< ExpectedRate::floor
  /// Expected rate with twice as many keys in the same filter. For a filter that grows, this rate
  /// is p, because growth keeps the rate at most p. For a filter that forgets, it is `rate`,
  /// because further keys replace the older ones. The rate is absent if the filter does not have
  /// room for so many keys.
  std::optional<double> rate_at_twice_num_keys{};

  /// Returns the spec of the sized filter. For a filter that grows, the spec contains the initial
  /// capacity and the target rate, and otherwise the number of cells and k.
  [[nodiscard]] FilterSpec spec() const;

  [[nodiscard]] bool is_sized() const noexcept { return refusal.empty(); }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return num_cells * cell_bits; }

  [[nodiscard]] double bits_per_key() const noexcept {
    return static_cast<double>(num_bits()) / static_cast<double>(num_keys);
  }
};

/// Solves a request for one variant. If n and p are given, the result is the smallest m whose
/// expected rate is at most p. The search for m covers all values of k, or only the given k. For a
/// filter of blocks, m is a multiple of the block size, and a given size is rounded down. If m and
/// p are given, the result is the largest number of keys whose expected rate is at most p. If n and
/// m are given, the result is the rate at the best k. If n, m and p are given and the rate exceeds
/// p, the answer is a refusal. For a filter that grows, the size is the size of one stage for n
/// keys at the bound p, as with FilterSpec. The sizes of filters that forget are whole numbers of
/// equal parts, and the search covers all k and, unless given, all numbers of generations up to 64.
/// A variant that does not meet all needs, or does not have the scheme or a parameter, refuses the
/// request before anything is computed. Cost: about 30 evaluations of the rate. A usual request
/// needs 1 ms for any n, or 10 ms for filters of blocks. The variant variable_increment with k = 64
/// and a few keys may need 0.5 s. The variant age_partitioned needs 50 ms, for the 4096 pairs of k
/// and l.
/// @throws ConfigError if require_valid or require_known_needs throws. If the size is impossible
/// only for this variant, the answer contains a refusal instead.
[[nodiscard]] SizeAnswer solve_size(const VariantInfo& variant, const SizeRequest& request);

/// The nearest answers for one variant if n, p and a size contradict each other. Each answer
/// ignores one of n, p and the size. An answer is absent if the variant cannot meet the request
/// without this value either.
struct NearestAnswers {
  std::optional<SizeAnswer> size_needed{};    ///< size for n keys at p
  std::optional<SizeAnswer> keys_that_fit{};  ///< number of keys for the given size at p
  std::optional<SizeAnswer> rate_reached{};   ///< rate of n keys in the given size
};

/// Returns the nearest answers to a request.
/// @throws ConfigError if require_valid throws, or if one of n, p and a size is missing.
[[nodiscard]] NearestAnswers nearest_answers(const VariantInfo& variant,
                                             const SizeRequest& request);

/// The answer of a variant, or the nearest possible answers if n, p and the size contradict each
/// other.
struct VariantAnswer {
  SizeAnswer answer{};
  std::optional<NearestAnswers> nearest{};
};

/// Returns the answers of all variants, in the order of AllVariants. An answer whose rate is
/// unknown or above p, as with double hashing, is a refusal.
/// @throws ConfigError if solve_size throws, or if no variant has the scheme.
[[nodiscard]] std::vector<VariantAnswer> solve_all(const SizeRequest& request);

/// Returns the best answer, or std::nullopt if all answers are refusals. The best answer has the
/// least memory. If a size is requested, it has the lowest rate for n, or the most keys for p.
[[nodiscard]] std::optional<SizeAnswer> best_answer(const SizeRequest& request,
                                                    const std::vector<VariantAnswer>& answers);

/// Returns the k with the lowest expected rate among the values that the variant accepts. The spec
/// must have a size and may have params. If two values of k are equally good, the function returns
/// the smaller k. The search starts at the k of the spec, or at the variant's own choice. From
/// there, the search follows decreasing rates, because the rate has one minimum in k.
/// @throws ConfigError if the variant's geometry throws.
[[nodiscard]] unsigned best_num_hashes(const VariantInfo& variant, const FilterSpec& spec,
                                       ProbeModel model, std::uint64_t num_keys);

/// Returns the k with the lowest expected rate. The argument `rate` returns the expected rate for a
/// k, for example from a cache.
[[nodiscard]] unsigned best_num_hashes(const VariantInfo& variant, const FilterSpec& spec,
                                       ProbeModel model, std::uint64_t num_keys,
                                       const std::function<double(unsigned)>& rate);

}  // namespace bloometry
