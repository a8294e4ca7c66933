#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/hash/xxh3_hasher.hpp"

namespace bloometry {

/// Derives independent seeds from one root seed. The arguments are the purpose (hash, keys, split,
/// churn, window, stream, order), the source of the keys and the trial.
///
/// A seed is the low 64 bits of XXH3-128 of "bloometry/1/purpose/source/trial" under the root seed.
/// A seed depends only on the root seed and the arguments, so a trial can be repeated alone, in any
/// order and on any machine.
class SeedSequence {
 public:
  explicit SeedSequence(std::uint64_t root_seed) noexcept : hasher_(root_seed) {}

  [[nodiscard]] std::uint64_t seed(std::string_view purpose, std::string_view source,
                                   std::uint64_t trial) const {
    std::string text = "bloometry/1/";
    text.append(purpose).append("/").append(source).append("/").append(std::to_string(trial));
    return hasher_(std::string_view(text)).lo;
  }

 private:
  Xxh3Hasher hasher_;
};

}  // namespace bloometry
