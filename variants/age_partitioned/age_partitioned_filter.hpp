#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/contract/filter.hpp"
#include "core/contract/variant_description.hpp"
#include "core/engine/batch_access.hpp"
#include "core/engine/chunk_mask.hpp"
#include "core/engine/generation_clock.hpp"
#include "core/file/filter_image.hpp"
#include "core/file/mapped_file.hpp"
#include "core/file/stored_file.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/probe/all_probes.hpp"
#include "core/store/bit_array.hpp"
#include "core/store/memory.hpp"
#include "variants/age_partitioned/age_partitioned_rates.hpp"
#include "variants/age_partitioned/age_partitioned_settings.hpp"
#include "variants/age_partitioned/age_partitioned_sizing.hpp"
#include "variants/age_partitioned/run_search.hpp"
#include "variants/age_partitioned/slice_words.hpp"

namespace bloometry {

/// Age-partitioned Bloom filter. It contains the keys of the last l g + 1 insert calls at least,
/// and forgets older keys slice by slice.
///
/// Source: Shtul, Baquero, Almeida (2020), "Age-Partitioned Bloom Filters". The README states the
/// differences.
/// Layout: k + l slices of w bits, slice s in the bits [s w, (s + 1) w). The position of a key in
/// slice s is fastrange of word s of the scheme. The slices are a ring in the order of their ages.
/// An insert sets a bit in each of the k youngest slices. After g inserts, the next insert clears
/// the oldest slice first, which becomes the youngest. A key tests positive if and only if its bits
/// in k slices of consecutive ages are set.
/// Rate given the state: r <- the probability of k matches in a row among the slices in the order
/// of their ages, each of which matches with its fill ratio (age_partitioned_rates.hpp). Cost:
/// insert writes k bits and queries the key. A query tests each slice at most once. The insert that
/// clears a slice writes w bits of zeros. Neither allocates memory. Concurrent inserts are not
/// safe.
template <WordProbePolicy P = RemixProbes, class Memory = OwnedMemory>
class BasicAgePartitionedFilter {
  static_assert(std::same_as<Memory, OwnedMemory> || !kIsWritable<Memory>,
                "the counts of the generations are not in the memory of the cells");

 public:
  static constexpr std::string_view kName = kAgePartitionedName;
  static constexpr ProbeModel kModel = ProbeModel::kPartitioned;
  static constexpr VariantDescription kDescription = {
      .summary =
          "forgets keys after a window of inserts or ticks; k + l slices, of which inserts "
          "write the k youngest",
      .paper = "Shtul, Baquero, Almeida 2020",
      .rate_given_state =
          "probability of k matches in a row among k + l slices by age, each with "
          "its fill X_i/w",
      .probe_passes = ProbePasses::kByOwnRule,
      .depends_on_order = true,
      .leaves_traces = true};
  static constexpr std::span<const ParamInfo> kParams = kAgePartitionedParams;
  /// With 7 probes, 32 keys prefetch 224 cache lines, which is a third of an L1 cache.
  static constexpr std::size_t kUpdateKeys = 32;
  static constexpr std::size_t kQueryKeys = kMaxQueryKeys;
  using Probes = P;
  using SupportedProbes = WordProbes;
  template <WordProbePolicy Q>
  using WithProbes = BasicAgePartitionedFilter<Q, Memory>;
  template <class M>
  using WithMemory = BasicAgePartitionedFilter<P, M>;

  /// Returns the number of bits of all slices, and k.
  /// @throws ConfigError if age_shape throws or max_fill is not in (0, 1)
  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    return geometry_of(age_settings(spec));
  }

  /// Returns the parameters of a filter with the spec, with those that follow from the size.
  /// @throws ConfigError if `geometry` throws
  [[nodiscard]] static Params resolved_params(const FilterSpec& spec) {
    return age_params(age_settings(spec));
  }

  /// Returns the window: l g + 1 insert calls, and l ticks.
  /// @throws ConfigError if `geometry` throws
  [[nodiscard]] static Window window_of(const FilterSpec& spec) {
    return age_window(age_settings(spec));
  }

  /// @throws ConfigError if `geometry` throws; MemoryError if memory cannot be allocated
  explicit BasicAgePartitionedFilter(const FilterSpec& spec)
      : BasicAgePartitionedFilter(age_settings(spec), Memory()) {}

  /// Returns the filter that a file contains (core/file/filter_image.hpp).
  /// @throws ConfigError, with the name of the file, if the file does not contain such a filter;
  /// MemoryError if memory cannot be allocated; IoError if the file cannot be read
  [[nodiscard]] static BasicAgePartitionedFilter restored(
      StoredFile& file) requires std::same_as<Memory, OwnedMemory> {
    BasicAgePartitionedFilter filter = in_file(file, file.preamble().payload_bytes, Memory());
    if (!file_detail::read_store(file, filter.bits_.all_words(), filter.num_bits())) {
      file_detail::refuse_end(file);
    }
    return filter;
  }

