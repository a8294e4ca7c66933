#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/contract/filter_spec.hpp"
#include "core/contract/params.hpp"
#include "variants/age_partitioned/age_partitioned_rates.hpp"

/// Parameters and sizes of age-partitioned filters. The member `capacity` of a spec is the window
/// W, a number of insert calls. The member `num_hashes` is k.
namespace bloometry {

inline constexpr std::string_view kAgePartitionedName = "age_partitioned";

/// Largest l. A key stays in the filter for at most (l + 1) g insert calls, so that l = 256 forgets
/// within 0.4 % of the window.
inline constexpr unsigned kMaxAgeGenerations = 256;

/// Largest l that a spec without the parameter `generations` gets. With more slices, a query needs
/// more probes. For a window of 1e6 inserts, the least memory is at l = 63 at a rate of 1 %, and at
/// l = 125 at 0.1 %, where the best l up to 64 needs 1.6 % more.
inline constexpr unsigned kMaxChosenAgeGenerations = 64;

/// Default of l if the parameter generation_capacity and no capacity determines the window.
inline constexpr unsigned kDefaultAgeGenerations = 8;

/// Largest g, so that counts of insert calls have whole doubles.
inline constexpr double kMaxAgeGenerationCapacity = 0x1p53;

inline constexpr std::array<ParamInfo, 3> kAgePartitionedParams = {{
    {.name = "generations",
     .kind = ParamKind::kInteger,
     .meaning = "generations l for which a key is kept after its own; by default, the number up to "
                "64 with the least memory, or with the lowest rate for a given size; 8 without a "
                "capacity",
     .min = 1,
     .max = kMaxAgeGenerations,
     .has_default = false},
    {.name = "generation_capacity",
     .kind = ParamKind::kInteger,
     .meaning = "insert calls g per generation; by default, the least g for a window l g + 1 of "
                "capacity insert calls",
     .min = 1,
     .max = kMaxAgeGenerationCapacity,
     .has_default = false},
    {.name = "rotation",
     .kind = ParamKind::kText,
     .meaning = "what rotates the generations: tick() and the inserts, or tick() only",
     .choices = "inserts|ticks",
     .default_text = "inserts"},
}};

/// Returns the sizes of a filter.
///
/// With target_false_positive_rate, the filter has the least memory with which its highest expected
/// rate is at most the target. With another size, the number of bits is rounded up to slices of
/// equal length. The values of k and l that the spec omits are those with the least memory or the
/// lowest rate; l is then at most 64. The search visits a few k for each l. Without a capacity, the
/// parameter generation_capacity is required, and l is 8 unless it is given.
/// @param params parameters of the spec; they may omit values
/// @throws ConfigError if the spec does not determine the sizes, contradicts itself or is out of
/// range.
[[nodiscard]] AgeShape age_shape(const FilterSpec& spec, const Params& params);

}  // namespace bloometry
