#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/filter/cardinality.hpp"
#include "core/filter/chunk_mask.hpp"
#include "core/filter/filter.hpp"
#include "core/hash/mix.hpp"
#include "core/probe/all_probes.hpp"
#include "variants/partitioned/partitioned_filter.hpp"
#include "variants/scalable/pending_keys.hpp"
#include "variants/scalable/scalable_params.hpp"
#include "variants/scalable/scalable_stages.hpp"
#include "variants/variant_list.hpp"

namespace bloometry {

/// Scalable Bloom filter: opens a further, larger and stricter stage when the last one is full, so
/// that the rate stays below its target whatever the number of keys.
///
/// Source: Almeida, Baquero, Preguica, Hutchison (2007), "Scalable Bloom filters"; semantics:
/// theory
/// 4. Layout: stage i is a partitioned filter of k_i equal slices (scalable_stages.hpp) that probes
/// with remix(digest, i): stages that shared a probe sequence would bias the rate given the fills.
/// Rate given the state: F <- F + f_i (1 - F) over stages, f_i the product of stage i's slice
/// fills. Cost: contains asks the newest stage first, O(sum of k_i) for a key of the oldest; insert
/// allocates when it opens a stage. Owns its memory. Not safe for concurrent insert.
template <WordProbePolicy Probes = RemixProbes>
class BasicScalableFilter {
 public:
  static constexpr std::string_view kName = "scalable";
  static constexpr ProbeModel kModel = ProbeModel::kPartitioned;
  static constexpr VariantDescription kDescription = {
      .summary = "grows by stages, so that the rate stays below its target for any number of keys",
      .paper = "Almeida, Baquero, Preguica, Hutchison 2007",
      .rate_given_state = "F <- F + f_i (1-F) over stages, f_i the product of slice fills",
      .sized_by_rate = true};
  static constexpr std::span<const ParamInfo> kParams = kScalableParams;
  static constexpr std::size_t kChunkKeys = kMaxChunkKeys;
  static constexpr std::size_t kQueryKeys = kMaxQueryKeys;
  using SupportedProbes = WordProbes;
  template <WordProbePolicy P>
  using WithProbes = BasicScalableFilter<P>;

  /// One stage as tests and tables see it.
  struct StageView {
    std::uint64_t capacity;    ///< n_i, keys it is planned for
    double error_rate;         ///< P_i
    std::uint64_t num_stored;  ///< keys it was given
    unsigned num_hashes;       ///< k_i
    std::uint64_t slice_bits;  ///< w_i
    std::uint64_t num_ones;
  };

  /// The first stage, all there is of an empty filter: num_cells = k_0 w_0 bits. num_hashes is 0
  /// because every stage has its own.
  /// @throws ConfigError if the spec names a size or num_hashes, lacks the target rate, or has
  /// parameters that contradict each other.
  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    return {plan_stage(scalable_settings(spec).plan, 0).num_bits(), 1, 0};
  }

  /// Memory of the stages that num_keys stored keys need, each full when the next opens. Stage
  /// change by fill opens them at nearly the same numbers of keys.
  /// @throws ConfigError as geometry does, and if a stage would hold more than 2^62 keys.
  [[nodiscard]] static std::uint64_t num_bits_at(const FilterSpec& spec, std::uint64_t num_keys) {
    return num_bits_of_stages(scalable_settings(spec).plan, num_keys);
  }

  /// @throws ConfigError as geometry does.
  explicit BasicScalableFilter(const FilterSpec& spec) : settings_(scalable_settings(spec)) {
    open_stage();
  }

  /// Gives the key to the newest stage, or to a new one if that is full. Check-first skips a key
  /// that tests positive already: no false negative can come of it, and capacity is kept. True
  /// proves that the key was not in the filter before.
  /// @throws MemoryError or ConfigError if a stage that is due cannot be had; the filter is then
  /// as before.
  bool insert(const Digest& digest) {
    return insert_given(digest, is_in_stages(digest, 0, stages_.size() - 1));
  }

