#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/contract/filter.hpp"
#include "core/contract/variant_description.hpp"
#include "core/engine/batch_access.hpp"
#include "core/error.hpp"
#include "core/file/filter_image.hpp"
#include "core/file/mapped_file.hpp"
#include "core/file/stored_file.hpp"
#include "core/probe/all_probes.hpp"
#include "core/store/memory.hpp"
#include "variants/scalable/blocked_stage.hpp"
#include "variants/scalable/lanes_stage.hpp"
#include "variants/scalable/partitioned_stage.hpp"
#include "variants/scalable/scalable_params.hpp"
#include "variants/scalable/scalable_stages.hpp"
#include "variants/scalable/stage_chain.hpp"

namespace bloometry {

/// Scalable Bloom filter. When the newest stage is full, the filter opens a larger stage with a
/// lower rate. The rate of the filter therefore stays below its target for any number of keys.
///
/// Source: Almeida, Baquero, Preguica, Hutchison (2007), "Scalable Bloom filters". Theory 4 gives
/// the formulas. Stages of blocks follow Putze, Sanders, Singler (2007), theory 6.
/// Layout: stage i is a partitioned filter of k_i equal slices (scalable_stages.hpp). With stages
/// "blocked", it is a blocked filter with blocks of 512 bits and scheme bit_fields, and with stages
/// "lanes", a lanes filter. Stage i probes with the digest remix(digest, i), or stage_digest for
/// lanes, because a common probe sequence would bias the rate given the fills.
/// Rate given the state: F <- F + f_i (1 - F) for each stage, starting with F = 0. For slices, f_i
/// is the product of the fill ratios of stage i. For blocks, it is the mean over the blocks of
/// (x_b/B)^k_i, and for lanes, that of prod x_i/64.
/// Cost: contains queries the newest stage first and needs O(sum of k_i) for a key in the oldest
/// stage. A query of a stage of blocks accesses one cache line. An insert that opens a stage
/// allocates memory. The filter owns its memory, or reads the memory of a mapped file. Concurrent
/// inserts are not safe.
template <WordProbePolicy P = RemixProbes, class Memory = OwnedMemory>
class BasicScalableFilter {
  static_assert(std::same_as<Memory, OwnedMemory> || !kIsWritable<Memory>,
                "a filter that opens stages allocates them");
  using PartitionedChain = StageChain<PartitionedStage<P, Memory>>;
  using BlockedChain = StageChain<BlockedStage<Memory>>;
  using LanesChain = StageChain<LanesStage<Memory>>;

 public:
  static constexpr std::string_view kName = "scalable";
  static constexpr ProbeModel kModel = ProbeModel::kPartitioned;
  static constexpr VariantDescription kDescription = {
      .summary = "grows by stages, so that the rate stays below its target for any number of keys",
      .paper = "Almeida, Baquero, Preguica, Hutchison 2007",
      .rate_given_state =
          "F <- F + f_i (1-F) over stages, f_i the product of slice fills; of blocked stages the "
          "mean over blocks of (x_b/B)^k, of lanes that of word products",
      .probe_passes = ProbePasses::kByOwnRule};
  static constexpr std::span<const ParamInfo> kParams = kScalableParams;
  static constexpr std::size_t kUpdateKeys = kMaxChunkKeys;
  static constexpr std::size_t kQueryKeys = kMaxQueryKeys;
  using Probes = P;
  using SupportedProbes = WordProbes;
  template <WordProbePolicy Q>
  using WithProbes = BasicScalableFilter<Q, Memory>;
  template <class M>
  using WithMemory = BasicScalableFilter<P, M>;

  /// Returns the geometry, in bits, of the first stage. An empty filter has only this stage. The
  /// field num_hashes is 0 because every stage has its own number of hashes.
  /// @throws ConfigError if the spec contains a size or num_hashes, if the spec lacks the target
  /// rate, if parameters contradict each other or the probe scheme, or if initial_rate is below
  /// 2^-128.
  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    return {plan_stage(new_settings_of(spec).plan, 0).num_bits(), 1, 0};
  }

