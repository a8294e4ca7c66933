#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/contract/filter.hpp"
#include "core/contract/filter_state.hpp"
#include "core/contract/generation_counts.hpp"
#include "core/engine/batch_access.hpp"
#include "core/engine/generation_clock.hpp"
#include "core/file/file_header.hpp"
#include "core/file/filter_image.hpp"
#include "core/file/generation_check.hpp"
#include "core/file/mapped_file.hpp"
#include "core/file/stored_file.hpp"
#include "core/isa/isa.hpp"
#include "core/lane_stage/lane_stage.hpp"
#include "core/store/bit_array.hpp"
#include "variants/rotating/generation.hpp"
#include "variants/rotating/rotating_params.hpp"
#include "variants/scalable/pending_keys.hpp"

namespace bloometry {

/// The generations of a rotating filter, in a ring of slots, all of one kind and one geometry. The
/// public functions correspond to those of the filter (rotating_filter.hpp). The type G is one of
/// the types of generation.hpp. All memory is allocated by the constructors.
template <class G>
class GenerationRing {
 public:
  /// Makes empty generations.
  /// @throws MemoryError if the memory cannot be allocated.
  explicit GenerationRing(const RotatingSettings& settings)
      : GenerationRing(settings, clock_of(settings)) {
    generations_.reserve(settings.num_generations);
    for (std::size_t slot = 0; slot < settings.num_generations; ++slot) add_generation(slot);
  }

  /// Reads the generations that a file contains.
  /// @throws the same errors as restored() of the filter
  GenerationRing(const RotatingSettings& settings, StoredFile& file)
      : GenerationRing(settings, clock_of(settings)) {
    require_file(file, file.preamble().payload_bytes);
    clock_.set_counts(*file.header().generations);
    generations_.reserve(settings.num_generations);
    for (std::size_t slot = 0; slot < settings.num_generations; ++slot) {
      add_generation(slot);
      const auto words = generations_[slot].words();
      if (!file_detail::read_store(file, words, num_cells())) refuse_end(file, slot);
    }
  }

  /// Creates the generations that a file contains, as views of the pages of the file.
  /// @throws the same errors as mapped() of the filter
  GenerationRing(const RotatingSettings& settings, const MappedFile& file)
      : GenerationRing(settings, clock_of(settings)) {
    require_file(file, file.payload().size_bytes());
    clock_.set_counts(*file.header().generations);
    generations_.reserve(settings.num_generations);
    const std::uint64_t num_words = bytes_in_file() / sizeof(std::uint64_t);
    for (std::size_t slot = 0; slot < settings.num_generations; ++slot) {
      const auto words = file.payload().subspan(slot * num_words, num_words);
      if (!file_detail::has_clean_end(words, num_cells())) refuse_end(file, slot);
      add_generation(slot, MappedMemory{file.owner(), words});
    }
  }

  void describe(FilterImage& image) const {
    FileHeader& header = image.header;
    header.geometry = settings_.whole();
    header.params = params_of(settings_);
    header.generations = clock_.counts();
    for (const G& generation : generations_) image.stores.push_back(generation.words());
  }

  [[nodiscard]] const RotatingSettings& settings() const noexcept { return settings_; }

  [[nodiscard]] GenerationCounts counts() const { return clock_.counts(); }

  bool insert(const Digest& digest) noexcept {
    require_live();
    if (clock_.is_full()) {
      const bool was_absent = !contains(digest);
      rotate();
      clock_.count_inserts(1);
      newest().insert(digest);
      return was_absent;
    }
    const bool was_in_older = is_in_ages(digest, 1);
    clock_.count_inserts(1);
    return newest().insert(digest) && !was_in_older;
  }

  std::uint64_t insert_mask(std::span<const Digest> chunk) noexcept {
    require_live();
    std::uint64_t mask = 0;
    for (std::size_t first = 0; first < chunk.size();) {
      if (clock_.is_full()) {
        mask |= static_cast<std::uint64_t>(insert(chunk[first])) << first;
        ++first;
        continue;
      }
      const std::size_t num_keys = static_cast<std::size_t>(
          std::min<std::uint64_t>(clock_.num_until_full(), chunk.size() - first));
      mask |= insert_into_newest(chunk.subspan(first, num_keys)) << first;
      first += num_keys;
    }
    return mask;
  }

