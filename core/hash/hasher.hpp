#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "core/hash/digest.hpp"
#include "core/key/key_view.hpp"

namespace bloometry {

/// Turns key bytes into a digest. The seed belongs to the hasher: equal seed, equal digests, on
/// every machine.
template <class H>
concept Hasher = std::copyable<H> && std::constructible_from<H, std::uint64_t> &&
    requires(const H& hasher, KeyView key) {
  { H::kName } -> std::convertible_to<std::string_view>;
  { hasher(key) } -> std::same_as<Digest>;
  requires noexcept(hasher(key));
};

/// A hasher that tells its seed, so that two of them can be seen to agree.
template <class H>
concept SeededHasher = Hasher<H> && requires(const H& hasher) {
  { hasher.seed() } -> std::same_as<std::uint64_t>;
};

}  // namespace bloometry