  /// Returns the memory, in bits, of the stages for num_keys stored keys, if each stage is full
  /// when the next stage opens. With stage change by fill, stages open at nearly the same numbers
  /// of keys as with stage change by count.
  /// @throws ConfigError if geometry(spec) or num_bits_of_stages throws.
  [[nodiscard]] static std::uint64_t num_bits_at(const FilterSpec& spec, std::uint64_t num_keys) {
    return num_bits_of_stages(settings_of(spec).plan, num_keys);
  }

  /// Returns the number of keys for which the first stage is planned: the parameter
  /// initial_capacity, otherwise the capacity of the spec, otherwise 10000.
  /// @throws ConfigError if the spec is not valid.
  [[nodiscard]] static std::uint64_t initial_capacity(const FilterSpec& spec) {
    return settings_of(spec).plan.initial_capacity;
  }

  /// Makes a filter with one empty stage.
  /// @throws ConfigError if geometry(spec) throws.
  explicit BasicScalableFilter(const FilterSpec& spec) : chain_(chain_of(new_settings_of(spec))) {}

  /// Returns the filter that a file contains (core/file/filter_image.hpp). The result has the
  /// stages of the file. Further stages are computed from the settings in the file.
  /// @throws ConfigError, with the name of the file, if the file does not contain a scalable
  /// filter; MemoryError if memory cannot be allocated; IoError if the file cannot be read
  [[nodiscard]] static BasicScalableFilter restored(
      StoredFile& file) requires std::same_as<Memory, OwnedMemory> {
    return in_file(file);
  }

  /// Returns the filter that a file contains, as a view of the pages of the file. The function does
  /// not read the cells, so state() and estimate_count() count the set bits on each call.
  /// @throws ConfigError if the file does not contain a scalable filter; the message names the file
  [[nodiscard]] static BasicScalableFilter mapped(
      const MappedFile& file) requires std::same_as<Memory, MappedMemory> {
    return in_file(file);
  }

  /// Writes the description of this filter for a file.
  void describe(FilterImage& image) const {
    std::visit([&](const auto& chain) { chain.describe(image); }, chain_);
  }

  /// Inserts the key into the newest stage, or into a new stage if the newest is full. With
  /// check-first, the function skips a key that already tests positive. Skipping such a key cannot
  /// cause a false negative, and saves capacity. A true result means that the filter did not
  /// contain the key before.
  /// @throws MemoryError or ConfigError if the next stage cannot be created; the filter is then
  /// unchanged.
  bool insert(const Digest& digest) {
    return std::visit([&](auto& chain) { return chain.insert(digest); }, chain_);
  }

