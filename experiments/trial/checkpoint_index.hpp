#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "core/hash/digest.hpp"
#include "core/probe/probe_policy.hpp"
#include "experiments/trial/buffer_pool.hpp"
#include "experiments/trial/hash_counts.hpp"
#include "experiments/trial/nibble_lanes.hpp"
#include "experiments/trial/step_path.hpp"

namespace bloometry {

/// Number of keys found, by filter and step: [filter][step]. Keys that are not found are omitted or
/// are counted at step 15.
using StepCounts = std::array<std::array<std::uint64_t, 16>, HashCounts::kMaxFilters>;

/// Number of keys by filter, step and s: [filter][step][s]. The number s counts the key's probes on
/// bits that the filter has set at the step or before.
using SetProbeCounts =
    std::array<std::array<std::array<std::uint64_t, HashCounts::kMaxHashes + 1>, 15>,
               HashCounts::kMaxFilters>;

/// Layout of the words of a table. The low bits of a word contain the number of filters that have
/// set the bit. The higher bits contain the path (step_path.hpp). A word has one to four whole
/// bytes.
struct WordLayout {
  static constexpr unsigned kMaxSteps = 15;  // a step is a nibble, in which 15 means "not set"

  /// Returns the number of steps that fit in 32 bits: 15 for up to 14 filters, 12 for 16 filters.
  static constexpr unsigned max_steps(unsigned num_filters) noexcept {
    return std::min(kMaxSteps, 33U - num_filters - count_bits_for(num_filters));
  }

  static constexpr unsigned count_bits_for(unsigned num_filters) noexcept {
    return static_cast<unsigned>(std::bit_width(num_filters));
  }

  constexpr WordLayout(unsigned num_filters, unsigned num_steps) noexcept
      : count_bits(count_bits_for(num_filters)),
        num_bytes((count_bits + num_filters + num_steps - 1 + 7) / 8) {}

  /// Returns the size of a table in bytes. The table has padding, because words are read through a
  /// window of four bytes.
  [[nodiscard]] constexpr std::size_t table_bytes(std::uint64_t num_positions) const noexcept {
    return num_positions * num_bytes + sizeof(std::uint32_t);
  }

  unsigned count_bits;
  unsigned num_bytes;
};

/// The table of words of the checkpoint engine (checkpoint_engine.hpp), and the passes over these
/// words.
///
/// Word i starts at byte i * num_bytes, and is read and written by unaligned 32-bit accesses. If a
/// word has fewer than 32 bits, the higher bits of an access belong to the next words and do not
/// change.
class CheckpointIndex {
 public:
  /// Allocates the table. @param pool pool that provides the memory; the destructor returns the
  /// memory to it
  /// @throws MemoryError if the memory cannot be allocated
  CheckpointIndex(std::uint64_t num_positions, const HashCounts& hash_counts,
                  const WordLayout& layout, BufferPool& pool)
      : hash_counts_(hash_counts),
        num_positions_(num_positions),
        count_bits_(layout.count_bits),
        stride_(layout.num_bytes),
        mask_(static_cast<std::uint32_t>((std::uint64_t{1} << (8 * layout.num_bytes)) - 1)),
        pool_(pool),
        buffer_(pool.acquire(layout.table_bytes(num_positions))),
        bytes_(static_cast<char*>(buffer_.data())) {}

  CheckpointIndex(const CheckpointIndex&) = delete;
  CheckpointIndex& operator=(const CheckpointIndex&) = delete;

  ~CheckpointIndex() { pool_.release(std::move(buffer_)); }

  /// Sets the bits of the keys in all filters. insert() stores `step` for bits that are set for the
  /// first time. The step must not decrease between calls.
  template <ProbePolicy Probes>
  void insert(std::span<const Digest> digests, unsigned step) noexcept {
    const Gains gains = gains_at(step);
    std::array<Positions, kKeysAhead> ring;
    const std::size_t head = std::min(digests.size(), kKeysAhead);
    for (std::size_t i = 0; i < head; ++i) locate<Probes>(digests[i], ring[i]);
    for (std::size_t i = 0; i < digests.size(); ++i) {
      Positions& positions = ring[i % kKeysAhead];
      for (unsigned j = 0; j < hash_counts_.max_hashes(); ++j) set(positions[j], j, gains[j]);
      if (i + kKeysAhead < digests.size()) locate<Probes>(digests[i + kKeysAhead], positions);
    }
  }

