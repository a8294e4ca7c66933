#include "variants/rotating/rotating_params.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "core/contract/size_axis.hpp"
#include "core/error.hpp"
#include "core/rates/sizing.hpp"
#include "variants/blocked/blocked_sizing.hpp"
#include "variants/lanes/lanes_sizing.hpp"

namespace bloometry {
namespace {

constexpr unsigned kGenerationBlockBits = 512;  // a block is one cache line

GenerationKind kind_of(const Params& params) {
  const std::string& name = text_param(params, "generation");
  if (name == "blocked") return GenerationKind::kBlocked;
  return name == "lanes" ? GenerationKind::kLanes : GenerationKind::kStandard;
}

unsigned num_generations_of(const Params& params) {
  return static_cast<unsigned>(number_param(params, "generations"));
}

/// Returns the generation capacity that the spec states or that follows from its window, or
/// std::nullopt if the spec has neither.
/// @throws ConfigError if the capacity is 0, or the generation capacity above its limit.
std::optional<std::uint64_t> generation_capacity_of(const FilterSpec& spec, const Params& params) {
  if (params.contains("generation_capacity")) {
    return static_cast<std::uint64_t>(number_param(params, "generation_capacity"));
  }
  if (!spec.capacity) return std::nullopt;
  if (*spec.capacity == 0) throw ConfigError("capacity", "must be at least 1, got 0");
  const std::uint64_t capacity =
      generation_capacity_for(*spec.capacity, num_generations_of(params));
  if (capacity <= kMaxGenerationCapacity) return capacity;
  throw ConfigError("capacity", "must give at most 2^53 inserts per generation, got " +
                                    std::to_string(*spec.capacity));
}

[[noreturn]] void refuse_without_window() {
  throw ConfigError("capacity",
                    "must be given for rotating, unless generation_capacity is: the number of "
                    "insert calls of the window");
}

/// Returns count divided by the number of generations, rounded up.
std::uint64_t share_of(std::uint64_t count, unsigned num_generations) {
  return count / num_generations + static_cast<std::uint64_t>(count % num_generations != 0);
}

/// Returns the bits of all generations that bits_per_key requests.
std::uint64_t requested_bits(const FilterSpec& spec) {
  return required_cells({.capacity = spec.capacity, .bits_per_key = spec.bits_per_key}, 1);
}

/// Returns the spec of one generation: an equal share of the size or of the rate.
FilterSpec spec_of_generation(const FilterSpec& spec, unsigned num_generations,
                              std::optional<std::uint64_t> capacity) {
  FilterSpec part = {
      .capacity = capacity, .num_hashes = spec.num_hashes, .max_fill = spec.max_fill};
  const auto share = [&](const std::optional<std::uint64_t>& whole) {
    return whole ? std::optional(share_of(*whole, num_generations)) : std::nullopt;
  };
  part.num_bits = spec.bits_per_key ? share(requested_bits(spec)) : share(spec.num_bits);
  part.num_counters = share(spec.num_counters);
  part.num_blocks = share(spec.num_blocks);
  if (spec.target_false_positive_rate) {
    part.target_false_positive_rate =
        generation_rate(checked_rate(*spec.target_false_positive_rate), num_generations);
  }
  return part;
}

Geometry geometry_of_kind(GenerationKind kind, const FilterSpec& spec) {
  switch (kind) {
    case GenerationKind::kBlocked:
      return blocked_geometry(spec, kGenerationBlockBits, 1);
    case GenerationKind::kLanes:
      return lanes_geometry(spec);
    default:
      return bloom_geometry(spec, 1);
  }
}

/// Returns the geometry of one generation.
/// @throws ConfigError with the target rate of the whole filter if a generation cannot have its
/// share of it
Geometry geometry_of_generation(GenerationKind kind, const FilterSpec& spec,
                                unsigned num_generations, std::optional<std::uint64_t> capacity) {
  const FilterSpec part = spec_of_generation(spec, num_generations, capacity);
  try {
    return geometry_of_kind(kind, part);
  } catch (const ConfigError& error) {
    if (!std::string_view(error.what()).starts_with("target_false_positive_rate")) throw;
    throw ConfigError("target_false_positive_rate",
                      "must give between 1 and 2^57 cells per generation, got " +
                          to_string(ParamValue(*spec.target_false_positive_rate)));
  }
}

/// Checks that the spec contains at most one of the members that give the size.
void require_one_size(const FilterSpec& spec) {
  if (size_axes_given(spec).size() > 1) static_cast<void>(required_cells(spec, 1));
}

/// Checks the size of the whole filter, whose number of bits must fit in 64 bits.
void require_size(const Geometry& generation, unsigned num_generations) {
  static_cast<void>(checked_cells(
      static_cast<double>(generation.num_cells) * num_generations, "size",
      std::to_string(num_generations) + " generations of " + std::to_string(generation.num_cells)));
}

/// Checks that the generations of a spec that states both their capacity and the window are large
/// enough for the window.
void require_window(const FilterSpec& spec, const RotatingSettings& settings) {
  const bool states_both = spec.capacity && spec.params.contains("generation_capacity");
  if (!states_both || !settings.rotates_on_inserts) return;
  const std::uint64_t least = generation_capacity_for(*spec.capacity, settings.num_generations);
  if (settings.generation_capacity >= least) return;
  throw ConfigError("generation_capacity",
                    "must be at least " + std::to_string(least) + " for a window of " +
                        std::to_string(*spec.capacity) + " insert calls, got " +
                        std::to_string(settings.generation_capacity));
}

/// Returns the settings; generation_capacity is 0 if the spec does not determine it.
RotatingSettings settings_with_any_window(const FilterSpec& spec) {
  const Params params = resolve_params("rotating", kRotatingParams, spec.params);
  require_one_size(spec);
  RotatingSettings settings{.num_generations = num_generations_of(params),
                            .rotates_on_inserts = text_param(params, "rotation") == "inserts",
                            .kind = kind_of(params)};
  const std::optional<std::uint64_t> capacity = generation_capacity_of(spec, params);
  if (!capacity && !(spec.num_hashes || settings.kind == GenerationKind::kLanes)) {
    refuse_without_window();
  }
  if (!capacity && spec.target_false_positive_rate) refuse_without_window();
  settings.generation_capacity = capacity.value_or(0);
  require_window(spec, settings);
  settings.generation =
      geometry_of_generation(settings.kind, spec, settings.num_generations, capacity);
  require_size(settings.generation, settings.num_generations);
  return settings;
}

}  // namespace

std::string_view name_of(GenerationKind kind) noexcept {
  switch (kind) {
    case GenerationKind::kBlocked:
      return "blocked";
    case GenerationKind::kLanes:
      return "lanes";
    default:
      return "standard";
  }
}

Geometry RotatingSettings::whole() const noexcept {
  Geometry whole = generation;
  whole.num_cells *= num_generations;
  return whole;
}

Window RotatingSettings::window() const noexcept {
  Window window{.num_inserts = std::nullopt, .num_ticks = num_generations - 1};
  if (rotates_on_inserts) window.num_inserts = (num_generations - 1) * generation_capacity + 1;
  return window;
}

std::uint64_t generation_capacity_for(std::uint64_t window, unsigned num_generations) noexcept {
  return std::max<std::uint64_t>(1, share_of(window - 1, num_generations - 1));
}

double generation_rate(double rate, unsigned num_generations) noexcept {
  return -std::expm1(std::log1p(-rate) / num_generations);
}

RotatingSettings rotating_settings(const FilterSpec& spec) {
  const RotatingSettings settings = settings_with_any_window(spec);
  if (settings.generation_capacity == 0) refuse_without_window();
  return settings;
}

Geometry rotating_geometry(const FilterSpec& spec) {
  return settings_with_any_window(spec).whole();
}

Params params_of(const RotatingSettings& settings) {
  return {{"generation", std::string(name_of(settings.kind))},
          {"generation_capacity", static_cast<double>(settings.generation_capacity)},
          {"generations", static_cast<double>(settings.num_generations)},
          {"rotation", settings.rotates_on_inserts ? "inserts" : "ticks"}};
}

}  // namespace bloometry
