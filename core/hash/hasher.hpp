#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "core/hash/digest.hpp"
#include "core/key/key_view.hpp"

namespace bloometry {

/// Maps key bytes to a digest. The seed belongs to the hasher: equal seeds give equal digests on
/// every machine, and so do hashers that compare equal. A hasher is constructed from a 64-bit seed,
/// or is a SecretHasher.
///
/// kIsSeeded is true if the seed changes digests. A family whose published definition does not have
/// a seed accepts one and ignores it. kIsWeak is true if the digests are not uniform and
/// independent words even for keys that were not chosen by an attacker. Theory is not tested with
/// such a family (core/study_hash/README.md).
template <class H>
concept Hasher = std::copyable<H> && std::equality_comparable<H> &&
    requires(const H& hasher, KeyView key) {
  { H::kName } -> std::convertible_to<std::string_view>;
  { H::kIsSeeded } -> std::convertible_to<bool>;
  { H::kIsWeak } -> std::convertible_to<bool>;
  { hasher(key) } -> std::same_as<Digest>;
  requires noexcept(hasher(key));
};

/// A hasher that defends against chosen keys. It is constructed only from a secret of its own type
/// Key, so that there is not a default that everybody knows. It never reveals the secret, only an
/// id of it.
template <class H>
concept SecretHasher =
    Hasher<H> && !std::default_initializable<H> && !std::constructible_from<H, std::uint64_t> &&
    std::constructible_from<H, typename H::Key> && requires(const H& hasher) {
  { hasher.key_id() } -> std::same_as<std::uint64_t>;
};

/// Returns the hasher that experiments use for a seed. A secret hasher's key is then as easy to
/// guess as the seed.
template <Hasher H>
[[nodiscard]] H hasher_of_seed(std::uint64_t seed) noexcept {
  if constexpr (SecretHasher<H>) {
    return H(H::Key::of_seed(seed));
  } else {
    return H(seed);
  }
}

/// A hasher with an observable seed, which an error may name.
template <class H>
concept SeededHasher = Hasher<H> && requires(const H& hasher) {
  { hasher.seed() } -> std::same_as<std::uint64_t>;
};

/// A list of hashers, for the registry and for typed tests.
template <Hasher... Hs>
using HasherList = std::tuple<Hs...>;

}  // namespace bloometry