  /// Returns the number of set bits in a filter.
  [[nodiscard]] std::uint64_t num_ones(unsigned filter) const noexcept {
    std::uint64_t ones = 0;
    for (unsigned j = 0; j < hash_counts_.max_hashes(); ++j) {
      if (filter >= hash_counts_.num_open(j)) continue;
      for (unsigned num_set = 0; num_set <= filter; ++num_set) ones += num_updates_[j][num_set];
    }
    return ones;
  }

  /// Changes the step of every set bit to 0.
  void restart_steps() noexcept {
    for (std::uint64_t i = 0; i < num_positions_; ++i) {
      const std::uint32_t window = load(i);
      const unsigned num_set = window & count_mask();
      const std::uint32_t path = step_path::new_bits(0, num_set, 0);
      store(i, (window & ~mask_) | path << count_bits_ | num_set);
    }
  }

  /// Returns the digests that at least one filter does not contain at `step`. For members, the
  /// result must be empty. not_in_all() does not decode steps, and is therefore faster than
  /// count_found().
  template <ProbePolicy Probes>
  [[nodiscard]] std::vector<Digest> not_in_all(std::span<const Digest> digests,
                                               unsigned step) const {
    std::vector<Digest> missed;
    std::array<Positions, kKeysAhead> ring;
    const std::size_t head = std::min(digests.size(), kKeysAhead);
    for (std::size_t i = 0; i < head; ++i) locate<Probes>(digests[i], ring[i]);
    for (std::size_t i = 0; i < digests.size(); ++i) {
      Positions& positions = ring[i % kKeysAhead];
      if (!in_all(positions, step)) missed.push_back(digests[i]);
      if (i + kKeysAhead < digests.size()) locate<Probes>(digests[i + kKeysAhead], positions);
    }
    return missed;
  }

  /// Counts the keys per step, for each filter with a 1 in its nibble of `wanted`. The step of a
  /// key is the first step at which the filter contains the key.
  /// @param wanted word with 1 in the nibble of each filter; must not be 0
  template <ProbePolicy Probes>
  void count_found(std::span<const Digest> digests, std::uint64_t wanted,
                   StepCounts& counts) const {
    Batch<Probes> batch;
    while (!digests.empty()) {
      const auto part = digests.first(std::min(digests.size(), kKeysPerBatch));
      digests = digests.subspan(part.size());
      look_up_all(part, wanted, batch);
      add_found(batch, part.size(), counts);
    }
  }

  /// Counts the keys by their number of probes on set bits, for every filter and the first
  /// `num_steps` steps. The function reads all probes, which is too slow for millions of keys but
  /// fast enough for thousands of keys.
  template <ProbePolicy Probes>
  void count_set_probes(std::span<const Digest> digests, unsigned num_steps,
                        SetProbeCounts& counts) const {
    std::array<Positions, kKeysAhead> ring;
    const std::size_t head = std::min(digests.size(), kKeysAhead);
    for (std::size_t i = 0; i < head; ++i) locate<Probes>(digests[i], ring[i]);
    for (std::size_t i = 0; i < digests.size(); ++i) {
      Positions& positions = ring[i % kKeysAhead];
      add_set_probes(positions, num_steps, counts);
      if (i + kKeysAhead < digests.size()) locate<Probes>(digests[i + kKeysAhead], positions);
    }
  }

 private:
  using Positions = std::array<std::uint64_t, HashCounts::kMaxHashes>;
  /// The value that is added to a word, indexed by the number of filters that had already set the
  /// bit.
  using GainsOfProbe = std::array<std::uint32_t, HashCounts::kMaxFilters + 1>;
  using Gains = std::array<GainsOfProbe, HashCounts::kMaxHashes>;

  static constexpr std::size_t kKeysAhead = 16;  // up to 16 prefetched lines per key
  static constexpr std::size_t kKeysPerBatch = 512;

  /// The keys of one batch of a query pass.
  template <class Probes>
  struct Batch {
    Batch() { probes.reserve(kKeysPerBatch); }

    std::vector<Probes> probes;
    std::array<std::uint64_t, kKeysPerBatch> positions;
    std::array<std::uint16_t, kKeysPerBatch> live;   // indices of the undecided keys
    std::array<std::uint16_t, kKeysPerBatch> found;  // bit j: filter k = j + 1 contains the key
    std::array<std::uint8_t, kKeysPerBatch>
        num_set;  // smallest filter count in the words of the probes so far
    std::array<std::array<std::uint32_t, HashCounts::kMaxHashes>, kKeysPerBatch>
        words;  // words by probe
  };