  /// Returns the filter that a file contains, as a view of the pages of the file. Such a filter is
  /// read-only.
  /// @throws ConfigError if the file does not contain such a filter; the message names the file
  [[nodiscard]] static BasicAgePartitionedFilter mapped(
      const MappedFile& file) requires std::same_as<Memory, MappedMemory> {
    BasicAgePartitionedFilter filter =
        in_file(file, file.payload().size_bytes(), MappedMemory{file.owner(), file.payload()});
    if (!file_detail::has_clean_end(file.payload(), filter.num_bits())) {
      file_detail::refuse_end(file);
    }
    return filter;
  }

  /// Writes the description of this filter for a file.
  void describe(FilterImage& image) const {
    describe_age_partitioned(settings_, clock_, image.header);
    image.stores.push_back(bits_.all_words());
  }

  /// Inserts a key, also one that the filter contains: its window then begins anew. Clears the
  /// oldest slice first if the generation is full. Returns true if the filter did not contain the
  /// key before.
  bool insert(const Digest& digest) noexcept {
    require_live();
    const bool was_absent = !contains(digest);
    if (clock_.is_full()) rotate();
    clock_.count_inserts(1);
    SliceWords<P> words(digest, num_bits());
    for (unsigned age = 0; age < num_hashes(); ++age) bits_.set(position(words, age));
    return was_absent;
  }

