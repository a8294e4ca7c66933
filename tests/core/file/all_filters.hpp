#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/contract/filter_spec.hpp"
#include "core/hash/mix.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry::test {

/// A filter spec with the names that a test prints on failure.
struct NamedSpec {
  std::string variant;
  std::string probes;
  FilterSpec spec;
};

inline std::vector<Digest> digests(std::uint64_t first, std::uint64_t size) {
  std::vector<Digest> all;
  for (std::uint64_t i = first; i < first + size; ++i) {
    all.push_back({mix64(2 * i + 1), mix64(~i * kGoldenGamma)});
  }
  return all;
}

/// Returns specs of a filter that grows, with every schedule and kind of stages.
inline std::vector<FilterSpec> growing_specs(std::string_view probes) {
  std::vector<FilterSpec> specs;
  for (const char* schedule : {"geometric", "quadratic"}) {
    specs.push_back({.capacity = 50,
                     .target_false_positive_rate = 0.02,
                     .params = {{"error_schedule", schedule}, {"stage_change", "count"}}});
  }
  specs.push_back({.target_false_positive_rate = 0.001,
                   .params = {{"error_schedule", "horizon"},
                              {"max_capacity", 1e4},
                              {"initial_capacity", 100.0},
                              {"slice_sizing", "tight"}},
                   .max_fill = 0.75});
  if (probes != "remix") return specs;
  for (const char* stages : {"blocked", "lanes"}) {
    specs.push_back({.capacity = 60,
                     .target_false_positive_rate = 0.01,
                     .params = {{"stages", stages}, {"initial_rate", 0.005}}});
  }
  return specs;
}

/// Returns specs of a filter of fixed size with default parameters.
inline std::vector<FilterSpec> default_specs(const VariantInfo& variant) {
  const auto hashes_near = [&variant](unsigned k) {
    return std::clamp(k, variant.min_num_hashes, variant.max_num_hashes);
  };
  if (variant.is_limited) {
    std::vector<FilterSpec> specs;
    for (const unsigned k : {2U, 5U}) {
      specs.push_back({.capacity = 700,
                       .target_false_positive_rate = 0.01,
                       .num_hashes = hashes_near(k),
                       .max_fill = 0.5});
    }
    return specs;
  }
  if (variant.can(Operation::kTick)) {
    return {{.num_bits = 6'007,
             .num_hashes = hashes_near(7),
             .params = {{"generation_capacity", 90.0}},
             .max_fill = 0.5}};
  }
  if (variant.sized_by_blocks) return {{.num_blocks = 37, .num_hashes = hashes_near(8)}};
  if (variant.sized_by_counters) return {{.num_counters = 5'003, .num_hashes = hashes_near(5)}};
  return {{.num_bits = 6'007, .num_hashes = hashes_near(7), .max_fill = 0.5}};
}

/// Returns specs with the parameters of a variant of fixed size that affect its cells.
inline std::vector<FilterSpec> specs_with_params(std::string_view variant,
                                                 std::string_view probes) {
  if (variant == "blocked") {
    return {{.num_blocks = 21, .num_hashes = 4, .params = {{"block_bits", 256.0}}}};
  }
  if (variant == "counting") {
    std::vector<FilterSpec> specs;
    for (const double bits : {1.0, 3.0, 7.0, 16.0}) {
      specs.push_back({.num_counters = 1'001,
                       .num_hashes = 3,
                       .params = {{"counter_bits", bits}, {"saturation", "clamped"}}});
    }
    return specs;
  }
  if (variant == "cuckoo") {
    return {{.num_counters = 1'001, .params = {{"fingerprint_bits", 5.0}, {"bucket_cells", 8.0}}},
            {.num_counters = 1'001, .params = {{"fingerprint_bits", 9.0}, {"semi_sorting", 1.0}}}};
  }
  if (variant == "d_left") {
    return {{.num_counters = 1'001,
             .num_hashes = 3,
             .params = {{"remainder_bits", 5.0}, {"counter_bits", 3.0}}},
            {.capacity = 100,
             .target_false_positive_rate = 0.01,
             .params = {{"max_capacity", 5'000.0}}}};
  }
  if (variant == "age_partitioned") {
    return {{.num_bits = 3'000,
             .num_hashes = 9,
             .params = {{"generation_capacity", 60.0},
                        {"generations", 5.0},
                        {"rotation", std::string("ticks")}}}};
  }
  if (variant == "rotating" && probes == "remix") {
    std::vector<FilterSpec> specs;
    for (const char* generation : {"blocked", "lanes"}) {
      specs.push_back({.num_bits = 3'000,
                       .num_hashes = 8,
                       .params = {{"generation", std::string(generation)},
                                  {"generation_capacity", 60.0},
                                  {"generations", 5.0},
                                  {"rotation", std::string("ticks")}}});
    }
    return specs;
  }
  if (variant == "variable_increment") {
    return {{.num_counters = 901,
             .num_hashes = 4,
             .params = {{"increment_base", 4.0}, {"counter_bits", 6.0}}}};
  }
  return {};
}

/// Returns specs of every variant and scheme, with odd sizes and with every parameter that affects
/// the cells.
inline std::vector<NamedSpec> all_specs() {
  std::vector<NamedSpec> all;
  for (const VariantInfo& variant : all_variant_infos()) {
    for (const SchemeInfo& scheme : variant.schemes) {
      const auto add = [&](const std::vector<FilterSpec>& specs) {
        for (const FilterSpec& spec : specs) {
          all.push_back({std::string(variant.name), std::string(scheme.name), spec});
        }
      };
      if (variant.can(Operation::kGrow)) {
        add(growing_specs(scheme.name));
        continue;
      }
      add(default_specs(variant));
      add(specs_with_params(variant.name, scheme.name));
    }
  }
  return all;
}

/// Returns a filter of the given spec after 700 inserts, followed by erases if the filter can
/// erase. A filter that forgets is ticked twice, before and after the last inserts.
inline AnyFilter filled(const NamedSpec& named) {
  AnyFilter filter = make_filter(named.variant, named.probes, named.spec);
  filter.insert(digests(0, 700));
  if (filter.can_erase()) filter.erase(digests(650, 100));
  if (filter.can_tick()) {
    filter.tick();
    filter.insert(digests(700, 20));
    filter.tick();
  }
  return filter;
}

}  // namespace bloometry::test
