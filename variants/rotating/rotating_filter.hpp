#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/contract/filter.hpp"
#include "core/contract/generation_counts.hpp"
#include "core/contract/variant_description.hpp"
#include "core/contract/window.hpp"
#include "core/engine/batch_access.hpp"
#include "core/error.hpp"
#include "core/file/filter_image.hpp"
#include "core/file/mapped_file.hpp"
#include "core/file/stored_file.hpp"
#include "core/probe/all_probes.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/store/memory.hpp"
#include "variants/rotating/generation.hpp"
#include "variants/rotating/generation_ring.hpp"
#include "variants/rotating/rotating_params.hpp"

namespace bloometry {

/// Rotating Bloom filter, which forgets keys. It consists of B generations, each of which is a
/// filter for g insert calls. Inserts go to the newest generation, and queries test all of them.
/// Before insert g + 1 of a generation, or in tick(), the oldest generation is cleared and becomes
/// the newest. A key is found while at most (B-1) g + 1 insert calls, its own included, have been
/// made, and after up to B - 1 ticks. Every insert call counts and writes, also that of a key which
/// is in the filter, and begins a new window for its key.
///
/// Source: Yoon (2010), "Aging Bloom filter with two active buffers for dynamic sets", with B
/// buffers instead of two, which close by the number of inserts; theory 7b.
/// Layout: all generations have one geometry and are in a ring of B slots. The generation in slot s
/// probes with the digest remix(digest, s), or stage_digest for lanes.
/// Rate given the state: 1 - prod(1 - f_i) over generations, where f_i is the rate of generation i
/// given its state. The rate is highest when all generations are full; sizes keep the target rate
/// there.
/// Cost: contains queries the newest generation first, and needs O(B k) for an absent key. An
/// insert also queries the older generations, because its result states whether the key was new.
/// It never allocates memory. A rotation writes the memory of one generation.
/// Concurrent inserts are not safe.
template <ProbePolicy P = RemixProbes, class Memory = OwnedMemory>
class BasicRotatingFilter {
  using StandardRing = GenerationRing<StandardGeneration<P, Memory>>;
  using BlockedRing = GenerationRing<BlockedGeneration<Memory>>;
  using LanesRing = GenerationRing<LanesGeneration<Memory>>;

 public:
  static constexpr std::string_view kName = "rotating";
  static constexpr ProbeModel kModel = P::kModel;
  static constexpr VariantDescription kDescription = {
      .summary = "forgets keys after a window: B filters in a ring, of which the oldest is cleared",
      .paper = "Yoon 2010, with B buffers",
      .rate_given_state = "1 - prod(1 - f_i) over generations, f_i the rate of generation i",
      .probe_passes = ProbePasses::kByOwnRule,
      .depends_on_order = true};
  static constexpr std::span<const ParamInfo> kParams = kRotatingParams;
  static constexpr std::size_t kUpdateKeys = kMaxChunkKeys;
  static constexpr std::size_t kQueryKeys = kMaxQueryKeys;
  using Probes = P;
  using SupportedProbes = ProbeList<RemixProbes, IndependentProbes, DistinctProbes>;
  template <ProbePolicy Q>
  using WithProbes = BasicRotatingFilter<Q, Memory>;
  template <class M>
  using WithMemory = BasicRotatingFilter<P, M>;

  /// Returns the geometry of the whole filter, whose num_hashes is that of a generation.
  /// @throws ConfigError under the conditions of rotating_geometry, and if generations that have
  /// probes of their own are combined with another scheme than the default.
  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    require_own_probes(spec);
    return rotating_geometry(spec);
  }

  /// Returns the window of a filter with the spec.
  /// @throws ConfigError if the constructor throws ConfigError
  [[nodiscard]] static Window window_of(const FilterSpec& spec) {
    return settings_of(spec).window();
  }

  /// Returns the parameters with which, and with geometry(spec), a filter has the same generations
  /// and the same window.
  /// @throws ConfigError if the constructor throws ConfigError
  [[nodiscard]] static Params resolved_params(const FilterSpec& spec) {
    return params_of(settings_of(spec));
  }

  /// Makes an empty filter and allocates its memory.
  /// @throws ConfigError if geometry(spec) throws, if the spec does not determine the capacity of a
  /// generation, or if a generation with distinct probes has fewer than k bits; MemoryError if the
  /// memory cannot be allocated.
  explicit BasicRotatingFilter(const FilterSpec& spec) : ring_(ring_of(settings_of(spec))) {}

  /// Returns the filter that a file contains (core/file/filter_image.hpp).
  /// @throws ConfigError, with the name of the file, if the file does not contain a rotating
  /// filter; MemoryError if memory cannot be allocated; IoError if the file cannot be read
  [[nodiscard]] static BasicRotatingFilter restored(
      StoredFile& file) requires std::same_as<Memory, OwnedMemory> {
    return in_file(file);
  }

  /// Returns the filter that a file contains, as a read-only view of the pages of the file.
  /// @throws ConfigError if the file does not contain a rotating filter; the message names the file
  [[nodiscard]] static BasicRotatingFilter mapped(
      const MappedFile& file) requires std::same_as<Memory, MappedMemory> {
    return in_file(file);
  }

