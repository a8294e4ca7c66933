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

/// A description of another program's format: how the program sizes a filter, and the theoretical
/// rate. The functions do not allocate a filter.
struct ForeignFormat {
  std::string_view name;       ///< name of the format's folder, or of a scheme of redis_bitmap
  std::string_view program;    ///< name of the program, such as "Guava (Java)"
  std::string_view size_note;  ///< a note for readers of the sizes; may be empty
  std::optional<unsigned> fixed_num_hashes;  ///< k, if the format has only one
  std::string_view why_no_exact_rate;        ///< empty if predict returns an exact rate
  std::string_view exact_for;  ///< keys for which the exact rate holds; empty for all keys

  /// Returns the sizes that the program chooses for n keys at rate p.
  /// @throws ConfigError if the program, or the format, does not have such a filter.
  ForeignSizes (*sizes_for)(std::uint64_t capacity, double target_false_positive_rate);

  /// Returns the sizes after checking them.
  /// @throws ConfigError if the format does not have a filter of these sizes.
  ForeignSizes (*checked)(const ForeignSizes& sizes);

  /// Returns the theoretical values after num_keys keys: all formulas of the scheme's model, or
  /// only the classic formula. Requires checked sizes.
  Prediction (*predict)(const ForeignSizes& sizes, std::uint64_t num_keys);
};

/// Returns every format, in the order of variants/foreign/README.md; redis_bitmap appears as its
/// four schemes.
[[nodiscard]] std::span<const ForeignFormat> foreign_formats();

/// Returns the format of that name, or null if it does not exist.
[[nodiscard]] const ForeignFormat* find_foreign_format(std::string_view name);

}  // namespace bloometry