  [[nodiscard]] bool contains(const Digest& digest) const noexcept { return is_in_ages(digest, 0); }

  void contains_masks(std::span<const Digest> chunk, std::uint64_t* masks) const noexcept {
    contains_in_ages(0, chunk, masks);
  }

  [[nodiscard]] std::optional<std::uint64_t> age(const Digest& digest) const noexcept {
    for (std::size_t age = 0; age < size(); ++age) {
      if (of_age(age).contains(digest)) return age;
    }
    return std::nullopt;
  }

  void tick() noexcept {
    rotate();
    clock_.count_tick();
  }

  void clear() noexcept {
    for (std::size_t slot = 0; slot < size(); ++slot) generations_[slot].clear();
    clock_.clear();
  }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return settings_.whole().num_bits(); }

  [[nodiscard]] const typename G::Filter& generation(std::size_t age) const noexcept {
    return of_age(age).filter();
  }

  /// Returns whether the filter is larger than the caches. The kernel of lanes generations
  /// prefetches in queries itself.
  [[nodiscard]] bool should_prefetch() const noexcept {
    return num_bits() / 8 > kMinPrefetchBytesOf<G>;
  }

  void prefetch(const Digest& digest, Access access) const noexcept {
    if (G::kHasLaneKernel && access == Access::kQuery) return;
    of_age(0).prefetch(digest, access);
  }

  [[nodiscard]] FilterState state() const noexcept {
    FilterState state{.num_bits = num_bits()};
    double rate = 0;
    for (std::size_t age = 0; age < size(); ++age) {
      const FilterState of_generation = generation(age).state();
      state.num_ones += of_generation.num_ones;
      rate += of_generation.conditional_false_positive_rate * (1 - rate);
      if (of_generation.exceeds_max_fill) {
        state.exceeds_max_fill =
            state.exceeds_max_fill.value_or(false) || *of_generation.exceeds_max_fill;
      }
    }
    state.conditional_false_positive_rate = rate;
    return state;
  }

  friend bool operator==(const GenerationRing& a, const GenerationRing& b) noexcept {
    const auto have_equal_cells = [](const G& x, const G& y) { return x.filter() == y.filter(); };
    return a.settings_ == b.settings_ && a.clock_ == b.clock_ &&
           std::ranges::equal(a.generations_, b.generations_, have_equal_cells);
  }

 private:
  static GenerationClock clock_of(const RotatingSettings& settings) {
    return {settings.num_generations, settings.generation_capacity, settings.rotates_on_inserts};
  }

  GenerationRing(const RotatingSettings& settings, GenerationClock clock)
      : settings_(settings), clock_(std::move(clock)) {}

  template <class Memory = OwnedMemory>
  void add_generation(std::size_t slot, const Memory& memory = {}) {
    generations_.emplace_back(settings_.generation, slot, memory);
  }

  /// Returns the size of the cells of a generation in a file in bytes, including padding.
  [[nodiscard]] std::uint64_t bytes_in_file() const noexcept {
    const std::array<std::uint64_t, 1> num_words = {
        BitArray<>::num_words_for(settings_.generation.num_cells)};
    return payload_bytes_of(num_words);
  }

  /// Checks that the file has the geometry of the settings, their counts and the bytes of their
  /// cells. The check does not allocate memory.
  void require_file(const auto& file, std::uint64_t payload_bytes) const {
    const FileHeader& header = file.header();
    if (header.geometry != settings_.whole()) {
      file.refuse("its cells must be " + std::to_string(settings_.num_generations) +
                  " equal generations, got " + std::to_string(header.geometry.num_cells) +
                  " cells in blocks of " + std::to_string(header.geometry.block_cells));
    }
    if (!header.generations) file.refuse("field 'generations' is missing");
    const std::string problem = impossible_counts(*header.generations, clock_);
    if (!problem.empty()) file.refuse(problem);
    const std::uint64_t wanted = settings_.num_generations * bytes_in_file();
    if (payload_bytes != wanted) {
      file.refuse("its " + std::to_string(header.geometry.num_cells) + " cells must have " +
                  std::to_string(wanted) + " bytes, got " + std::to_string(payload_bytes));
    }
  }

