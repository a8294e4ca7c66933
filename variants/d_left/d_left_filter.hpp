#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "core/contract/insertion.hpp"
#include "core/contract/variant_description.hpp"
#include "core/engine/table_filter.hpp"
#include "core/error.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/isa/isa.hpp"
#include "core/probe/digest_words.hpp"
#include "variants/d_left/d_left_insert.hpp"
#include "variants/d_left/d_left_lookup.hpp"
#include "variants/d_left/d_left_permutations.hpp"
#include "variants/d_left/d_left_sizing.hpp"

namespace bloometry {

/// d-left counting filter: a table of fingerprints from which keys can be erased. At equal rates,
/// it needs half of the memory of a counting filter with counters of 4 bits, or less. The size
/// limits the number of keys. A full table can double without the keys.
///
/// Source: Bonomi, Mitzenmacher, Panigrahy, Singh, Varghese (2006), "An improved construction for
/// counting Bloom filters", section 4; theory 7.
/// Layout: d subtables of B buckets of 8 cells. A cell has R + c bits: the remainder in the high
/// bits, and a counter of c bits. The counter is 0 if and only if the cell is empty. The
/// fingerprint F of a key is the fastrange of digest.lo onto [0, B 2^R). The high part of P_i(F) is
/// the bucket in subtable i, and the low R bits are the remainder (d_left_permutations.hpp).
/// Insert: if a candidate bucket contains the remainder, the counter of the cell increases, up to
/// its maximum, where it stays. Otherwise, the remainder goes to the first empty cell of the
/// candidate bucket with the fewest occupied cells; among several such buckets, to the leftmost.
/// Rate: 1-(1-1/(B 2^R))^n, exact for uniform digests. Given the state, the rate is X/(B 2^R),
/// where X is the number of occupied cells: the permutations are bijections, so two cells never
/// have the same fingerprint. Differs from the paper in: any B, where the paper has powers of two.
/// Growth: with max_capacity, the table doubles before an insert that would occupy more cells than
/// the capacity of the table, until it is sized for max_capacity.
/// Cost: an operation accesses at most d buckets and does not allocate memory.
class DLeftDesign {
 public:
  static constexpr std::string_view kName = "d_left";
  static constexpr VariantDescription kDescription = {
      .summary =
          "fingerprints in the least loaded of d buckets: keys can be erased at half the "
          "memory of counting; limited room",
      .paper = "Bonomi, Mitzenmacher, Panigrahy, Singh, Varghese 2006",
      .rate_given_state = "X/(B 2^R), X occupied cells, B buckets per subtable, R-bit remainders",
      .probe_passes = ProbePasses::kByOwnRule,
      .sized_by_counters = true,
      .sized_by_blocks = true,
      .min_num_hashes = kMinDLeftSubtables,
      .max_num_hashes = kMaxDLeftSubtables,
      .is_limited = true,
      .depends_on_order = true};
  static constexpr std::array<ParamInfo, 3> kParams = {
      ParamInfo{.name = "remainder_bits",
                .kind = ParamKind::kInteger,
                .meaning =
                    "R, bits of a remainder; if absent, R follows from the rate, or from the "
                    "memory and the capacity, and is 14 if neither is given",
                .min = 1,
                .max = kMaxDLeftRemainderBits,
                .has_default = false},
      ParamInfo{.name = "counter_bits",
                .kind = ParamKind::kInteger,
                .meaning = "bits of the counter of a cell; a counter at its maximum stays there",
                .min = 2,
                .max = 8,
                .default_number = 2},
      ParamInfo{.name = "max_capacity",
                .kind = ParamKind::kInteger,
                .meaning = "number of keys up to which the filter doubles on its own, and at which "
                           "it has the target rate; if absent, the filter does not grow",
                .min = 1,
                .max = 0x1p53,
                .has_default = false}};
  static constexpr Traits kTraits = {.erase = true};
  using SupportedProbes = ProbeList<DigestWordProbes>;
  using Cells = Buckets;

  /// The images P_i(F) of the fingerprint of a key, for the subtables i. They are the same in every
  /// table with equally many fingerprints.
  struct Place {
    std::array<std::uint64_t, kMaxDLeftSubtables> images;
  };

  static Geometry geometry(const FilterSpec& spec, const Params& params) {
    return d_left_geometry(spec, d_left_params(params));
  }

  DLeftDesign(const Geometry& geometry, const Params& params)
      : num_subtables_(geometry.num_hashes),
        counter_bits_(d_left_params(params).counter_bits),
        remainder_bits_(checked_d_left_remainder_bits(geometry, d_left_params(params))),
        num_buckets_(d_left_subtable_buckets(geometry)),
        max_capacity_(d_left_params(params).max_capacity),
        permutations_(num_buckets_ << remainder_bits_, num_subtables_) {}

