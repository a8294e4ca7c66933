#pragma once

#include <cstdint>

#include "core/hash/range_reduction.hpp"
#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// A word policy with a generator that does not store the range. The function
/// P::Words(digest).next() returns the next word.
template <class P>
concept RangelessProbePolicy = WordProbePolicy<P> &&
    std::constructible_from<typename P::Words, const Digest&> && requires(typename P::Words words) {
  { words.next() } -> std::same_as<std::uint64_t>;
  requires noexcept(words.next());
};

/// Generators of many keys over one range, for batches of hundreds of keys. KeptProbes produces the
/// same indices as P(digest, range), but stores the range only once if the scheme is a
/// RangelessProbePolicy.
template <ProbePolicy P>
class KeptProbes {
 public:
  /// State that is stored per key.
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