  [[nodiscard]] const char* address(std::uint64_t position) const noexcept {
    return bytes_ + position * stride_;
  }

  [[nodiscard]] std::uint32_t load(std::uint64_t position) const noexcept {
    std::uint32_t window = 0;
    std::memcpy(&window, address(position), sizeof window);
    return window;
  }

  void store(std::uint64_t position, std::uint32_t window) noexcept {
    std::memcpy(bytes_ + position * stride_, &window, sizeof window);
  }

  template <class Probes>
  void locate(const Digest& digest, Positions& positions) const noexcept {
    Probes probes(digest, num_positions_);
    for (unsigned j = 0; j < hash_counts_.max_hashes(); ++j) {
      positions[j] = probes.next(num_positions_);
      __builtin_prefetch(address(positions[j]), 1);
    }
  }

  [[nodiscard]] std::uint32_t count_mask() const noexcept { return (1U << count_bits_) - 1; }

  [[nodiscard]] Gains gains_at(unsigned step) const noexcept {
    Gains gains{};
    for (unsigned probe = 0; probe < hash_counts_.max_hashes(); ++probe) {
      const unsigned num_open = hash_counts_.num_open(probe);
      for (unsigned num_set = 0; num_set < num_open; ++num_set) {
        gains[probe][num_set] =
            step_path::new_bits(num_set, num_open, step) << count_bits_ | (num_open - num_set);
      }
    }
    return gains;
  }

  void set(std::uint64_t position, unsigned probe, const GainsOfProbe& gains) noexcept {
    const std::uint32_t window = load(position);
    const std::uint32_t num_set = window & count_mask();
    store(position, window + gains[num_set]);
    ++num_updates_[probe][num_set];
  }

  /// Returns whether, for every probe, all filters that use the probe had set the probe's bit at
  /// `step` or before.
  [[nodiscard]] bool in_all(const Positions& positions, unsigned step) const noexcept {
    bool in_all = true;
    for (unsigned j = 0; j < hash_counts_.max_hashes(); ++j) {
      const std::uint32_t path = (load(positions[j]) & mask_) >> count_bits_;
      in_all &= step_path::all_set_by(path, hash_counts_.num_open(j), step);
    }
    return in_all;
  }

  /// Counts the set probes of one key. For each filter, the function counts the probes whose bits
  /// were set at each step. The function then sums these counts cumulatively over the steps.
  void add_set_probes(const Positions& positions, unsigned num_steps,
                      SetProbeCounts& counts) const noexcept {
    std::array<std::array<std::uint8_t, 16>, HashCounts::kMaxFilters> num_set_at{};
    for (unsigned j = 0; j < hash_counts_.max_hashes(); ++j) {
      const std::uint32_t word = load(positions[j]) & mask_;
      std::uint64_t steps = step_path::kDecoder(word >> count_bits_, word & count_mask());
      for (unsigned filter = 0; filter < hash_counts_.num_open(j); ++filter, steps >>= 4U) {
        ++num_set_at[filter][steps & 15U];
      }
    }
    for (unsigned filter = 0; filter < hash_counts_.size(); ++filter) {
      unsigned num_set = 0;
      for (unsigned step = 0; step < num_steps; ++step) {
        num_set += num_set_at[filter][step];
        ++counts[filter][step][num_set];
      }
    }
  }

  /// Determines for each key which filters contain the key at some step. The function processes
  /// probe j of all keys before probe j + 1 of any key. Each value of j corresponds to one round.
  /// During a round, the words of later keys are prefetched. The function drops keys that none of
  /// the queried filters contains.
  ///
  /// The filters set a bit in a fixed order. The filters that have set all bits of a key are
  /// therefore a prefix of that order. The length of the prefix is the minimum of the counts in the
  /// key's words.
  template <class Probes>
  void look_up_all(std::span<const Digest> digests, std::uint64_t wanted,
                   Batch<Probes>& batch) const {
    const unsigned first_filter = static_cast<unsigned>(std::countr_zero(wanted)) / 4;
    const unsigned max_hashes = hash_counts_.num_hashes(first_filter);
    start(digests, batch);
    std::size_t num_live = digests.size();
    for (unsigned j = 0; j < max_hashes && num_live > 0; ++j) {
      num_live = look_up(j, first_filter, num_live, batch);
      if (j + 1 < max_hashes) advance(num_live, batch);
    }
  }

