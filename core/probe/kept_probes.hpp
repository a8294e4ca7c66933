#pragma once

#include <cstdint>

#include "core/hash/range_reduction.hpp"
#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// A WordProbePolicy with a second generator, P::Words(digest), that does not store the range. The
/// function next() of this generator returns the next word.
template <class P>
concept RangelessProbePolicy = WordProbePolicy<P> &&
    std::constructible_from<typename P::Words, const Digest&> && requires(typename P::Words words) {
  { words.next() } -> std::same_as<std::uint64_t>;
  requires noexcept(words.next());
};

/// Probe generators of the keys of a batch over one range. The indices of a key equal the indices
/// that P(digest, range) generates. If the scheme is a RangelessProbePolicy, the range is stored
/// once per batch instead of once per key.
template <ProbePolicy P>
class KeptProbes {
 public:
  /// Probe generator of one key.
  using State = P;

  explicit constexpr KeptProbes(std::uint64_t range) noexcept : range_(range) {}

  [[nodiscard]] constexpr State start(const Digest& digest) const noexcept {
    return State(digest, range_);
  }

  constexpr std::uint64_t next(State& state) const noexcept { return state.next(); }

  constexpr std::uint64_t next_word(State& state) const noexcept requires WordProbePolicy<P> {
    return state.next_word();
  }

 private:
  std::uint64_t range_;
};

template <RangelessProbePolicy P>
class KeptProbes<P> {
 public:
  using State = typename P::Words;

  explicit constexpr KeptProbes(std::uint64_t range) noexcept : range_(range) {}

  [[nodiscard]] constexpr State start(const Digest& digest) const noexcept { return State(digest); }

  constexpr std::uint64_t next(State& state) const noexcept {
    return fastrange(state.next(), range_);
  }

  constexpr std::uint64_t next_word(State& state) const noexcept { return state.next(); }

 private:
  std::uint64_t range_;
};

}  // namespace bloometry
