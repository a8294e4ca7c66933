#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/contract/params.hpp"
#include "core/contract/window.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry::test {

/// A variant with one of its schemes. The scheme is selected at run time, so that a test over all
/// schemes is compiled once. Compiling a test for each of 80 classes took two minutes under
/// sanitizers.
struct VariantScheme {
  const VariantInfo* variant;
  const SchemeInfo* scheme;
  Params params{};  ///< parameters that select a filter with other cells

  [[nodiscard]] AnyFilter make(const FilterSpec& spec) const {
    return scheme->make(with_params(spec));
  }

  [[nodiscard]] Geometry geometry(const FilterSpec& spec) const {
    return scheme->geometry(with_params(spec));
  }

  /// Returns how long a filter that forgets contains a key, and std::nullopt for other filters.
  [[nodiscard]] std::optional<Window> window(const FilterSpec& spec) const {
    return variant->window_of(with_params(spec));
  }

  [[nodiscard]] bool can(std::string_view operation) const {
    return std::any_of(variant->operations.begin(), variant->operations.end(),
                       [&](Operation each) { return name_of(each) == operation; });
  }

  [[nodiscard]] bool has_blocks() const {
    return variant->sized_by_blocks || params.contains("generation");
  }

  /// Returns whether the filter forgets keys after a window (ForgettingFilter).
  [[nodiscard]] bool forgets() const { return can("tick"); }

  /// Returns the number of hashes nearest to num_hashes that the filter accepts.
  [[nodiscard]] unsigned hashes_near(unsigned num_hashes) const {
    const auto generation = params.find("generation");
    if (generation != params.end() && generation->second == ParamValue("lanes")) return 8;
    return std::clamp(num_hashes, variant->min_num_hashes, variant->max_num_hashes);
  }

  /// Returns a spec of num_parts cells (num_parts blocks for filters with blocks) and the accepted
  /// number of hashes nearest to num_hashes.
  [[nodiscard]] FilterSpec spec_of_parts(std::uint64_t num_parts, unsigned num_hashes) const {
    const unsigned k = hashes_near(num_hashes);
    const Geometry some = geometry({.num_bits = 64, .num_hashes = k});
    return {.num_bits = num_parts * some.block_cells * some.cell_bits, .num_hashes = k};
  }

  /// Returns a spec of num_cells cells and the accepted number of hashes nearest to num_hashes.
  [[nodiscard]] FilterSpec spec_near(std::uint64_t num_cells, unsigned num_hashes) const {
    const unsigned k = hashes_near(num_hashes);
    const Geometry some = geometry({.num_bits = 64, .num_hashes = k});
    return {.num_bits = num_cells * some.cell_bits, .num_hashes = k};
  }

  /// Returns the spec of a small filter for tests, sized for `capacity` keys at the given rate. A
  /// growing filter starts with an eighth of the capacity, so that the filter grows. A limited
  /// filter is sized for most_keys, the number of keys that the test inserts, if this is larger. A
  /// filter that forgets has a window of `capacity` keys.
  [[nodiscard]] FilterSpec small_spec(std::uint64_t capacity, double rate,
                                      std::uint64_t most_keys = 0) const {
    const std::uint64_t with_room = is_limited() ? std::max(capacity, most_keys) : capacity;
    const bool grows = can("grow") || doubles();
    FilterSpec spec{.capacity = grows ? with_room / 8 + 1 : with_room,
                    .target_false_positive_rate = rate};
    if (doubles()) spec.params["max_capacity"] = static_cast<double>(with_room);
    return spec;
  }

  /// Returns whether a table doubles on its own, up to the capacity of small_spec.
  [[nodiscard]] bool doubles() const { return is_limited() && params.contains("max_capacity"); }

  [[nodiscard]] bool is_limited() const { return variant->is_limited; }

 private:
  /// Inserts per generation of a filter that forgets, for specs without a window.
  static constexpr double kGenerationCapacity = 100;

  [[nodiscard]] FilterSpec with_params(FilterSpec spec) const {
    spec.params.insert(params.begin(), params.end());
    if (forgets() && !spec.capacity)
      spec.params.emplace("generation_capacity", kGenerationCapacity);
    return spec;
  }
};

inline std::ostream& operator<<(std::ostream& out, const VariantScheme& subject) {
  out << subject.variant->name << " with probes " << subject.scheme->name;
  for (const auto& [name, value] : subject.params) out << " and its " << name;
  return out;
}

/// Returns all combinations of a variant and a scheme for which the predicate is true. If the
/// predicate is true for the scalable variant with blocked or lanes stages, for the d_left variant
/// that doubles on its own, for semi-sorted cuckoo, or for rotating with generations of blocks, the
/// result includes that variant too.
template <class Predicate>
std::vector<VariantScheme> variant_schemes(Predicate predicate) {
  std::vector<VariantScheme> result;
  const auto add = [&](const VariantScheme& subject) {
    if (predicate(subject)) result.push_back(subject);
  };
  for (const VariantInfo& variant : all_variant_infos()) {
    for (const SchemeInfo& scheme : variant.schemes) add({&variant, &scheme});
  }
  const VariantInfo& scalable = find_variant("scalable");
  for (const char* stages : {"blocked", "lanes"}) {
    add({&scalable, &scalable.schemes.front(), {{"stages", std::string(stages)}}});
  }
  const VariantInfo& d_left = find_variant("d_left");
  // Remainders of 14 bits, the default, allow this growth from one bucket per subtable.
  add({&d_left, &d_left.schemes.front(), {{"max_capacity", 50'000.0}}});
  const VariantInfo& cuckoo = find_variant("cuckoo");
  add({&cuckoo, &cuckoo.schemes.front(), {{"semi_sorting", 1.0}}});
  const VariantInfo& rotating = find_variant("rotating");
  for (const char* generation : {"blocked", "lanes"}) {
    add({&rotating, &rotating.schemes.front(), {{"generation", std::string(generation)}}});
  }
  return result;
}

inline std::vector<VariantScheme> variant_schemes() {
  return variant_schemes([](const VariantScheme&) { return true; });
}

inline bool can_erase(const VariantScheme& subject) {
  return subject.can("erase");
}

inline bool has_fixed_size(const VariantScheme& subject) {
  return !subject.can("grow") && !subject.doubles();
}

/// Returns whether the size is fixed, and inserts always find room.
inline bool has_room_for_all(const VariantScheme& subject) {
  return has_fixed_size(subject) && !subject.is_limited();
}

inline bool follows_model(const VariantScheme& subject) {
  return subject.scheme->follows_model;
}

inline std::span<const Digest> just(const Digest& key) {
  return {&key, 1};
}

/// Inserts a key by the filter's function for one key, not by its function for a batch.
inline bool insert_one(AnyFilter& filter, const Digest& key) {
  return filter.insert_singly(just(key)) == 1;
}

/// Inserts a key by the function for batches. Returns whether the filter had room for the key.
inline bool finds_room(AnyFilter& filter, const Digest& key) {
  return !filter.try_insert(just(key)).is_full;
}

inline bool contains_one(const AnyFilter& filter, const Digest& key) {
  return filter.count_positives_singly(just(key)) == 1;
}

inline bool erase_one(AnyFilter& filter, const Digest& key) {
  return filter.erase_singly(just(key)) == 1;
}

}  // namespace bloometry::test