  /// Returns whether the filter contains the key. The answer true may be wrong. The answer false is
  /// never wrong within the window.
  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    return search(digest) != kNoRun;
  }

  /// Returns the smallest number of rotations after which an insert of the key can have left its
  /// bits, or std::nullopt if the filter does not contain the key.
  [[nodiscard]] std::optional<std::uint64_t> age(const Digest& digest) const noexcept {
    const unsigned age = search(digest);
    return age == kNoRun ? std::nullopt : std::optional<std::uint64_t>(age);
  }

  /// Clears the oldest slice, which becomes the youngest.
  void tick() noexcept {
    rotate();
    clock_.count_tick();
  }

  void clear() noexcept {
    require_live();
    bits_.clear();
    clock_.clear();
  }

  [[nodiscard]] Window window() const noexcept { return age_window(settings_); }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return bits_.size(); }

  /// Returns k, the number of slices that an insert writes.
  [[nodiscard]] unsigned num_hashes() const noexcept { return settings_.shape.num_hashes; }

  [[nodiscard]] const AgeShape& shape() const noexcept { return settings_.shape; }

  [[nodiscard]] Geometry geometry() const noexcept { return geometry_of(settings_); }

  [[nodiscard]] Params params() const { return age_params(settings_); }

  [[nodiscard]] const BitArray<Memory>& bits() const noexcept { return bits_; }

  [[nodiscard]] GenerationCounts generation_counts() const { return clock_.counts(); }

  /// Returns the state. The filter exceeds max_fill if its rate is above that of a filter in which
  /// all slices have the fill max_fill.
  [[nodiscard]] FilterState state() const noexcept {
    require_live();
    std::array<double, kMaxAgeSlices> fills;
    FilterState state{.num_bits = num_bits()};
    const unsigned num_slices = shape().num_slices();
    for (unsigned age = 0; age < num_slices; ++age) {
      const std::uint64_t first = clock_.slot_of_age(age) * shape().slice_bits;
      const std::uint64_t num_ones = bits_.count(first, first + shape().slice_bits);
      state.num_ones += num_ones;
      fills[age] = static_cast<double>(num_ones) / static_cast<double>(shape().slice_bits);
    }
    const auto rate_of = [&] {
      return rate_given_fills(std::span(fills).first(num_slices), num_hashes());
    };
    state.conditional_false_positive_rate = rate_of();
    if (settings_.max_fill) {
      fills.fill(*settings_.max_fill);
      state.exceeds_max_fill = state.conditional_false_positive_rate > rate_of();
    }
    return state;
  }

  friend bool operator==(const BasicAgePartitionedFilter& a,
                         const BasicAgePartitionedFilter& b) noexcept {
    return a.settings_ == b.settings_ && a.clock_ == b.clock_ && a.bits_ == b.bits_;
  }

 private:
  friend struct BatchAccess;

  static constexpr unsigned kNoRun = kMaxAgeSlices;

  /// Whether batches of queries prefetch. Other schemes compute the words of a key one by one.
  static constexpr bool kQueriesInRounds = std::same_as<P, RemixProbes>;

  BasicAgePartitionedFilter(const AgeSettings& settings, const Memory& memory)
      : settings_(settings), clock_(clock_of(settings)), bits_(settings.shape.num_bits(), memory) {}

  /// Returns a filter with the settings and the counts of a file, after checks of the header.
  static BasicAgePartitionedFilter in_file(const auto& file, std::uint64_t payload_bytes,
                                           const Memory& memory) {
    const std::string mismatch = age_file_mismatch(file.header(), P::kName, payload_bytes);
    if (!mismatch.empty()) file.refuse(mismatch);
    BasicAgePartitionedFilter filter(age_settings_in(file.header()), memory);
    filter.clock_.set_counts(*file.header().generations);
    return filter;
  }

  void require_live() const noexcept {
    assert(clock_.num_generations() > 0 && "moved-from: assign or destroy only");
  }

  void rotate() noexcept {
    require_live();
    clock_.rotate();
    const std::uint64_t first = clock_.newest_slot() * shape().slice_bits;
    bits_.clear(first, first + shape().slice_bits);
  }

  /// Returns the position of a key in the slice with the given age.
  [[nodiscard]] std::uint64_t position(auto& words, unsigned age) const noexcept {
    const auto slot = static_cast<unsigned>(clock_.slot_of_age(age));
    return slot * shape().slice_bits + fastrange(words.word(slot), shape().slice_bits);
  }

  /// Returns the age of the youngest slice of the youngest run of k matches, or kNoRun.
  [[nodiscard]] unsigned search(const Digest& digest) const noexcept {
    require_live();
    SliceWords<P> words(digest, num_bits());
    RunSearch run(num_hashes());
    for (;;) {
      switch (report(run, bits_.test(position(words, run.next())))) {
        case RunSearch::Outcome::kFound:
          return run.age();
        case RunSearch::Outcome::kNotFound:
          return kNoRun;
        case RunSearch::Outcome::kUndecided:
          break;
      }
    }
  }

  RunSearch::Outcome report(RunSearch& run, bool matches) const noexcept {
    return run.report(matches, num_hashes(), shape().num_slices());
  }

  // BatchAccess documents the following functions.

  [[nodiscard]] bool should_prefetch() const noexcept { return bits_.should_prefetch(); }

  /// Prefetches the bits that an insert writes. Queries prefetch in contains_masks.
  void prefetch(const Digest& digest, Access access) const noexcept {
    if (access == Access::kQuery) return;
    SliceWords<P> words(digest, num_bits());
    for (unsigned age = 0; age < num_hashes(); ++age) {
      bits_.prefetch_to_write(position(words, age));
    }
  }

  std::uint64_t insert_mask(std::span<const Digest> chunk) noexcept {
    if (kQueriesInRounds &&
        should_prefetch()) {  // loads the cache lines of all keys, for the queries of insert()
      std::array<std::uint64_t, 1> unused;
      contains_masks(chunk, unused.data(), std::identity());
    }
    return mask_of_each(chunk, [this](const Digest& digest) { return insert(digest); });
  }

  template <class Key = Digest, class Derive = std::identity>
  void contains_masks(std::span<const Key> keys, std::uint64_t* masks,
                      Derive derive = {}) const noexcept {
    require_live();
    if constexpr (kQueriesInRounds) {
      if (should_prefetch()) return query_in_rounds(keys, masks, derive);
    }
    for (std::size_t first = 0; first < keys.size(); first += kMaxChunkKeys) {
      masks[first / kMaxChunkKeys] =
          mask_of_each_key(std::min(kMaxChunkKeys, keys.size() - first),
                           [&](std::size_t i) { return contains(derive(keys[first + i])); });
    }
  }

  /// A key whose answer is not known yet.
  struct PendingKey {
    SliceWords<P> words;
    std::uint64_t position;
    RunSearch run;
    std::uint16_t number;
  };

  /// Sets the mask bits of a chunk. Each round tests one slice for each key without an answer, and
  /// prefetches the bit of its next round, so that the cache lines of all keys load at once.
  template <class Key, class Derive>
  void query_in_rounds(std::span<const Key> keys, std::uint64_t* masks,
                       Derive derive) const noexcept {
    std::fill_n(masks, (keys.size() + kMaxChunkKeys - 1) / kMaxChunkKeys, std::uint64_t{0});
    std::array<PendingKey, kMaxQueryKeys> pending;
    std::size_t num_pending = keys.size();
    const auto prefetch_next = [&](PendingKey& key) {
      key.position = position(key.words, key.run.next());
      bits_.prefetch_to_read(key.position);
    };
    for (std::size_t i = 0; i < keys.size(); ++i) {
      pending[i] = {SliceWords<P>(derive(keys[i]), num_bits()), 0, RunSearch(num_hashes()),
                    static_cast<std::uint16_t>(i)};
      prefetch_next(pending[i]);
    }
    while (num_pending > 0) {
      std::size_t num_left = 0;
      for (std::size_t i = 0; i < num_pending; ++i) {
        PendingKey& key = pending[i];
        const auto outcome = report(key.run, bits_.test(key.position));
        if (outcome == RunSearch::Outcome::kUndecided) {
          prefetch_next(key);
          pending[num_left++] = key;
        } else if (outcome == RunSearch::Outcome::kFound) {
          masks[key.number / kMaxChunkKeys] |= std::uint64_t{1} << key.number % kMaxChunkKeys;
        }
      }
      num_pending = num_left;
    }
  }

  AgeSettings settings_;
  GenerationClock clock_;
  BitArray<Memory> bits_;
};

using AgePartitionedFilter = BasicAgePartitionedFilter<>;

static_assert(BatchFilter<AgePartitionedFilter> && ForgettingFilter<AgePartitionedFilter>);
static_assert(BatchFilter<AgePartitionedFilter::WithMemory<MappedMemory>>);

}  // namespace bloometry
