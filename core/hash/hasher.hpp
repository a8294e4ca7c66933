#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "core/hash/digest.hpp"
#include "core/hash/key_view.hpp"

namespace bloometry {

/// A function object that maps the bytes of a key to a digest. The seed is a member of the hasher.
/// Hashers of one family with equal seeds compare equal and return equal digests on every machine.
/// A hasher is constructed from a 64-bit seed, or is a SecretHasher.
///
/// The constant kIsSeeded is true if the seed changes digests. A family whose published definition
/// has no seed accepts a seed and ignores it. The constant kIsWeak is true if the two words of a
/// digest are not uniform and independent, even without an attacker. The tests of the theory do not
/// use weak families (core/study_hash/README.md).
template <class H>
concept Hasher = std::copyable<H> && std::equality_comparable<H> &&
    requires(const H& hasher, KeyView key) {
  { H::kName } -> std::convertible_to<std::string_view>;
  { H::kIsSeeded } -> std::convertible_to<bool>;
  { H::kIsWeak } -> std::convertible_to<bool>;
  { hasher(key) } -> std::same_as<Digest>;
  requires noexcept(hasher(key));
};

/// A hasher that protects a filter against keys that an attacker chooses. The only argument of the
/// constructor is a secret of the type Key, because a default secret would be public. The function
/// key_id() returns an id of the secret, which itself cannot be read.
template <class H>
concept SecretHasher =
    Hasher<H> && !std::default_initializable<H> && !std::constructible_from<H, std::uint64_t> &&
    std::constructible_from<H, typename H::Key> && requires(const H& hasher) {
  { hasher.key_id() } -> std::same_as<std::uint64_t>;
};

/// Returns the hasher that experiments use for a seed. For a secret hasher, the key made from the
/// seed is as easy to guess as the seed.
template <Hasher H>
[[nodiscard]] H hasher_of_seed(std::uint64_t seed) noexcept {
  if constexpr (SecretHasher<H>) {
    return H(H::Key::of_seed(seed));
  } else {
    return H(seed);
  }
}

/// A hasher with a public seed, which an error message may contain.
template <class H>
concept SeededHasher = Hasher<H> && requires(const H& hasher) {
  { hasher.seed() } -> std::same_as<std::uint64_t>;
};

/// Number of bits of a family's digests: the constant kNumBits of the family, or 128 if the family
/// does not define the constant. A digest of w bits has at most 2^w values, so two keys have equal
/// digests with probability 2^-w (theory 1.8).
template <Hasher H>
inline constexpr double kHashBits = [] {
  if constexpr (requires { H::kNumBits; }) return H::kNumBits;
  return 128.0;
}();

/// A list of hashers, for the registry and for typed tests.
template <Hasher... Hs>
using HasherList = std::tuple<Hs...>;

}  // namespace bloometry