  /// Returns the number of cells of a generation.
  [[nodiscard]] std::uint64_t num_cells() const noexcept { return settings_.generation.num_cells; }

  [[noreturn]] static void refuse_end(const auto& file, std::size_t slot) {
    file.refuse("slot " + std::to_string(slot) + " is damaged: a bit after its last cell is set");
  }

  void require_live() const noexcept {
    assert(!generations_.empty() && "moved-from: assign or destroy only");
  }

  [[nodiscard]] std::size_t size() const noexcept {
    require_live();
    return generations_.size();
  }

  [[nodiscard]] const G& of_age(std::size_t age) const noexcept {
    require_live();
    return generations_[clock_.slot_of_age(age)];
  }

  [[nodiscard]] G& newest() noexcept { return generations_[clock_.newest_slot()]; }

  /// Closes the newest generation, and clears the oldest, whose slot becomes the newest.
  void rotate() noexcept {
    require_live();
    clock_.rotate();
    newest().clear();
  }

  /// Returns whether a generation of the given age or older contains the key. The newest generation
  /// is queried first.
  [[nodiscard]] bool is_in_ages(const Digest& digest, std::size_t first_age) const noexcept {
    for (std::size_t age = first_age; age < size(); ++age) {
      if (of_age(age).contains(digest)) return true;
    }
    return false;
  }

  /// Sets the mask bits of the keys of a chunk that a generation of the given age or older
  /// contains.
  void contains_in_ages(std::size_t first_age, std::span<const Digest> chunk,
                        std::uint64_t* masks) const noexcept {
    if constexpr (G::kHasLaneKernel) {
      query_together(first_age, chunk, masks);
    } else {
      query_in_turn(first_age, chunk, masks);
    }
  }

  void query_together(std::size_t first_age, std::span<const Digest> chunk,
                      std::uint64_t* masks) const noexcept {
    std::array<LaneStage, kMaxGenerations> stages;
    const bool prefetches = should_prefetch();
    std::size_t num_stages = 0;
    for (std::size_t age = first_age; age < size(); ++age) {
      const G& generation = of_age(age);
      stages[num_stages++] = {generation.words().data(), generation.filter().num_blocks(),
                              generation.part().factors(), prefetches};
    }
    std::fill_n(masks, (chunk.size() + 63) / 64, std::uint64_t{0});
    lane_stage_kernels(active_isa(), generations_.front().filter().num_blocks())
        .contains(stages.data(), num_stages, chunk.data(), chunk.size(), masks);
  }

  /// Queries one generation after the other. During the queries of a generation, the cache lines of
  /// the next one are being loaded.
  void query_in_turn(std::size_t first_age, std::span<const Digest> chunk,
                     std::uint64_t* masks) const noexcept {
    PendingKeys pending(chunk, masks);
    std::array<std::uint64_t, kMaxQueryKeys / 64> found;
    const bool prefetches = should_prefetch();
    for (std::size_t age = first_age; age < size() && !pending.keys().empty(); ++age) {
      if (prefetches && age + 1 < size()) {
        for (const Digest& key : pending.keys()) of_age(age + 1).prefetch(key, Access::kQuery);
      }
      of_age(age).contains_masks(pending.keys(), found.data());
      pending.report(found.data());
    }
  }

  /// Inserts the keys of a chunk, for which the newest generation has room.
  std::uint64_t insert_into_newest(std::span<const Digest> chunk) noexcept {
    if (should_prefetch()) {
      for (const Digest& key : chunk) of_age(0).prefetch(key, Access::kUpdate);
    }
    std::uint64_t in_older = 0;
    contains_in_ages(1, chunk, &in_older);
    clock_.count_inserts(chunk.size());
    return newest().insert_mask(chunk) & ~in_older;
  }

  RotatingSettings settings_;
  GenerationClock clock_;
  std::vector<G> generations_;  // by slot
};

}  // namespace bloometry