  [[nodiscard]] Params params(const Geometry& geometry) const {
    return to_params({.counter_bits = counter_bits_,
                      .remainder_bits = geometry.cell_bits - counter_bits_,
                      .max_capacity = max_capacity_});
  }

  [[nodiscard, gnu::always_inline]] inline Place place(auto words) const noexcept {
    const std::uint64_t fingerprint =
        fastrange(words.next_word(), permutations_.num_fingerprints());
    Place place;
    for (unsigned i = 0; i < num_subtables_; ++i) {
      place.images[i] = permutations_.image(i, fingerprint);
    }
    return place;
  }

  [[gnu::always_inline]] inline void for_each_bucket(const Place& place,
                                                     auto visit) const noexcept {
    for (unsigned i = 0; i < num_subtables_; ++i) visit(candidate(i, place).bucket);
  }

  Insertion try_insert(auto& table, const Place& place) const noexcept {
    std::uint64_t found = 0;
    Candidate least{};
    std::uint64_t least_load = kDLeftBucketCells;
    for (unsigned i = 0; i < num_subtables_; ++i) {
      const Candidate here = candidate(i, place);
      const BucketContents contents = table.examine(here.bucket, pattern(here), max_count());
      found |= contents.any_match;
      const bool is_less = contents.num_occupied < least_load;
      // Without a branch, because any bucket may have the least load.
      least.bucket = is_less ? here.bucket : least.bucket;
      least.remainder = is_less ? here.remainder : least.remainder;
      least_load = is_less ? contents.num_occupied : least_load;
    }
    if (found != 0) {
      increment(table, *find(table, place));
      return Insertion::kKept;
    }
    if (least_load == kDLeftBucketCells) return Insertion::kFull;
    const auto free_cell = static_cast<unsigned>(std::countr_one(table.occupied(least.bucket)));
    table.set(least.bucket, free_cell, least.remainder << counter_bits_ | 1U);
    return Insertion::kNew;
  }

  [[nodiscard]] bool contains(const auto& table, const Place& place) const noexcept {
    std::uint64_t found = 0;  // without a branch, because a member may be in any of the buckets
    for (unsigned i = 0; i < num_subtables_; ++i) {
      const Candidate here = candidate(i, place);
      found |= table.any_match(here.bucket, pattern(here), max_count());
    }
    return found != 0;
  }

  /// Looks up a chunk of keys with the instructions of this machine for several keys at once
  /// (d_left_lookup.hpp), and returns true. Returns false if there are none for the table.
  bool contains_chunk(const auto& table, std::span<const Digest> keys,
                      std::uint64_t* masks) const noexcept {
    const DLeftTable subtables = subtables_of(table);
    const DLeftLookup lookup = d_left_lookup(active_isa(), subtables);
    if (lookup == nullptr) return false;
    lookup(subtables, keys.data(), keys.size(), masks);
    return true;
  }

  /// Inserts several keys at once with the instructions of this machine (d_left_insert.hpp), up to
  /// the first key whose fingerprint is in the table or that has no room. Returns their number, or
  /// std::nullopt if this machine cannot insert several keys at once into the table.
  std::optional<std::size_t> insert_new_keys(auto& table,
                                             std::span<const Digest> keys) const noexcept {
    const DLeftTable subtables = subtables_of(table);
    const DLeftInserts inserts = d_left_inserts(active_isa(), subtables);
    if (inserts.insert_new == nullptr) return std::nullopt;
    return inserts.insert_new(subtables, table.all_words().data(), keys.data(), keys.size());
  }

  /// Prefetches the buckets of several keys at once, and returns true. Returns false if there are
  /// no instructions for the table.
  bool prefetch_to_insert(const auto& table, std::span<const Digest> keys) const noexcept {
    const DLeftTable subtables = subtables_of(table);
    const DLeftInserts inserts = d_left_inserts(active_isa(), subtables);
    if (inserts.prefetch == nullptr) return false;
    inserts.prefetch(subtables, keys.data(), keys.size());
    return true;
  }

  /// Decrements the counter of the key's cell, if the table contains the fingerprint. A counter at
  /// its maximum stays there.
  Erasure erase(auto& table, const Place& place, std::uint64_t& num_skipped) const noexcept {
    const std::optional<CellOfBucket> found = find(table, place);
    if (!found) return Erasure::kAbsent;
    const std::uint64_t value = table.get(found->bucket, found->cell);
    const std::uint64_t count = value & max_count();
    if (count == max_count()) {
      ++num_skipped;
      return Erasure::kDecremented;
    }
    table.set(found->bucket, found->cell, count == 1 ? 0 : value - 1);
    return count == 1 ? Erasure::kEmptied : Erasure::kDecremented;
  }

