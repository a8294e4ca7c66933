#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/contract/filter.hpp"
#include "core/contract/filter_state.hpp"
#include "core/engine/chunk_mask.hpp"
#include "core/file/filter_image.hpp"
#include "core/file/mapped_file.hpp"
#include "core/file/stored_file.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/store/bit_array.hpp"
#include "core/text.hpp"
#include "variants/scalable/pending_keys.hpp"
#include "variants/scalable/scalable_params.hpp"
#include "variants/scalable/scalable_stages.hpp"

namespace bloometry {

/// Properties of one stage, for tests and tables.
struct StageView {
  std::uint64_t capacity;    ///< n_i, the number of keys for which the stage is planned
  double error_rate;         ///< P_i
  std::uint64_t num_stored;  ///< number of keys inserted into the stage
  unsigned num_hashes;       ///< k_i
  std::uint64_t slice_bits;  ///< w_i, or 0 for a stage of blocks
  std::uint64_t num_ones;
};

/// The stages of a scalable filter. All stages are of one kind. The chain has at least one stage,
/// and the first stage is the oldest. The public functions of the chain correspond to the functions
/// of the filter (scalable_filter.hpp). The type Stage is PartitionedStage, BlockedStage or
/// LanesStage. The function part() of a stage computes the digest of a key in this stage.
template <class Stage>
class StageChain {
 public:
  /// Opens the first stage.
  /// @throws MemoryError or ConfigError if the stage cannot be created.
  explicit StageChain(const ScalableSettings& settings) : settings_(settings) { open_stage(); }

  /// Reads the stages that a file contains.
  /// @throws the same errors as restored() of the filter
  StageChain(const ScalableSettings& settings, StoredFile& file) : settings_(settings) {
    require_stages(file, file.preamble().payload_bytes);
    for (const StoredStage& stored : file.header().stages) {
      Stage& stage = add_stage(stored);
      if (!file_detail::read_store(file, stage.words(), stored.num_cells)) {
        refuse_end(file, stages_.size() - 1);
      }
      stage.recount();
    }
  }

  /// Creates the stages that a file contains, as views of the pages of the file.
  /// @throws the same errors as mapped() of the filter
  StageChain(const ScalableSettings& settings, const MappedFile& file) : settings_(settings) {
    require_stages(file, file.payload().size_bytes());
    stages_.reserve(file.header().stages.size());
    std::span<const std::uint64_t> rest = file.payload();
    for (const StoredStage& stored : file.header().stages) {
      const auto words = rest.first(num_bytes_in_file(stored) / sizeof(std::uint64_t));
      rest = rest.subspan(words.size());
      if (!file_detail::has_clean_end(words, stored.num_cells)) refuse_end(file, stages_.size());
      add_stage(stored, MappedMemory{file.owner(), words});
    }
  }

  void describe(FilterImage& image) const {
    FileHeader& header = image.header;
    header.geometry.max_fill = settings_.max_fill;
    header.params = params_of(settings_);
    header.notes.target_false_positive_rate = settings_.plan.target_rate;
    for (const Member& stage : stages_) {
      append_stage(header, {stage.plan.capacity, stage.plan.error_rate, stage.plan.num_hashes,
                            stage.plan.num_bits(), stage.num_stored});
      image.stores.push_back(stage.cells.words());
    }
  }

  bool insert(const Digest& digest) {
    const std::size_t newest = num_stages() - 1;
    return insert_given(digest, stages_[newest].cells.part(digest),
                        is_in_stages(digest, 0, newest));
  }

  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    return is_in_stages(digest, 0, num_stages());
  }

  [[nodiscard]] bool should_prefetch() const noexcept {
    if constexpr (kQueriesStagesTogether) return false;  // contains_in_stages prefetches
    return stages_[num_stages() - 1].cells.should_prefetch();
  }

  void prefetch(const Digest& digest, Access access) const noexcept {
    const Stage& newest = stages_.back().cells;
    newest.prefetch(newest.part(digest), access);
  }

  std::uint64_t insert_mask(std::span<const Digest> chunk) {
    const std::size_t newest = num_stages() - 1;
    std::uint64_t in_older = 0;
    if constexpr (kQueriesStagesTogether) prefetch_stage(newest, chunk, Access::kUpdate);
    contains_in_stages(chunk, newest, &in_older);
    return mask_of_each(chunk, [&](const Digest& digest) {
      const bool was_in_older = (in_older & 1U) != 0;
      in_older >>= 1;
      // If a key of the chunk opened another stage, the previously newest stage has changed and is
      // now an older stage.
      const std::size_t last = stages_.size() - 1;
      return insert_given(digest, stages_[last].cells.part(digest),
                          was_in_older || is_in_stages(digest, newest, last));
    });
  }

  void contains_masks(std::span<const Digest> chunk, std::uint64_t* masks) const noexcept {
    contains_in_stages(chunk, num_stages(), masks);
  }

  /// Resets the chain to one empty first stage.
  void clear() {
    while (num_stages() > 1) stages_.pop_back();
    stages_.front().cells.clear();
    stages_.front().num_stored = 0;
  }

