#pragma once

#include <cstdint>
#include <string_view>

#include "core/hash/hasher.hpp"
#include "core/hash/narrow_digest.hpp"
#include "core/study_hash/php_hashes.hpp"

namespace bloometry {

// Hashers of the PHP scheme (php_hashes.hpp), one class per hash. Each hash has 32 bits, and is
// unseeded and weak. Two URLs that differ only in the last character have equal BKDR hashes in 99 %
// of cases and equal SDBM hashes in 41 %.

class BkdrHasher {
 public:
  static constexpr std::string_view kName = "bkdr";
  static constexpr bool kIsSeeded = false;
  static constexpr bool kIsWeak = true;
  static constexpr double kNumBits = 32;

  explicit BkdrHasher(std::uint64_t /*ignored_seed*/ = 0) noexcept {}

  [[nodiscard]] Digest operator()(KeyView key) const noexcept {
    return digest_of_32_bits(php_hash_of_state(php_bkdr_state(key)));
  }

  friend bool operator==(const BkdrHasher&, const BkdrHasher&) noexcept = default;
};

class JsHasher {
 public:
  static constexpr std::string_view kName = "js";
  static constexpr bool kIsSeeded = false;
  static constexpr bool kIsWeak = true;
  static constexpr double kNumBits = 32;

  explicit JsHasher(std::uint64_t /*ignored_seed*/ = 0) noexcept {}

  [[nodiscard]] Digest operator()(KeyView key) const noexcept {
    return digest_of_32_bits(php_hash_of_state(php_js_state(key)));
  }

  friend bool operator==(const JsHasher&, const JsHasher&) noexcept = default;
};

class SdbmHasher {
 public:
  static constexpr std::string_view kName = "sdbm";
  static constexpr bool kIsSeeded = false;
  static constexpr bool kIsWeak = true;
  static constexpr double kNumBits = 32;

  explicit SdbmHasher(std::uint64_t /*ignored_seed*/ = 0) noexcept {}

  [[nodiscard]] Digest operator()(KeyView key) const noexcept {
    return digest_of_32_bits(php_hash_of_state(php_sdbm_state(key)));
  }

  friend bool operator==(const SdbmHasher&, const SdbmHasher&) noexcept = default;
};

static_assert(Hasher<BkdrHasher>);
static_assert(Hasher<JsHasher>);
static_assert(Hasher<SdbmHasher>);

}  // namespace bloometry