  double rate(const auto& table, FilterState& counts) const noexcept {
    std::uint64_t num_saturated = 0;
    table.for_each_occupied([&](std::uint64_t value) {
      num_saturated += (value & max_count()) == max_count() ? 1 : 0;
    });
    counts.num_saturated = num_saturated;
    return static_cast<double>(counts.num_ones) /
           static_cast<double>(permutations_.num_fingerprints());
  }

  /// Returns the number of keys for which the table is sized, if the filter doubles on its own and
  /// is not yet sized for max_capacity. Otherwise, returns the largest number.
  [[nodiscard]] std::uint64_t max_occupied() const noexcept {
    const std::uint64_t capacity = d_left_capacity(num_buckets_, num_subtables_);
    if (capacity < max_capacity_.value_or(0)) return capacity;
    return std::numeric_limits<std::uint64_t>::max();
  }

  /// Returns the geometry with twice the buckets, and remainders of one bit less.
  /// @throws ConfigError if a remainder has only one bit.
  [[nodiscard]] Geometry grown(Geometry geometry) const {
    if (remainder_bits_ == 1) {
      throw ConfigError("remainder_bits", "must be at least 2 for a filter that doubles, got 1");
    }
    geometry.num_cells *= 2;
    --geometry.cell_bits;
    return geometry;
  }

  /// Copies the cells into a table of twice the size. The highest bit of a remainder becomes the
  /// lowest bit of the bucket. The number of fingerprints, and therefore the permutations, stay the
  /// same.
  void grow_into(const auto& table, auto& larger) const noexcept {
    const unsigned shift = counter_bits_ + remainder_bits_ - 1;
    const std::uint64_t kept_bits = (std::uint64_t{1} << shift) - 1;
    for (std::uint64_t bucket = 0; bucket < table.num_buckets(); ++bucket) {
      std::array<unsigned, 2> num_moved{};
      for (unsigned cell = 0; cell < kDLeftBucketCells; ++cell) {
        const std::uint64_t value = table.get(bucket, cell);
        if (value == 0) continue;
        const std::uint64_t half = value >> shift;
        larger.set(2 * bucket + half, num_moved[half]++, value & kept_bits);
      }
    }
  }

  friend bool operator==(const DLeftDesign&, const DLeftDesign&) = default;

 private:
  /// Bucket of a subtable in which a key may be, and the key's remainder there.
  struct Candidate {
    std::uint64_t bucket;
    std::uint64_t remainder;
  };

  struct CellOfBucket {
    std::uint64_t bucket;
    unsigned cell;
  };

  [[nodiscard]] DLeftTable subtables_of(const auto& table) const noexcept {
    return {.words = table.all_words().data(),
            .permutations = &permutations_,
            .num_buckets = num_buckets_,
            .num_subtables = num_subtables_,
            .remainder_bits = remainder_bits_,
            .counter_bits = counter_bits_,
            .prefetches = table.should_prefetch()};
  }

  [[nodiscard]] std::uint64_t max_count() const noexcept {
    return (std::uint64_t{1} << counter_bits_) - 1;
  }

  [[nodiscard, gnu::always_inline]] inline Candidate candidate(unsigned i,
                                                               const Place& place) const noexcept {
    const std::uint64_t image = place.images[i];
    return {i * num_buckets_ + (image >> remainder_bits_),
            image & ((std::uint64_t{1} << remainder_bits_) - 1)};
  }

  /// Returns a value that differs by less than max_count() from a cell if and only if the cell is
  /// occupied and has the candidate's remainder.
  [[nodiscard]] std::uint64_t pattern(const Candidate& candidate) const noexcept {
    return candidate.remainder << counter_bits_ | max_count();
  }

  [[nodiscard]] std::optional<CellOfBucket> find(const auto& table,
                                                 const Place& place) const noexcept {
    for (unsigned i = 0; i < num_subtables_; ++i) {
      const Candidate here = candidate(i, place);
      const std::uint64_t found = table.match(here.bucket, pattern(here), max_count());
      if (found != 0) return CellOfBucket{here.bucket, unsigned(std::countr_zero(found))};
    }
    return std::nullopt;
  }

  void increment(auto& table, const CellOfBucket& at) const noexcept {
    const std::uint64_t value = table.get(at.bucket, at.cell);
    if ((value & max_count()) != max_count()) table.set(at.bucket, at.cell, value + 1);
  }

  unsigned num_subtables_;
  unsigned counter_bits_;
  unsigned remainder_bits_;
  std::uint64_t num_buckets_;  // per subtable
  std::optional<std::uint64_t> max_capacity_;
  DLeftPermutations permutations_;
};

template <ProbePolicy Probes = DigestWordProbes, class Memory = OwnedMemory>
using BasicDLeftFilter = TableFilter<DLeftDesign, Probes, Memory>;

using DLeftFilter = BasicDLeftFilter<>;

static_assert(GrowableFilter<DLeftFilter> && ErasableFilter<DLeftFilter>);

}  // namespace bloometry
