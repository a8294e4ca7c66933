#pragma once

#include <cstdint>

#include "core/theory/coincidences.hpp"
#include "core/theory/prediction.hpp"
#include "variants/foreign/redis_bitmap/redis_bitmap_filter.hpp"

namespace bloometry {

/// Returns the prediction for a bitmap of num_keys keys. The schemes pyrebloom and go_seeded follow
/// model W exactly (theory 1.3), because the k indices of a key are hashes with k different seeds.
/// For go_seeded, model W requires keys of more than 8 bytes, or an odd m (README, "Rate"). The
/// rate of jedis follows from its coincidences (theory 1.10). For php3, the prediction contains
/// only the classic formula.
/// @throws std::domain_error if theory::exact_rate throws.
[[nodiscard]] inline Prediction redis_bitmap_prediction(RedisScheme scheme, const RedisSizes& sizes,
                                                        std::uint64_t num_keys) {
  const bool is_exact = RedisBitmapFilter::why_no_exact_rate(scheme).empty();
  Prediction of_model = theory::bit_prediction(ProbeModel::kWithReplacement, num_keys,
                                               sizes.num_bits, sizes.num_hashes);
  if (is_exact) {
    // Every index of a key is a hash with another seed, so that no digest is common to all indices.
    of_model.expected = ExpectedRate{.rate = of_model.exact.value()};
    return of_model;
  }
  Prediction prediction;
  for (const NamedRate& rate : of_model.approximations) {
    if (rate.name == "classic") prediction.approximations.push_back(rate);
  }
  if (scheme == RedisScheme::kJedis) {
    const theory::ModelRate rate = theory::coincidence_rate(
        theory::FewWordScheme::kModulo63, num_keys, sizes.num_bits, sizes.num_hashes);
    prediction.expected =
        theory::as_expected_rate(rate, RedisBitmapFilter::why_no_exact_rate(scheme));
  }
  return prediction;
}

}  // namespace bloometry