  /// Writes the description of this filter for a file. The stores are in the order of the slots.
  void describe(FilterImage& image) const {
    std::visit([&](const auto& ring) { ring.describe(image); }, ring_);
  }

  /// Inserts the key into the newest generation, after a rotation if it is full. Returns true only
  /// if no generation contained the key before, including the one that the rotation clears.
  bool insert(const Digest& digest) noexcept {
    return std::visit([&](auto& ring) { return ring.insert(digest); }, ring_);
  }

  /// Returns whether the filter may contain the key. A true result may be wrong; a false result is
  /// never wrong for a key within its window.
  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    return std::visit([&](const auto& ring) { return ring.contains(digest); }, ring_);
  }

  /// Returns the number of rotations since the newest generation that contains the key was opened,
  /// 0 for the newest, or std::nullopt if no generation contains the key.
  [[nodiscard]] std::optional<std::uint64_t> age(const Digest& digest) const noexcept {
    return std::visit([&](const auto& ring) { return ring.age(digest); }, ring_);
  }

  /// Closes the newest generation and clears the oldest.
  void tick() noexcept {
    std::visit([](auto& ring) { ring.tick(); }, ring_);
  }

  /// Resets the filter to B empty generations.
  void clear() noexcept {
    std::visit([](auto& ring) { ring.clear(); }, ring_);
  }

  [[nodiscard]] Window window() const noexcept { return settings().window(); }

  [[nodiscard]] const RotatingSettings& settings() const noexcept {
    return std::visit([](const auto& ring) -> const RotatingSettings& { return ring.settings(); },
                      ring_);
  }

  /// Returns the numbers of inserts, rotations, ticks and overfull generations.
  [[nodiscard]] GenerationCounts generations() const {
    return std::visit([](const auto& ring) { return ring.counts(); }, ring_);
  }

  [[nodiscard]] Geometry geometry() const noexcept { return settings().whole(); }

  [[nodiscard]] std::uint64_t num_bits() const noexcept {
    return std::visit([](const auto& ring) { return ring.num_bits(); }, ring_);
  }

  [[nodiscard]] FilterState state() const noexcept {
    return std::visit([](const auto& ring) { return ring.state(); }, ring_);
  }

  /// Returns whether settings, counts and cells are equal. Two filters with equal keys per
  /// generation but another number of rotations are not equal, because their slots differ.
  friend bool operator==(const BasicRotatingFilter&, const BasicRotatingFilter&) = default;

 private:
  friend struct BatchAccess;

  using Ring = std::variant<StandardRing, BlockedRing, LanesRing>;

  explicit BasicRotatingFilter(Ring ring) : ring_(std::move(ring)) {}

  static void require_own_probes(const FilterSpec& spec) {
    if constexpr (!std::same_as<P, RemixProbes>) {
      const auto kind = spec.params.find("generation");
      if (kind == spec.params.end() || kind->second == ParamValue("standard")) return;
      throw ConfigError("generation", "must be standard with probes " + std::string(P::kName) +
                                          ", got " + to_string(kind->second) +
                                          ", which has probes of its own");
    }
  }

  static RotatingSettings settings_of(const FilterSpec& spec) {
    require_own_probes(spec);
    const RotatingSettings settings = rotating_settings(spec);
    require_distinct_fit(kModel, settings.generation);
    return settings;
  }

  static BasicRotatingFilter in_file(auto& file) {
    return BasicRotatingFilter(ring_of(settings_in(file), file));
  }

  static RotatingSettings settings_in(const auto& file) {
    const Geometry& geometry = file.header().geometry;
    return file_detail::made_for(file, [&] {
      return settings_of({.num_bits = geometry.num_cells,
                          .num_hashes = geometry.num_hashes,
                          .params = file.header().params,
                          .max_fill = geometry.max_fill});
    });
  }

  /// Returns a new ring, or the ring that a file contains.
  static Ring ring_of(const RotatingSettings& settings, auto&... file) {
    switch (settings.kind) {
      case GenerationKind::kBlocked:
        return BlockedRing(settings, file...);
      case GenerationKind::kLanes:
        return LanesRing(settings, file...);
      default:
        return StandardRing(settings, file...);
    }
  }

  // BatchAccess documents the following functions.

  [[nodiscard]] bool should_prefetch() const noexcept {
    return std::visit([](const auto& ring) { return ring.should_prefetch(); }, ring_);
  }

  void prefetch(const Digest& digest, Access access) const noexcept {
    std::visit([&](const auto& ring) { ring.prefetch(digest, access); }, ring_);
  }

  std::uint64_t insert_mask(std::span<const Digest> chunk) noexcept {
    return std::visit([&](auto& ring) { return ring.insert_mask(chunk); }, ring_);
  }

  void contains_masks(std::span<const Digest> chunk, std::uint64_t* masks,
                      std::identity /*derive*/) const noexcept {
    std::visit([&](const auto& ring) { ring.contains_masks(chunk, masks); }, ring_);
  }

  Ring ring_;
};

using RotatingFilter = BasicRotatingFilter<>;

static_assert(BatchFilter<RotatingFilter> && ForgettingFilter<RotatingFilter>);
static_assert(BatchFilter<RotatingFilter::WithMemory<MappedMemory>>);

}  // namespace bloometry
