#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/contract/filter_spec.hpp"
#include "core/contract/params.hpp"
#include "core/contract/window.hpp"
#include "core/engine/generation_clock.hpp"
#include "core/file/file_header.hpp"
#include "variants/age_partitioned/age_partitioned_rates.hpp"

namespace bloometry {

/// All settings of an age-partitioned filter.
struct AgeSettings {
  AgeShape shape{};
  bool rotates_on_inserts = true;    ///< whether inserts rotate the generations, and not only ticks
  std::optional<double> max_fill{};  ///< max_fill of the spec

  friend bool operator==(const AgeSettings&, const AgeSettings&) noexcept = default;
};

/// Returns the settings of a filter with the spec.
/// @throws ConfigError if a parameter or max_fill is not valid, or if age_shape throws
[[nodiscard]] AgeSettings age_settings(const FilterSpec& spec);

[[nodiscard]] Geometry geometry_of(const AgeSettings& settings) noexcept;

/// Returns the values of all parameters. With k and the number of bits, they describe the filter.
[[nodiscard]] Params age_params(const AgeSettings& settings);

[[nodiscard]] Window age_window(const AgeSettings& settings) noexcept;

/// Returns the clock of a new filter. The generation in each slot wrote the slice in it first.
[[nodiscard]] GenerationClock clock_of(const AgeSettings& settings);

/// Writes the settings and the counts of a filter to the header of its file.
void describe_age_partitioned(const AgeSettings& settings, const GenerationClock& clock,
                              FileHeader& header);

/// Returns an error message if the header is not that of an age-partitioned filter with the probe
/// scheme and the size of the payload, and an empty string otherwise. Does not allocate memory for
/// the cells.
[[nodiscard]] std::string age_file_mismatch(const FileHeader& header, std::string_view probes,
                                            std::uint64_t payload_bytes);

/// Returns the settings in a header for which age_file_mismatch returned an empty string.
[[nodiscard]] AgeSettings age_settings_in(const FileHeader& header);

}  // namespace bloometry