  /// True may be wrong, false never is.
  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    return is_in_stages(digest, 0, stages_.size());
  }

  /// Asks for the lines of the newest stage that a query starts with or an insert writes to.
  void prefetch(const Digest& digest, Access access) const noexcept {
    const std::size_t newest = stages_.size() - 1;
    const auto& filter = stages_[newest].filter;
    const Digest of_stage = part(newest)(digest);
    access == Access::kQuery ? filter.prefetch(of_stage, access) : filter.prefetch_insert(of_stage);
  }

  /// insert of the chunk's keys in their order; bit i is what it says of key i. Throws as insert,
  /// with the keys before the one that could not be stored inserted.
  std::uint64_t insert_mask(std::span<const Digest> chunk) {
    const std::size_t newest = stages_.size() - 1;
    std::uint64_t in_older = 0;
    contains_in_stages(chunk, newest, &in_older);
    return mask_of_each(chunk, [&](const Digest& digest) {
      bool is_in_older = (in_older & 1U) != 0;
      in_older >>= 1;
      // What was the newest stage has changed, and is an older one, if the chunk opened another.
      is_in_older = is_in_older || is_in_stages(digest, newest, stages_.size() - 1);
      return insert_given(digest, is_in_older);
    });
  }

  /// Bit i is contains of the chunk's key i.
  [[nodiscard]] std::uint64_t contains_mask(std::span<const Digest> chunk) const noexcept {
    std::uint64_t mask = 0;
    contains_masks(chunk, &mask);
    return mask;
  }

  /// The same of up to kQueryKeys keys: bit i of masks[i / 64].
  void contains_masks(std::span<const Digest> chunk, std::uint64_t* masks) const noexcept {
    contains_in_stages(chunk, stages_.size(), masks);
  }

  /// Back to one empty first stage.
  void clear() {
    stages_.erase(stages_.begin() + 1, stages_.end());
    stages_.front().filter.clear();
    stages_.front().num_stored = 0;
    stages_.front().num_ones = 0;
  }

  [[nodiscard]] std::uint64_t num_bits() const noexcept {
    std::uint64_t bits = 0;
    for (const Stage& stage : stages_) bits += stage.filter.num_bits();
    return bits;
  }

  [[nodiscard]] std::uint64_t num_stages() const noexcept { return stages_.size(); }

  /// Stage i < num_stages(), the oldest first.
  [[nodiscard]] StageView stage(std::size_t i) const noexcept {
    const Stage& stage = stages_[i];
    return {stage.plan.capacity,   stage.plan.error_rate, stage.num_stored,
            stage.plan.num_hashes, stage.plan.slice_bits, stage.num_ones};
  }

  [[nodiscard]] const BasicPartitionedFilter<Probes>& stage_filter(std::size_t i) const noexcept {
    return stages_[i].filter;
  }

  [[nodiscard]] FilterState state() const noexcept {
    FilterState state{.num_bits = num_bits(), .num_stored = 0, .num_stages = num_stages()};
    double rate = 0;
    for (const Stage& stage : stages_) {
      state.num_ones += stage.num_ones;
      *state.num_stored += stage.num_stored;
      rate += stage.filter.state().conditional_false_positive_rate * (1 - rate);
    }
    state.conditional_false_positive_rate = rate;
    return state;
  }

  /// Keys stored, summed over the stages' estimates (theory 2); +infinity if a stage is full of
  /// ones. Check-first inserts skip keys that test positive, so that distinct keys offered are up
  /// to the rate more (num_stored of the state counts what this estimates); blind ones store a key
  /// again when it comes again in a later stage.
  [[nodiscard]] double estimate_count() const noexcept {
    double count = 0;
    for (const Stage& stage : stages_) {
      count +=
          count_given_ones(kModel, stage.num_ones, stage.filter.num_bits(), stage.plan.num_hashes);
    }
    return count;
  }

  friend bool operator==(const BasicScalableFilter& a, const BasicScalableFilter& b) noexcept {
    return std::ranges::equal(a.stages_, b.stages_, {}, &Stage::filter, &Stage::filter);
  }

 private:
  struct Stage {
    ScalableStage plan;
    BasicPartitionedFilter<Probes> filter;
    std::uint64_t max_ones;  // stage change by fill: the guarantee holds up to here
    std::uint64_t num_stored = 0;
    std::uint64_t num_ones = 0;
  };

  /// The digest that stage i has of a key.
  static auto part(std::size_t i) noexcept {
    return [i](const Digest& digest) noexcept { return remix(digest, i); };
  }

  /// Whether one of the stages in [first, last) has the key.
  [[nodiscard]] bool is_in_stages(const Digest& digest, std::size_t first,
                                  std::size_t last) const noexcept {
    // The newest stage holds the most keys of those with growth > 1: a member ends soonest there.
    for (std::size_t i = last; i-- > first;) {
      if (stages_[i].filter.contains(part(i)(digest))) return true;
    }
    return false;
  }

  /// The same of a chunk and the stages below last, each while the lines of the next are on their
  /// way.
  void contains_in_stages(std::span<const Digest> chunk, std::size_t last,
                          std::uint64_t* masks) const noexcept {
    PendingKeys pending(chunk, masks);
    std::array<std::uint64_t, kQueryKeys / 64> found;
    for (std::size_t i = last; i-- > 0 && !pending.keys().empty();) {
      if (i > 0) prefetch_stage(i - 1, pending.keys());
      stages_[i].filter.contains_masks(pending.keys(), found.data(), part(i));
      pending.report(found.data());
    }
  }

  void prefetch_stage(std::size_t i, std::span<const Digest> chunk) const noexcept {
    for (const Digest& digest : chunk) {
      stages_[i].filter.prefetch(part(i)(digest), Access::kQuery);
    }
  }

  /// insert of a key of which it is known whether a stage before the newest has it.
  bool insert_given(const Digest& digest, bool is_in_older) {
    const bool checks_first = settings_.insert_policy == InsertPolicy::kCheckFirst;
    if (checks_first && is_in_older) return false;
    if (newest_is_full()) {
      const std::size_t i = stages_.size() - 1;
      const bool was_absent = !is_in_older && !is_in_stages(digest, i, i + 1);
      if (checks_first && !was_absent) return false;
      open_stage();
      store(digest);
      return was_absent;
    }
    if (!checks_first) return store(digest) > 0 && !is_in_older;
    const unsigned num_changed = set_bits(digest);
    // No bit changed: the key tested positive, and is not stored.
    stages_.back().num_stored += num_changed > 0 ? 1 : 0;
    return num_changed > 0;
  }

  unsigned store(const Digest& digest) noexcept {
    ++stages_.back().num_stored;
    return set_bits(digest);
  }

  unsigned set_bits(const Digest& digest) noexcept {
    Stage& newest = stages_.back();
    const unsigned num_changed = newest.filter.set_bits(part(stages_.size() - 1)(digest));
    newest.num_ones += num_changed;
    return num_changed;
  }

  /// By count: it has stored its n_i keys. By fill: the next key could push it past its bound. Keys
  /// are offered before the bound is passed, not after, so that the product of slice fills stays at
  /// most (M_i/2 / M_i)^k_i = 2^-k_i (mean inequality) for every filter, not only on average. A
  /// stage too small for one key takes one all the same: the filter would not end opening stages.
  [[nodiscard]] bool newest_is_full() const noexcept {
    const Stage& newest = stages_.back();
    if (newest.num_stored == 0) return false;
    if (settings_.stage_change == StageChange::kCount)
      return newest.num_stored >= newest.plan.capacity;
    return newest.num_ones + newest.plan.num_hashes > newest.max_ones;
  }

  void open_stage() {
    const ScalableStage plan = plan_stage(settings_.plan, static_cast<unsigned>(stages_.size()));
    const Geometry geometry{plan.num_bits(), 1, plan.num_hashes};
    const double max_ones =
        max_slice_fill(settings_.plan, plan) * static_cast<double>(plan.num_bits());
    stages_.push_back(
        {plan, BasicPartitionedFilter<Probes>(geometry), static_cast<std::uint64_t>(max_ones)});
  }

  ScalableSettings settings_;
  std::vector<Stage> stages_;
};

using ScalableFilter = BasicScalableFilter<>;

static_assert(LongQueryFilter<ScalableFilter> && GrowingFilter<ScalableFilter> &&
              CountEstimatingFilter<ScalableFilter>);

}  // namespace bloometry
