#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "core/hash/digest.hpp"

namespace bloometry {

/// Three probe models, which have different exact rates (core/theory, README of each variant).
enum class ProbeModel : char {
  kWithReplacement = 'W',  ///< k independent uniform positions, which may repeat
  kDistinct = 'D',         ///< a uniform k-subset of positions
  kPartitioned = 'P',      ///< one uniform position in each of k disjoint slices
};

/// Generator of the probe indices of a key, constructed from a digest and a range. The function
/// next(range) returns the next index in [0, range). All calls must pass the range of the
/// constructor, which must not be 0. The generator does not store the range, because a batch of
/// keys stores one generator per key. A filter of k hashes uses the first k indices. The probes for
/// a smaller k are therefore a subset of the probes for a larger k.
///
/// The constant kModel is the probe model whose rates are compared with the rates of the scheme.
/// The constant kFollowsModel is true if the scheme follows that model, so that tests may compare
/// the scheme's rate with the theory. Schemes with kFollowsModel = false exist for study (double
/// hashing and similar schemes, theory 1.7).
template <class P>
concept ProbePolicy = std::copyable<P> &&
    std::constructible_from<P, const Digest&, std::uint64_t> &&
    requires(P probes, std::uint64_t range) {
  { P::kName } -> std::convertible_to<std::string_view>;
  { P::kModel } -> std::convertible_to<ProbeModel>;
  { P::kFollowsModel } -> std::convertible_to<bool>;
  { probes.next(range) } -> std::same_as<std::uint64_t>;
  requires noexcept(probes.next(range));
};

/// A probe policy that computes its indices from 64-bit words by fastrange. A filter can reduce
/// each word to a different range (the slices of a partitioned filter).
template <class P>
concept WordProbePolicy = ProbePolicy<P> && requires(P probes) {
  { probes.next_word() } -> std::same_as<std::uint64_t>;
  requires noexcept(probes.next_word());
};

/// Rule by which the index of a probe in a range gives the index of the same probe in range / d.
/// The fold of a filter uses the rule (core/store/fold.hpp).
enum class FoldRule {
  kNone,       ///< the index in range / d cannot be computed (double_mod, distinct)
  kModulo,     ///< index mod (range / d), if the index is x mod range with x independent of range
  kFastrange,  ///< floor(index / d), if the index is the fastrange of a word
};

/// Fold rule of a scheme. The rule is the scheme's kFold, or kNone if the scheme does not define
/// kFold.
template <class P>
inline constexpr FoldRule kFoldRule = [] {
  if constexpr (requires { P::kFold; }) return P::kFold;
  return FoldRule::kNone;
}();

/// Whether a scheme uses digest.hi. If a scheme has kUsesDigestHi = false, another part of the
/// filter may use digest.hi (core/block/block_layout.hpp). A scheme without the constant
/// kUsesDigestHi uses both words.
template <class P>
inline constexpr bool kUsesDigestHi = [] {
  if constexpr (requires { P::kUsesDigestHi; }) return P::kUsesDigestHi;
  return true;
}();

/// The bits of a digest from which a scheme computes the probes of a key in one range. Two keys
/// whose digests agree in these bits have the same probes (theory 1.8).
struct DigestBits {
  double num = 128;
  /// Whether each probe reads other bits than all other probes, as long as the bits suffice for all
  /// probes. The probes of a key are then as independent as probes of an unlimited digest.
  bool are_fields = false;
  /// Whether two keys that differ in these bits never have the same probes.
  bool is_injective = false;
  /// Number of bits that select the block of a key, in a filter of blocks.
  double num_for_block = 64;
};

/// Digest bits of a scheme: the constant kDigestBits of the scheme, or both words of a digest if
/// the scheme does not define the constant.
template <class P>
inline constexpr DigestBits kDigestBits = [] {
  if constexpr (requires { P::kDigestBits; }) return P::kDigestBits;
  return DigestBits{};
}();

/// Why the exact rate of the model is only an approximation of the scheme's rate, or an empty
/// string. A scheme with such a reason differs so little from its model that tests may compare the
/// two.
template <class P>
inline constexpr std::string_view kWhyNotExact = [] {
  if constexpr (requires { P::kWhyNotExact; }) return std::string_view(P::kWhyNotExact);
  return std::string_view();
}();

/// A list of probe policies, for the registry and for typed tests.
template <class... Ps>
using ProbeList = std::tuple<Ps...>;

}  // namespace bloometry
