#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/theory/prediction.hpp"

namespace bloometry {

/// m and k of another program's filter.
struct ForeignSizes {
  std::uint64_t num_bits = 0;
  unsigned num_hashes = 0;

  friend bool operator==(const ForeignSizes&, const ForeignSizes&) = default;
};

/// A format of another program as data: how the program sizes a filter, and what theory knows of
/// its rate. Nothing here allocates a filter.
struct ForeignFormat {
  std::string_view name;       ///< that of its folder, or of a scheme of redis_bitmap
  std::string_view program;    ///< "Guava (Java)"
  std::string_view size_note;  ///< what a reader of the sizes must know; empty if nothing
  std::optional<unsigned> fixed_num_hashes;  ///< k, where the format has one k only
  std::string_view why_no_exact_rate;        ///< empty if predict gives an exact rate
  std::string_view exact_for;                ///< the keys of which the exact rate holds; empty: all

  /// Returns what the program makes of n keys at rate p.
  /// @throws ConfigError where the program, or the format, has no such filter.
  ForeignSizes (*sizes_for)(std::uint64_t capacity, double target_false_positive_rate);

  /// Returns the sizes.
  /// @throws ConfigError unless the format has a filter of them.
  ForeignSizes (*checked)(const ForeignSizes& sizes);

  /// Returns what theory expects after num_keys keys: all of its model, or the classic formula
  /// alone. Requires checked sizes.
  Prediction (*predict)(const ForeignSizes& sizes, std::uint64_t num_keys);
};

/// Every format, in the order of variants/foreign/README.md; redis_bitmap as its four schemes.
[[nodiscard]] std::span<const ForeignFormat> foreign_formats();

/// Returns null if no format has that name.
[[nodiscard]] const ForeignFormat* find_foreign_format(std::string_view name);

}  // namespace bloometry