  /// Returns whether the filter may contain the key. A true result may be wrong; a false result is
  /// never wrong.
  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    return std::visit([&](const auto& chain) { return chain.contains(digest); }, chain_);
  }

  /// Resets the filter to one empty first stage.
  void clear() {
    std::visit([](auto& chain) { chain.clear(); }, chain_);
  }

  [[nodiscard]] std::uint64_t num_bits() const noexcept {
    return std::visit([](const auto& chain) { return chain.num_bits(); }, chain_);
  }

  [[nodiscard]] std::uint64_t num_stages() const noexcept {
    return std::visit([](const auto& chain) { return chain.num_stages(); }, chain_);
  }

  /// Returns stage i, for i below num_stages(). Stage 0 is the oldest.
  [[nodiscard]] StageView stage(std::size_t i) const noexcept {
    return std::visit([&](const auto& chain) { return chain.view(i); }, chain_);
  }

  /// Returns the partitioned filter of stage i. For other kinds of stages, use blocked_stage_filter
  /// or lanes_stage_filter.
  [[nodiscard]] const BasicPartitionedFilter<Probes, Memory>& stage_filter(std::size_t i) const {
    return std::get<PartitionedChain>(chain_).filter(i);
  }

  [[nodiscard]] const BasicBlockedFilter<BitFieldProbes, Memory>& blocked_stage_filter(
      std::size_t i) const {
    return std::get<BlockedChain>(chain_).filter(i);
  }

  [[nodiscard]] const BasicLanesFilter<LaneFieldProbes, Memory>& lanes_stage_filter(
      std::size_t i) const {
    return std::get<LanesChain>(chain_).filter(i);
  }

  [[nodiscard]] FilterState state() const noexcept {
    return std::visit([](const auto& chain) { return chain.state(); }, chain_);
  }

  /// Returns an estimate of num_stored of the state. The estimate is the sum of the estimates of
  /// the stages (theory 2), or +infinity if all bits of a stage are set. Check-first inserts skip
  /// keys that test positive. The number of distinct inserted keys is therefore higher than
  /// num_stored, by a share of at most the rate. A blind insert of a key from an older stage stores
  /// the key again.
  [[nodiscard]] double estimate_count() const noexcept {
    return std::visit([](const auto& chain) { return chain.estimate_count(); }, chain_);
  }

  friend bool operator==(const BasicScalableFilter&, const BasicScalableFilter&) = default;

 private:
  friend struct BatchAccess;

  using Chain = std::variant<PartitionedChain, BlockedChain, LanesChain>;

  explicit BasicScalableFilter(Chain chain) : chain_(std::move(chain)) {}

  static ScalableSettings settings_of(const FilterSpec& spec) {
    const ScalableSettings settings = scalable_settings(spec);
    if (settings.plan.stages != StageKind::kPartitioned && !std::same_as<Probes, RemixProbes>) {
      const char* const kind = settings.plan.stages == StageKind::kLanes ? "lanes" : "blocked";
      throw ConfigError("stages", "must be partitioned with probes " + std::string(Probes::kName) +
                                      ", got " + kind + ", which has probes of its own");
    }
    return settings;
  }

  static ScalableSettings new_settings_of(const FilterSpec& spec) {
    const ScalableSettings settings = settings_of(spec);
    require_stage_rate(settings.plan);
    return settings;
  }

  static BasicScalableFilter in_file(auto& file) {
    return BasicScalableFilter(chain_of(settings_in(file), file));
  }

  static ScalableSettings settings_in(const auto& file) {
    const FileHeader& header = file.header();
    try {
      return settings_of({.target_false_positive_rate = header.notes.target_false_positive_rate,
                          .params = header.params,
                          .max_fill = header.geometry.max_fill});
    } catch (const ConfigError& error) {
      file.refuse(error.what());
    }
  }

  /// Returns a new chain, or the chain that a file contains.
  static Chain chain_of(const ScalableSettings& settings, auto&... file) {
    switch (settings.plan.stages) {
      case StageKind::kBlocked:
        return BlockedChain(settings, file...);
      case StageKind::kLanes:
        return LanesChain(settings, file...);
      default:
        return PartitionedChain(settings, file...);
    }
  }

  // BatchAccess documents the following functions.

  /// Returns whether the newest stage is larger than its share of the caches. Returns false for
  /// lanes stages, because their kernel prefetches.
  [[nodiscard]] bool should_prefetch() const noexcept {
    return std::visit([](const auto& chain) { return chain.should_prefetch(); }, chain_);
  }

  /// Prefetches the cache lines of the newest stage that a query reads first, or that an insert
  /// writes.
  void prefetch(const Digest& digest, Access access) const noexcept {
    std::visit([&](const auto& chain) { chain.prefetch(digest, access); }, chain_);
  }

  /// Inserts the keys of a chunk. If insert throws for a key, the function throws the same error;
  /// the keys before this key have been inserted.
  std::uint64_t insert_mask(std::span<const Digest> chunk) {
    return std::visit([&](auto& chain) { return chain.insert_mask(chunk); }, chain_);
  }

  void contains_masks(std::span<const Digest> chunk, std::uint64_t* masks,
                      std::identity /*derive*/) const noexcept {
    std::visit([&](const auto& chain) { chain.contains_masks(chunk, masks); }, chain_);
  }

  Chain chain_;
};

using ScalableFilter = BasicScalableFilter<>;

static_assert(BatchFilter<ScalableFilter> && GrowingFilter<ScalableFilter> &&
              CountEstimatingFilter<ScalableFilter>);
static_assert(BatchFilter<ScalableFilter::WithMemory<MappedMemory>>);

}  // namespace bloometry
