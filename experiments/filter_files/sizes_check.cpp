#include "experiments/filter_files/sizes_check.hpp"

#include <fmt/core.h>

#include "core/error.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {

SizesCheck check_sizes(RedisScheme scheme, const RedisSizes& sizes, const FittingBits& fitting) {
  return {.fitting = fitting,
          .is_num_bits_checked = fitting.excludes_twice(sizes.num_bits),
          .is_num_hashes_checked = scheme == RedisScheme::kPhp3};
}

SizesCheck check_sizes(const RedisBitmapFilter& filter) {
  return check_sizes(filter.scheme(), {filter.num_bits(), filter.num_hashes()},
                     fitting_bits(filter));
}

std::string text_of(const SizesCheck& check) {
  const std::string needed = "m must be " + interval_text(check.fitting);
  const bool is_k_checked = check.is_num_hashes_checked;
  if (!check.is_num_bits_checked) {
    return fmt::format("{} could not be checked: these set bits only show that {}",
                       is_k_checked ? "m" : "m and k", needed);
  }
  return fmt::format("{} for these set bits{}", needed,
                     is_k_checked ? "" : "; k could not be checked");
}

void require_fitting_num_bits(const RedisBitmapFilter& filter, const std::string& file) {
  const FittingBits fitting = fitting_bits(filter);
  if (fitting.contains(filter.num_bits())) return;
  throw ConfigError(
      fmt::format("{}: -m must be {}, because bit {} is the last of the {}, got {} (or the end of "
                  "the bitmap is missing)",
                  file, interval_text(fitting), fitting.least - 1,
                  plural(filter.bits().count(), "set bit"), filter.num_bits()));
}

}  // namespace bloometry