  template <class Probes>
  void start(std::span<const Digest> digests, Batch<Probes>& batch) const {
    batch.probes.clear();
    for (std::size_t i = 0; i < digests.size(); ++i) {
      batch.positions[i] =
          batch.probes.emplace_back(digests[i], num_positions_).next(num_positions_);
      __builtin_prefetch(address(batch.positions[i]));
      batch.live[i] = static_cast<std::uint16_t>(i);
    }
    batch.num_set.fill(HashCounts::kMaxFilters);
    batch.found.fill(0);
  }

  /// Processes probe j of the undecided keys. Returns the number of keys that a filter with more
  /// probes may still contain.
  template <class Probes>
  std::size_t look_up(unsigned j, unsigned first_filter, std::size_t num_live,
                      Batch<Probes>& batch) const noexcept {
    // If a filter with k = j + 1 exists, probe j is the last probe of that filter and determines
    // whether that filter contains the key.
    const unsigned num_needed = hash_counts_.num_open(j);
    const unsigned decided = num_needed > hash_counts_.num_open(j + 1) ? 1U << j : 0;
    std::size_t num_kept = 0;
    for (std::size_t i = 0; i < num_live; ++i) {
      const std::uint16_t key = batch.live[i];
      const std::uint32_t word = load(batch.positions[key]) & mask_;
      const unsigned num_set = std::min<unsigned>(batch.num_set[key], word & count_mask());
      batch.words[key][j] = word;
      batch.num_set[key] = static_cast<std::uint8_t>(num_set);
      batch.found[key] |= static_cast<std::uint16_t>(num_set >= num_needed ? decided : 0);
      batch.live[num_kept] = key;
      num_kept += static_cast<std::size_t>(num_set > first_filter);
    }
    return num_kept;
  }

  template <class Probes>
  void advance(std::size_t num_live, Batch<Probes>& batch) const noexcept {
    for (std::size_t i = 0; i < num_live; ++i) {
      const std::uint16_t key = batch.live[i];
      batch.positions[key] = batch.probes[key].next(num_positions_);
      __builtin_prefetch(address(batch.positions[key]));
    }
  }

  template <class Probes>
  void add_found(Batch<Probes>& batch, std::size_t num_keys, StepCounts& counts) const noexcept {
    std::size_t num_found = 0;
    for (std::size_t i = 0; i < num_keys; ++i) {
      batch.live[num_found] = static_cast<std::uint16_t>(i);
      num_found += static_cast<std::size_t>(batch.found[i] != 0);
    }
    for (std::size_t i = 0; i < num_found; ++i) {
      const std::uint16_t key = batch.live[i];
      add_steps(batch.words[key], batch.found[key], counts);
    }
  }

  /// Counts one key for each filter whose bit in `found` is set. The key counts at the latest step
  /// of its probes. The function omits filters with a larger k than these filters, because some of
  /// their probes are missing. A filter that does not contain the key has step 15.
  void add_steps(const std::array<std::uint32_t, HashCounts::kMaxHashes>& words, unsigned found,
                 StepCounts& counts) const noexcept {
    const auto num_probes = static_cast<unsigned>(std::bit_width(found));
    std::uint64_t steps = 0;
    for (unsigned j = 0; j < num_probes; ++j) {
      const unsigned num_set = words[j] & count_mask();
      const std::uint64_t word_steps = step_path::kDecoder(words[j] >> count_bits_, num_set);
      steps = nibbles::max(steps, word_steps & (hash_counts_.open(j) * 15));
    }
    for (unsigned filter = hash_counts_.num_open(num_probes); filter < hash_counts_.size();
         ++filter) {
      ++counts[filter][(steps >> (4 * filter)) & 15U];
    }
  }

  HashCounts hash_counts_;
  std::uint64_t num_positions_;
  unsigned count_bits_;
  std::size_t stride_;
  std::uint32_t mask_;  // mask of a word's bits within its 4-byte window
  BufferPool& pool_;
  Buffer buffer_;
  char* bytes_;
  // Number of updates, by probe and by the number of filters that had set the bit. num_ones()
  // computes its result from these numbers.
  std::array<std::array<std::uint64_t, HashCounts::kMaxFilters + 1>, HashCounts::kMaxHashes>
      num_updates_{};
};

}  // namespace bloometry
