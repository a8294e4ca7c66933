#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/hash/hasher.hpp"
#include "core/study_hash/md5.hpp"

namespace bloometry {

/// Hasher without a seed. Its two words are the halves of MD5. The word lo consists of A and B, and
/// the word hi consists of C and D. The bytes 0-7 and 8-15 of the printed digest, read
/// little-endian, are the words lo and hi. MD5 is slow. Do not use Md5SplitHasher for keys that an
/// attacker can choose, because attackers can construct collisions of MD5. The family is not weak,
/// because the words are uniform for keys that an attacker did not choose.
class Md5SplitHasher {
 public:
  static constexpr std::string_view kName = "md5_split";
  static constexpr bool kIsSeeded = false;
  static constexpr bool kIsWeak = false;

  explicit Md5SplitHasher(std::uint64_t /*ignored_seed*/ = 0) noexcept {}

  [[nodiscard]] Digest operator()(KeyView key) const noexcept {
    const std::array<std::uint32_t, 4> words = md5(key);
    return {words[0] | std::uint64_t{words[1]} << 32U, words[2] | std::uint64_t{words[3]} << 32U};
  }

  friend bool operator==(const Md5SplitHasher&, const Md5SplitHasher&) noexcept = default;
};

static_assert(Hasher<Md5SplitHasher>);

}  // namespace bloometry
