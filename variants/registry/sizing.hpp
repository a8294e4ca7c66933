#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/filter/filter_spec.hpp"
#include "core/filter/params.hpp"
#include "core/probe/probe_policy.hpp"
#include "variants/registry/registry.hpp"

/// Sizing over the registry: computes the missing value of n keys, rate p, size and k hashes, for
/// any variant. It uses the variant's own expected rate (Theory<F>), so the returned rate is the
/// exact rate after rounding and never above p. The classic relations only provide starting points
/// for the searches.
namespace bloometry {

/// Two or three of n, p and a size; k is optional and defaults to the best.
struct SizeRequest {
  std::optional<std::uint64_t> num_keys{};   ///< n
  std::optional<double> rate{};              ///< p, in (0, 1)
  std::optional<std::uint64_t> num_cells{};  ///< m: bits, or counters of a counting filter
  std::optional<std::uint64_t> num_bits{};   ///< memory, instead of num_cells
  std::optional<unsigned> num_hashes{};      ///< k
  std::optional<ProbeModel> model{};         ///< default: that of the variant's default scheme
};

/// The answer for one variant, or the reason why it does not have one.
struct SizeAnswer {
  std::string_view variant{};
  std::string refusal{};  ///< why the request does not have an answer; empty if it has
  ProbeModel model = ProbeModel::kWithReplacement;
  std::uint64_t num_keys = 0;
  std::uint64_t num_cells = 0;
  unsigned cell_bits = 1;
  unsigned num_hashes = 0;  ///< 0: chosen stage by stage
  double rate = 0;          ///< expected for num_keys keys in num_cells cells; <= p if p was given
  std::string_view rate_by = "exact";  ///< exact, or the formula that replaces it
  /// Expected rate with twice as many keys in the same filter; for a filter that grows, p, which it
  /// keeps.
  double rate_at_twice_num_keys = 0;

  [[nodiscard]] bool is_sized() const noexcept { return refusal.empty(); }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return num_cells * cell_bits; }

  [[nodiscard]] double bits_per_key() const noexcept {
    return static_cast<double>(num_bits()) / static_cast<double>(num_keys);
  }
};

/// Checks the request.
/// @throws ConfigError with every problem of the request: too few or impossible numbers.
void require_valid(const SizeRequest& request);

/// Solves for one variant with the given parameters:
/// - n and p: the least m, over all k unless one is given, for which the expected rate is at most
///   p. For a filter of blocks, m is a multiple of the block, and a given size is rounded down;
/// - m and p: the most keys whose expected rate is at most p;
/// - n and m: the rate at the best k; refused if p is given too and not reached. A filter that
///   grows is sized as FilterSpec sizes it: one stage for n keys, at the bound p that it keeps
///   while it grows. Cost: about 30 evaluations of the rate, 1 ms for usual requests and any n, 10
///   ms in blocks. variable_increment with k = 64 and a few keys may need 0.5 s.
/// @throws ConfigError as require_valid does. A size that only this variant cannot have is a
/// refusal in the answer.
[[nodiscard]] SizeAnswer solve_size(const VariantInfo& variant, const SizeRequest& request,
                                    const Params& params = {});

/// The nearest sizes that one variant can have where n, p and a size contradict each other: each
/// answer leaves one of the three out. An absent answer is impossible too.
struct NearestAnswers {
  std::optional<SizeAnswer> size_needed{};    ///< the size for n keys at p
  std::optional<SizeAnswer> keys_that_fit{};  ///< the keys that fit this size at p
  std::optional<SizeAnswer> rate_reached{};   ///< the rate of n keys in this size
};

/// Returns the nearest answers.
/// @throws ConfigError as require_valid does, and unless n, p and a size are given.
[[nodiscard]] NearestAnswers nearest_answers(const VariantInfo& variant, const SizeRequest& request,
                                             const Params& params = {});

/// Returns the k that the variant accepts with the least expected rate, for a spec that names a
/// size and perhaps params. If two k are equally good, returns the smaller. Climbs from the spec's
/// k, or else from the variant's own choice, because the rate has one minimum in k.
/// @throws ConfigError as the variant's geometry does.
[[nodiscard]] unsigned best_num_hashes(const VariantInfo& variant, const FilterSpec& spec,
                                       ProbeModel model, std::uint64_t num_keys);

/// Returns the best k as above, where the caller provides the expected rate for k, for example from
/// a cache.
[[nodiscard]] unsigned best_num_hashes(const VariantInfo& variant, const FilterSpec& spec,
                                       ProbeModel model, std::uint64_t num_keys,
                                       const std::function<double(unsigned)>& rate);

}  // namespace bloometry
