#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "core/hash/digest.hpp"
#include "core/key/key_view.hpp"

namespace bloometry {

/// Turns key bytes into a digest. The seed belongs to the hasher: equal seed, equal digests, on
/// every machine. Hashers that compare equal give equal digests. A hasher is made of a 64-bit seed,
/// or is a SecretHasher.
///
/// kIsSeeded says whether the seed changes digests: a family whose published definition has no seed
/// takes one and ignores it. kIsWeak marks an object of study: a family whose digests are not
/// uniform and independent words even for keys that nobody chose against it, so that no theory is
/// tested with it (core/hash/README.md says why of each).
template <class H>
concept Hasher = std::copyable<H> && std::equality_comparable<H> &&
    requires(const H& hasher, KeyView key) {
  { H::kName } -> std::convertible_to<std::string_view>;
  { H::kIsSeeded } -> std::convertible_to<bool>;
  { H::kIsWeak } -> std::convertible_to<bool>;
  { hasher(key) } -> std::same_as<Digest>;
  requires noexcept(hasher(key));
};

/// A hasher that defends against chosen keys: made of a secret of its own type Key and of nothing
/// else, so that no default is known to everybody. It never tells the secret, only an id of it.
template <class H>
concept SecretHasher =
    Hasher<H> && !std::default_initializable<H> && !std::constructible_from<H, std::uint64_t> &&
    std::constructible_from<H, typename H::Key> && requires(const H& hasher) {
  { hasher.key_id() } -> std::same_as<std::uint64_t>;
};

/// Returns the hasher that experiments take for a seed. A secret hasher's key is then as easy to
/// guess as the seed.
template <Hasher H>
[[nodiscard]] H hasher_of_seed(std::uint64_t seed) noexcept {
  if constexpr (SecretHasher<H>) {
    return H(H::Key::of_seed(seed));
  } else {
    return H(seed);
  }
}

/// A hasher that tells its seed, which an error may name.
template <class H>
concept SeededHasher = Hasher<H> && requires(const H& hasher) {
  { hasher.seed() } -> std::same_as<std::uint64_t>;
};

/// A list of hashers, for the registry and for typed tests.
template <Hasher... Hs>
using HasherList = std::tuple<Hs...>;

}  // namespace bloometry