  [[nodiscard]] std::size_t num_stages() const noexcept {
    assert(!stages_.empty() && "moved-from: assign or destroy only");
    return stages_.size();
  }

  [[nodiscard]] StageView view(std::size_t i) const noexcept {
    const auto& [plan, cells, num_stored] = stages_[i];
    return {plan.capacity,   plan.error_rate, num_stored,
            plan.num_hashes, plan.slice_bits, cells.num_ones()};
  }

  [[nodiscard]] const typename Stage::Filter& filter(std::size_t i) const noexcept {
    return stages_[i].cells.filter();
  }

  [[nodiscard]] std::uint64_t num_bits() const noexcept {
    std::uint64_t bits = 0;
    for (const Member& stage : stages_) bits += stage.cells.filter().num_bits();
    return bits;
  }

  [[nodiscard]] FilterState state() const noexcept {
    FilterState state{.num_bits = num_bits(), .num_stored = 0, .num_stages = num_stages()};
    double rate = 0;
    if (settings_.max_fill) state.exceeds_max_fill = false;
    for (const Member& stage : stages_) {
      const FilterState of_stage = stage.cells.filter().state();
      const double stage_rate = of_stage.conditional_false_positive_rate;
      state.num_ones += of_stage.num_ones;
      *state.num_stored += stage.num_stored;
      rate += stage_rate * (1 - rate);
      if (exceeds_fill(settings_.max_fill, stage_rate, stage.plan.num_hashes).value_or(false)) {
        state.exceeds_max_fill = true;
      }
    }
    state.conditional_false_positive_rate = rate;
    return state;
  }

  [[nodiscard]] double estimate_count() const noexcept {
    double count = 0;
    for (const Member& stage : stages_) count += stage.cells.estimate_count();
    return count;
  }

  friend bool operator==(const StageChain& a, const StageChain& b) noexcept {
    const auto have_equal_cells = [](const Member& x, const Member& y) {
      return x.cells.filter() == y.cells.filter();
    };
    return a.settings_.max_fill == b.settings_.max_fill &&
           std::ranges::equal(a.stages_, b.stages_, have_equal_cells);
  }

 private:
  /// Whether one kernel queries all stages and prefetches their cache lines.
  static constexpr bool kQueriesStagesTogether = requires { Stage::kStagesAtOnce; };

  struct Member {
    ScalableStage plan;
    Stage cells;
    std::uint64_t num_stored = 0;
  };

  static ScalableStage plan_of(const StoredStage& stored) noexcept {
    ScalableStage plan{stored.capacity, stored.error_rate,
                       static_cast<unsigned>(stored.num_hashes)};
    if constexpr (Stage::kIsBlocked) {
      plan.num_blocks = stored.num_cells / kStageBlockBits;
    } else {
      plan.slice_bits = stored.num_cells / stored.num_hashes;
    }
    return plan;
  }

  template <class Memory = OwnedMemory>
  Stage& add_stage(const StoredStage& stored, const Memory& memory = {}) {
    const ScalableStage plan = plan_of(stored);
    stages_.push_back(
        {plan, Stage(settings_.plan, plan, stages_.size(), memory), stored.num_stored});
    return stages_.back().cells;
  }

  /// Returns the size of a stage's cells in a file in bytes, including padding.
  static std::uint64_t num_bytes_in_file(const StoredStage& stage) noexcept {
    const std::array<std::uint64_t, 1> num_words = {BitArray<>::num_words_for(stage.num_cells)};
    return payload_bytes_of(num_words);
  }

  /// Returns an error message if a filter cannot have the stage, or if its cells need more than
  /// `bytes_left` bytes, and an empty string otherwise.
  static std::string problem_of(const StoredStage& stage, std::uint64_t bytes_left) {
    if (stage.num_hashes < Stage::kLeastHashes || stage.num_hashes > Stage::kMostHashes) {
      return "num_hashes must be in [" + std::to_string(Stage::kLeastHashes) + ", " +
             std::to_string(Stage::kMostHashes) + "], got " + std::to_string(stage.num_hashes);
    }
    if (stage.capacity == 0) return "capacity must be at least 1, got 0";
    if (!(stage.error_rate > 0 && stage.error_rate < 1)) {
      return "error_rate must be in (0, 1), got " + shortest_text(stage.error_rate);
    }
    const std::uint64_t unit = Stage::kIsBlocked ? kStageBlockBits : stage.num_hashes;
    if (stage.num_cells == 0 || stage.num_cells % unit != 0) {
      return "num_cells must be a positive multiple of " + std::to_string(unit) + ", got " +
             std::to_string(stage.num_cells);
    }
    if (num_bytes_in_file(stage) > bytes_left) {
      return "its cells must have at most " + std::to_string(bytes_left) + " bytes, got " +
             std::to_string(num_bytes_in_file(stage));
    }
    return {};
  }

