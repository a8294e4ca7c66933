#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/contract/filter_spec.hpp"
#include "core/contract/params.hpp"
#include "core/contract/window.hpp"

namespace bloometry {

/// The kind of the generations of a rotating filter.
enum class GenerationKind {
  kStandard,  ///< a standard filter
  kBlocked,   ///< a blocked filter with blocks of one cache line and the scheme bit_fields
  kLanes,     ///< a lanes filter
};

/// Returns the name of the kind, which is also the name of the variant of its filters.
[[nodiscard]] std::string_view name_of(GenerationKind kind) noexcept;

/// Limits of the number of generations B.
inline constexpr unsigned kMinGenerations = 2;
inline constexpr unsigned kMaxGenerations = 64;

/// Largest number of inserts per generation. Parameters are doubles, which represent every integer
/// up to 2^53.
inline constexpr std::uint64_t kMaxGenerationCapacity = std::uint64_t{1} << 53U;

/// All settings of a rotating filter.
struct RotatingSettings {
  unsigned num_generations = 0;           // B
  std::uint64_t generation_capacity = 0;  // g
  bool rotates_on_inserts = true;
  GenerationKind kind = GenerationKind::kStandard;
  Geometry generation{};  ///< geometry of one generation, with max_fill

  /// Returns the geometry of the whole filter: B times the cells of a generation.
  [[nodiscard]] Geometry whole() const noexcept;

  /// Returns the window: (B-1) g + 1 insert calls, and B - 1 ticks.
  [[nodiscard]] Window window() const noexcept;

  friend bool operator==(const RotatingSettings&, const RotatingSettings&) noexcept = default;
};

inline constexpr std::array<ParamInfo, 4> kRotatingParams = {
    ParamInfo{.name = "generation",
              .kind = ParamKind::kText,
              .meaning = "kind of filter of a generation; blocked: all probes in one cache line "
                         "(bit_fields); lanes: one in each word of such a line, the fastest",
              .choices = "standard|blocked|lanes",
              .default_text = "standard"},
    ParamInfo{.name = "generation_capacity",
              .kind = ParamKind::kInteger,
              .meaning = "g: insert calls per generation; default: the capacity W of the spec is "
                         "the window, and g = ceil((W-1)/(generations-1)), at least 1",
              .min = 1,
              .max = double{kMaxGenerationCapacity},
              .has_default = false},
    ParamInfo{.name = "generations",
              .kind = ParamKind::kInteger,
              .meaning = "B: filters in the ring; a key is found while at most (B-1) g + 1 insert "
                         "calls have been made, its own included",
              .min = kMinGenerations,
              .max = kMaxGenerations,
              .default_number = 8},
    ParamInfo{.name = "rotation",
              .kind = ParamKind::kText,
              .meaning =
                  "what closes a generation; inserts: insert g + 1, or a tick; ticks: only a "
                  "tick, so that a generation may receive more than g keys",
              .choices = "inserts|ticks",
              .default_text = "inserts"}};

/// Returns the number of inserts per generation for a window of `window` >= 1 insert calls:
/// ceil((W-1)/(B-1)), at least 1.
[[nodiscard]] std::uint64_t generation_capacity_for(std::uint64_t window,
                                                    unsigned num_generations) noexcept;

/// Returns the rate of a generation at which a filter of num_generations equal generations has the
/// given rate: 1 - (1-P)^(1/B).
[[nodiscard]] double generation_rate(double rate, unsigned num_generations) noexcept;

/// Returns the settings that a spec requests. The size of the spec is that of all generations, and
/// is rounded up to equal generations. The target rate is the rate while all generations are full.
/// @throws ConfigError if the spec contains an unknown parameter or a value out of range, if it
/// does not determine the size, k and the generation capacity, or if they contradict each other.
[[nodiscard]] RotatingSettings rotating_settings(const FilterSpec& spec);

/// Returns the geometry of rotating_settings(spec).whole(), which does not need the generation
/// capacity if the spec contains the size and k.
/// @throws ConfigError if rotating_settings throws for another reason.
[[nodiscard]] Geometry rotating_geometry(const FilterSpec& spec);

/// Returns the parameters of a spec that requests the settings, together with whole().
[[nodiscard]] Params params_of(const RotatingSettings& settings);

}  // namespace bloometry
