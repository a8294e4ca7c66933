#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/theory/prediction.hpp"

namespace bloometry {

/// The size m in bits and the number of hashes k of another program's filter.
struct ForeignSizes {
  std::uint64_t num_bits = 0;
  unsigned num_hashes = 0;

  friend bool operator==(const ForeignSizes&, const ForeignSizes&) = default;
};

/// The format of another program, with the sizes that the program chooses and the theoretical rate.
/// The functions of a format do not allocate a filter.
struct ForeignFormat {
  std::string_view name;       ///< name of the format's folder, or of a scheme of redis_bitmap
  std::string_view program;    ///< name of the program, such as "Guava (Java)"
  std::string_view size_note;  ///< note about the sizes, or empty
  std::optional<unsigned> fixed_num_hashes;  ///< k, if the format has only one value of k
  std::string_view why_no_exact_rate;        ///< reason why the exact rate is unknown, or empty
  /// Largest m that the program chooses, if the program reduces a larger m without an error.
  std::optional<std::uint64_t> max_num_bits;
  std::string_view exact_for;  ///< condition on keys for the exact rate; empty for all keys
  bool grows = false;  ///< whether the sizes for n keys are those of a first stage for n keys

  /// Returns the sizes that the program chooses for n keys at rate p.
  /// @throws ConfigError if the program cannot create such a filter, or the format cannot store it.
  ForeignSizes (*sizes_for)(std::uint64_t capacity, double target_false_positive_rate);

  /// Checks the sizes and returns them.
  /// @throws ConfigError if the format does not have a filter of these sizes.
  ForeignSizes (*checked)(const ForeignSizes& sizes);

  /// Returns the theoretical values after num_keys keys, from all formulas of the scheme's probe
  /// model. For a scheme with few words per key, such as double hashing, `expected` is the rate by
  /// its coincidences (core/theory/coincidences.hpp). Without a probe model, the only approximation
  /// is the classic formula. Requires checked sizes.
  Prediction (*predict)(const ForeignSizes& sizes, std::uint64_t num_keys);
};

/// Returns the rate after `capacity` keys if the program limits m so that this rate exceeds the
/// target rate. Returns nullopt otherwise. The rate is that of Prediction::expected, or of
/// the classic formula if `expected` is absent.
/// @throws ConfigError if format.sizes_for throws.
[[nodiscard]] std::optional<double> rate_of_limited_size(const ForeignFormat& format,
                                                         std::uint64_t capacity,
                                                         double target_false_positive_rate);

/// Returns every format, in the order of variants/foreign/README.md. The four schemes of
/// redis_bitmap are separate formats.
[[nodiscard]] std::span<const ForeignFormat> foreign_formats();

/// Returns the format with the given name, or null if the format does not exist.
[[nodiscard]] const ForeignFormat* find_foreign_format(std::string_view name);

}  // namespace bloometry