  /// Checks that the stages are valid and that they fill the file. The check does not allocate
  /// memory.
  static void require_stages(const auto& file, std::uint64_t payload_bytes) {
    std::uint64_t bytes_left = payload_bytes;
    std::size_t index = 0;
    for (const StoredStage& stage : file.header().stages) {
      const std::string problem = problem_of(stage, bytes_left);
      if (!problem.empty()) file.refuse("stage " + std::to_string(index) + ": " + problem);
      bytes_left -= num_bytes_in_file(stage);
      ++index;
    }
    if (bytes_left != 0) {
      file.refuse("it must end after its last stage, got " + std::to_string(bytes_left) +
                  " more bytes");
    }
  }

  [[noreturn]] static void refuse_end(const auto& file, std::size_t index) {
    file.refuse("stage " + std::to_string(index) + " is damaged: a bit after its last cell is set");
  }

  /// Returns whether at least one of the stages in [first, last) contains the key.
  [[nodiscard]] bool is_in_stages(const Digest& digest, std::size_t first,
                                  std::size_t last) const noexcept {
    // If the growth factor exceeds 1, the newest stage has the largest capacity. Many searches for
    // a member therefore end in the newest stage.
    for (std::size_t i = last; i-- > first;) {
      const Stage& stage = stages_[i].cells;
      if (stage.filter().contains(stage.part(digest))) return true;
    }
    return false;
  }

  /// Sets the mask bits of the keys of a chunk that at least one of the stages below `last`
  /// contains. During the queries of one stage, the function prefetches the cache lines of the next
  /// stage.
  void contains_in_stages(std::span<const Digest> chunk, std::size_t last,
                          std::uint64_t* masks) const noexcept {
    if constexpr (kQueriesStagesTogether) {
      std::fill_n(masks, (chunk.size() + 63) / 64, std::uint64_t{0});
      const auto stage = [this](std::size_t i) -> const Stage& { return stages_[i].cells; };
      Stage::add_positives(last, stage, chunk, masks);
    } else {
      query_in_turn(chunk, last, masks);
    }
  }

  void query_in_turn(std::span<const Digest> chunk, std::size_t last,
                     std::uint64_t* masks) const noexcept {
    PendingKeys pending(chunk, masks);
    std::array<std::uint64_t, kMaxQueryKeys / 64> found;
    for (std::size_t i = last; i-- > 0 && !pending.keys().empty();) {
      if (i > 0) prefetch_stage(i - 1, pending.keys(), Access::kQuery);
      stages_[i].cells.contains_masks(pending.keys(), found.data());
      pending.report(found.data());
    }
  }

  void prefetch_stage(std::size_t i, std::span<const Digest> keys, Access access) const noexcept {
    const Stage& cells = stages_[i].cells;
    if (!cells.should_prefetch()) return;
    for (const Digest& key : keys) cells.prefetch(cells.part(key), access);
  }

  /// Inserts a key, given its digest in the newest stage and whether an older stage contains the
  /// key.
  bool insert_given(const Digest& digest, const Digest& in_newest, bool is_in_older) {
    const bool checks_first = settings_.insert_policy == InsertPolicy::kCheckFirst;
    if (checks_first && is_in_older) return false;
    if (is_full(in_newest)) return insert_when_full(digest, in_newest, is_in_older);
    // If the insert does not change a bit, the key tested positive, and check-first does not count
    // the key as stored.
    Member& newest = stages_.back();
    const bool has_changed = newest.cells.insert(in_newest);
    newest.num_stored += has_changed || !checks_first ? 1 : 0;
    return has_changed && !is_in_older;
  }

  /// Inserts a key when the newest stage is full. The function opens another stage if the key must
  /// be stored. The function is not inlined, so that other inserts do not need registers for its
  /// code.
  [[gnu::cold, gnu::noinline]] bool insert_when_full(Digest digest, Digest in_newest,
                                                     bool is_in_older) {
    const bool was_absent = !is_in_older && !stages_.back().cells.filter().contains(in_newest);
    if (settings_.insert_policy == InsertPolicy::kCheckFirst && !was_absent) return false;
    open_stage();
    Member& newest = stages_.back();
    ++newest.num_stored;
    newest.cells.insert(newest.cells.part(digest));
    return was_absent;
  }

  /// Returns whether the newest stage is too full for the given key. With stage change by count,
  /// the stage is full if it has stored n_i keys. An empty stage always accepts a key, because the
  /// filter would otherwise open stages without end.
  [[nodiscard]] bool is_full(const Digest& in_newest) const noexcept {
    const Member& newest = stages_.back();
    if (newest.num_stored == 0) return false;
    if (settings_.stage_change == StageChange::kCount)
      return newest.num_stored >= newest.plan.capacity;
    return newest.cells.is_full_by_fill(in_newest);
  }

  /// @throws ConfigError if the stage cannot be planned, or if a file could not describe one more
  /// stage; MemoryError if its memory cannot be allocated. The chain is then unchanged.
  void open_stage() {
    if (stages_.size() >= kMaxFileStages) refuse_stages(kMaxFileStages);
    const ScalableStage plan = plan_stage(settings_.plan, static_cast<unsigned>(stages_.size()));
    stages_.push_back({plan, Stage(settings_.plan, plan, stages_.size())});
  }

  ScalableSettings settings_;
  std::vector<Member> stages_;
};

}  // namespace bloometry
