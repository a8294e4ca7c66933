#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "core/hash/digest.hpp"

namespace bloometry {

/// The three probe models whose exact rates differ (core/theory, README of each variant).
enum class ProbeModel : char {
  kWithReplacement = 'W',  ///< k independent uniform positions, repeats allowed
  kDistinct = 'D',         ///< a uniform k-subset of positions
  kPartitioned = 'P',      ///< one uniform position in each of k disjoint slices
};

/// A generator of probe indices, made from (digest, range): next() returns the next index in [0,
/// range). A filter of k hashes uses the first k indices, so the probes of a smaller k are a subset
/// of those of a larger k. A range of 0 is not allowed.
///
/// kModel is the model whose theory is compared with the scheme. kFollowsModel is true if the
/// scheme follows that model, so that tests may compare its rate with the theory. Schemes with
/// kFollowsModel = false exist for study (double hashing and similar schemes, theory 1.7).
template <class P>
concept ProbePolicy = std::copyable<P> &&
    std::constructible_from<P, const Digest&, std::uint64_t> && requires(P probes) {
  { P::kName } -> std::convertible_to<std::string_view>;
  { P::kModel } -> std::convertible_to<ProbeModel>;
  { P::kFollowsModel } -> std::convertible_to<bool>;
  { probes.next() } -> std::same_as<std::uint64_t>;
  requires noexcept(probes.next());
};

/// A probe policy whose indices come from full 64-bit words, so that each probe may have its own
/// range (the slices of a partitioned filter).
template <class P>
concept WordProbePolicy = ProbePolicy<P> && requires(P probes) {
  { probes.next_word() } -> std::same_as<std::uint64_t>;
  requires noexcept(probes.next_word());
};

/// The relation between a probe's index in a range and its index in a range d times as large.
/// Folding a filter needs it (core/store/fold.hpp).
enum class FoldRule {
  kNone,    ///< cannot be folded: the scheme computes with the range itself (double_mod, distinct)
  kModulo,  ///< index mod (range / d): the index is a number independent of the range, mod range
  kFastrange,  ///< floor(index / d): the index is fastrange of a word independent of the range
};

/// The fold rule of a scheme: its kFold, or kNone if the scheme does not define it.
template <class P>
inline constexpr FoldRule kFoldRule = [] {
  if constexpr (requires { P::kFold; }) return P::kFold;
  return FoldRule::kNone;
}();

/// Whether a scheme uses digest.hi. A scheme with kUsesDigestHi = false leaves that word to another
/// part of the filter (core/block/block_layout.hpp); a scheme without the constant uses both words.
template <class P>
inline constexpr bool kUsesDigestHi = [] {
  if constexpr (requires { P::kUsesDigestHi; }) return P::kUsesDigestHi;
  return true;
}();

/// A list of probe policies, for the registry and for typed tests.
template <class... Ps>
using ProbeList = std::tuple<Ps...>;

}  // namespace bloometry
