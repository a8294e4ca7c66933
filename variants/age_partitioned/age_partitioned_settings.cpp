#include "variants/age_partitioned/age_partitioned_settings.hpp"

#include "core/file/filter_image.hpp"
#include "core/file/generation_check.hpp"
#include "core/rates/sizing.hpp"
#include "core/store/bit_array.hpp"
#include "variants/age_partitioned/age_partitioned_sizing.hpp"

namespace bloometry {
namespace {

Geometry geometry_for(const FilterSpec& spec) {
  return geometry_of(age_settings(spec));
}

std::uint64_t num_words_for(const Geometry& geometry) {
  return BitArray<>::num_words_for(geometry.num_cells);
}

}  // namespace

AgeSettings age_settings(const FilterSpec& spec) {
  const Params params = resolve_params(kAgePartitionedName, kAgePartitionedParams, spec.params);
  return {.shape = age_shape(spec, params),
          .rotates_on_inserts = text_param(params, "rotation") == "inserts",
          .max_fill = checked_max_fill(spec)};
}

Geometry geometry_of(const AgeSettings& settings) noexcept {
  return {.num_cells = settings.shape.num_bits(),
          .num_hashes = settings.shape.num_hashes,
          .max_fill = settings.max_fill};
}

Params age_params(const AgeSettings& settings) {
  return {{"generations", static_cast<double>(settings.shape.generations)},
          {"generation_capacity", static_cast<double>(settings.shape.generation_capacity)},
          {"rotation", settings.rotates_on_inserts ? "inserts" : "ticks"}};
}

Window age_window(const AgeSettings& settings) noexcept {
  Window window{.num_inserts = {}, .num_ticks = settings.shape.generations};
  if (settings.rotates_on_inserts) window.num_inserts = settings.shape.window();
  return window;
}

GenerationClock clock_of(const AgeSettings& settings) {
  return {settings.shape.num_slices(), settings.shape.generation_capacity,
          settings.rotates_on_inserts};
}

void describe_age_partitioned(const AgeSettings& settings, const GenerationClock& clock,
                              FileHeader& header) {
  header.geometry = geometry_of(settings);
  header.params = age_params(settings);
  header.generations = clock.counts();
}

std::string age_file_mismatch(const FileHeader& header, std::string_view probes,
                              std::uint64_t payload_bytes) {
  for (const std::string_view name : {"generations", "generation_capacity"}) {
    if (!header.params.contains(name)) {
      return "its parameter '" + std::string(name) + "' is missing";
    }
  }
  if (!header.generations) return "field 'generations' is missing";
  const file_detail::StoredClass stored = {.variant = kAgePartitionedName,
                                           .probes = probes,
                                           .sized_by_counters = false,
                                           .geometry = &geometry_for,
                                           .num_words_for = &num_words_for};
  const std::string mismatch = file_detail::class_mismatch(header, stored, payload_bytes);
  if (!mismatch.empty()) return mismatch;
  return impossible_counts(*header.generations, clock_of(age_settings_in(header)));
}

AgeSettings age_settings_in(const FileHeader& header) {
  return age_settings(file_detail::spec_of(header, false));
}

}  // namespace bloometry
