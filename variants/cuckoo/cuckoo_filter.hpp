#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/contract/insertion.hpp"
#include "core/contract/variant_description.hpp"
#include "core/engine/table_filter.hpp"
#include "core/error.hpp"
#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/isa/isa.hpp"
#include "core/probe/digest_words.hpp"
#include "variants/cuckoo/cuckoo_lookup.hpp"
#include "variants/cuckoo/cuckoo_rates.hpp"
#include "variants/cuckoo/cuckoo_search.hpp"
#include "variants/cuckoo/cuckoo_sizing.hpp"
#include "variants/cuckoo/semi_sorted_buckets.hpp"

namespace bloometry {

/// Cuckoo filter: fingerprints of keys in one of two buckets. Keys can be erased. At rates of
/// 0.08 % or less, it needs less memory than a standard filter. The size limits the number of keys.
///
/// Source: Fan, Andersen, Kaminsky, Mitzenmacher (2014), "Cuckoo Filter: Practically Better Than
/// Bloom"; theory 7.
/// Layout: an even number B of buckets of b cells. A cell has the f bits of a fingerprint t in [1,
/// 2^f-1], and 0 if it is empty. The first bucket of a key is the fastrange of digest.lo onto [0,
/// B), and t is 1 + the fastrange of digest.hi onto [0, 2^f-1). The two buckets of t are i and h(t)
/// - i mod B with an odd hash h(t), so one is even and the other is odd.
/// Insert: t goes to the first free cell of the first bucket, or else of the other one. If both are
/// full, the fewest possible fingerprints move to their other buckets (cuckoo_search.hpp). Each
/// insert of a key stores a copy, so that a key can be erased as often as it was inserted. There is
/// room for 2b copies.
/// With the parameter semi_sorting, the cells of a bucket are sorted and need f - 1 bits
/// (semi_sorted_layout.hpp). The answers are the same.
/// Rate: 1-(1-2/(B(2^f-1)))^n, exact for uniform digests. Given the state, the rate is
/// 2D/(B(2^f-1)), where D counts the different pairs of a fingerprint and its buckets. Differs from
/// the paper in: any even B, where the paper has powers of two and the XOR of i and h(t); moves by
/// search instead of at random, so that equal inserts give equal tables.
/// Cost: a query accesses two buckets. An insert of a nearly full table accesses up to 1,024. No
/// operation allocates memory.
class CuckooDesign {
 public:
  static constexpr std::string_view kName = "cuckoo";
  static constexpr VariantDescription kDescription = {
      .summary =
          "fingerprints in one of two buckets: keys can be erased at little more than a bit "
          "filter's memory; limited room",
      .paper = "Fan, Andersen, Kaminsky, Mitzenmacher 2014",
      .rate_given_state =
          "2D/(B(2^f-1)), D different stored pairs of f-bit fingerprint and buckets, B buckets",
      .probe_passes = ProbePasses::kByOwnRule,
      .sized_by_counters = true,
      .sized_by_blocks = true,
      .min_num_hashes = kCuckooNumHashes,
      .max_num_hashes = kCuckooNumHashes,
      .is_limited = true,
      .stores_copies = true,
      .depends_on_order = true};
  static constexpr std::array<ParamInfo, 3> kParams = {
      ParamInfo{.name = "fingerprint_bits",
                .kind = ParamKind::kInteger,
                .meaning =
                    "f, bits of a fingerprint; if absent, f follows from the rate, or from the "
                    "memory and the capacity, and is 12 if neither is given",
                .min = kMinCuckooFingerprintBits,
                .max = kMaxCuckooFingerprintBits,
                .has_default = false},
      ParamInfo{.name = "bucket_cells",
                .kind = ParamKind::kInteger,
                .meaning = "b, cells of a bucket; larger buckets become fuller, at a higher rate",
                .min = 2,
                .max = 8,
                .choices = "2|4|8",
                .default_number = 4},
      ParamInfo{.name = "semi_sorting",
                .kind = ParamKind::kInteger,
                .meaning = "1 to sort buckets of 4 cells, so that a cell needs f - 1 bits and each "
                           "access more time; if absent, buckets are not sorted",
                .min = 0,
                .max = 1,
                .choices = "0|1",
                .has_default = false}};
  static constexpr Traits kTraits = {.erase = true};
  using SupportedProbes = ProbeList<DigestWordProbes>;
  using Cells = Buckets;

  /// The fingerprint and the two buckets of a key.
  struct Place {
    std::array<std::uint64_t, 2> buckets;
    std::uint64_t fingerprint;
  };

  static Geometry geometry(const FilterSpec& spec, const Params& params) {
    return cuckoo_geometry(spec, params);
  }

  CuckooDesign(const Geometry& geometry, const Params& params)
      : num_buckets_(checked_cuckoo_geometry(geometry, params).num_blocks()),
        half_the_buckets_(num_buckets_ / 2),
        num_fingerprints_(
            (std::uint64_t{1} << cuckoo_fingerprint_bits(geometry, is_semi_sorted(params))) - 1) {
    if (is_semi_sorted(params)) semi_sorted_ = &semi_sorted_layout(fingerprint_bits());
  }

  /// The parameter semi_sorting is absent if it is 0.
  [[nodiscard]] Params params(const Geometry& geometry) const {
    Params params = {{"bucket_cells", double(geometry.block_cells)},
                     {"fingerprint_bits", double(fingerprint_bits())}};
    if (semi_sorted_ != nullptr) params.emplace("semi_sorting", 1.0);
    return params;
  }

  /// Returns empty cells. In semi-sorted buckets, a cell is not a fingerprint, so words of cells
  /// must not be examined.
  template <class Memory>
  [[nodiscard]] BucketArray<Memory> make_cells(const Geometry& geometry,
                                               const Memory& memory) const {
    return {geometry.num_cells, geometry.block_cells, geometry.cell_bits, memory,
            semi_sorted_ == nullptr};
  }

  /// Returns call(buckets, design), where `buckets` is the view of the cells that contains
  /// fingerprints.
  template <class Call>
  [[gnu::always_inline]] inline decltype(auto) with_buckets(auto& cells, Call call) const noexcept {
    return cells.with_words_or([&](auto buckets) { return call(buckets, *this); },
                               [&] {
                                 if (semi_sorted_ == nullptr)
                                   return call(cells.one_by_one(), *this);
                                 return with_semi_sorted(cells.all_words().data(), call);
                               });
  }

  [[nodiscard, gnu::always_inline]] inline Place place(auto words) const noexcept {
    const std::uint64_t bucket = fastrange(words.next_word(), num_buckets_);
    const std::uint64_t fingerprint = 1 + fastrange(words.next_word(), num_fingerprints_);
    return {{bucket, partner(bucket, fingerprint)}, fingerprint};
  }

  void for_each_bucket(const Place& place, auto visit) const noexcept {
    for (const std::uint64_t bucket : place.buckets) visit(bucket);
  }

  Insertion try_insert(auto& table, const Place& place) const noexcept {
    const Insertion insertion = contains(table, place) ? Insertion::kKept : Insertion::kNew;
    // Without a branch on the bucket, because the first bucket is often full.
    const std::uint64_t free_in_first = free_cells(table, place.buckets[0]);
    const std::uint64_t free_in_other = free_cells(table, place.buckets[1]);
    const std::uint64_t bucket = free_in_first != 0 ? place.buckets[0] : place.buckets[1];
    const std::uint64_t free = free_in_first != 0 ? free_in_first : free_in_other;
    if (free != 0) {
      table.set(bucket, static_cast<unsigned>(std::countr_zero(free)), place.fingerprint);
      return insertion;
    }
    return insert_by_moves(table, place) ? insertion : Insertion::kFull;
  }

  [[nodiscard]] bool contains(const auto& table, const Place& place) const noexcept {
    return (table.any_match(place.buckets[0], place.fingerprint, 1) |
            table.any_match(place.buckets[1], place.fingerprint, 1)) != 0;
  }

  /// Looks up a chunk of keys with the instructions of this machine for several keys at once
  /// (cuckoo_lookup.hpp), and returns true. Returns false if there are none for the table.
  bool contains_chunk(const auto& table, std::span<const Digest> keys,
                      std::uint64_t* masks) const noexcept {
    if (semi_sorted_ != nullptr) return false;
    const CuckooTable buckets{.words = table.all_words().data(),
                              .num_buckets = num_buckets_,
                              .num_fingerprints = num_fingerprints_,
                              .bucket_cells = table.bucket_cells(),
                              .cell_bits = table.cell_bits(),
                              .prefetches = table.should_prefetch()};
    const CuckooLookup lookup = cuckoo_lookup(active_isa(), buckets);
    if (lookup == nullptr) return false;
    lookup(buckets, keys.data(), keys.size(), masks);
    return true;
  }

  /// Empties a cell with the key's fingerprint, if one of the buckets contains the fingerprint.
  Erasure erase(auto& table, const Place& place, std::uint64_t& /*num_skipped*/) const noexcept {
    // Without a branch on the bucket, because a member may be in either of them.
    const std::uint64_t in_first = matches(table, place.buckets[0], place.fingerprint);
    const std::uint64_t in_other = matches(table, place.buckets[1], place.fingerprint);
    const std::uint64_t bucket = in_first != 0 ? place.buckets[0] : place.buckets[1];
    const std::uint64_t found = in_first != 0 ? in_first : in_other;
    if (found == 0) return Erasure::kAbsent;
    table.set(bucket, static_cast<unsigned>(std::countr_zero(found)), 0);
    return Erasure::kEmptied;
  }

  double rate(const auto& cells, FilterState& counts) const noexcept {
    const std::uint64_t num_classes =
        with_buckets(cells, [&](auto table, const CuckooDesign& /*design*/) {
          // The engine has counted cells that are not 0. Semi-sorted buckets must be decoded first.
          if (semi_sorted_ != nullptr) counts.num_ones = this->num_occupied(table);
          return this->num_classes(table);
        });
    counts.num_passing_pairs = 2 * num_classes;
    return theory::cuckoo_rate_given_state(num_classes, num_buckets_, fingerprint_bits());
  }

  friend bool operator==(const CuckooDesign&, const CuckooDesign&) = default;

 private:
  [[nodiscard]] unsigned fingerprint_bits() const noexcept {
    return static_cast<unsigned>(std::bit_width(num_fingerprints_));
  }

  /// Not inlined, so that the compiler inlines as much of the access to other buckets as without
  /// semi-sorted buckets. The call is a copy. If the function had its address, all that the call
  /// has captured would be stored in memory, also for the access to other buckets.
  template <class Word, class Call>
  [[gnu::noinline]] decltype(auto) with_semi_sorted(Word* words, Call call) const noexcept {
    if (semi_sorted_->num_words() == 1)
      return call(SemiSortedBuckets<1, Word>(words, *semi_sorted_), *this);
    if (semi_sorted_->num_words() == 2)
      return call(SemiSortedBuckets<2, Word>(words, *semi_sorted_), *this);
    return call(SemiSortedBuckets<4, Word>(words, *semi_sorted_), *this);
  }

  [[nodiscard]] std::uint64_t num_occupied(const auto& table) const noexcept {
    std::uint64_t num = 0;
    for (std::uint64_t bucket = 0; bucket < num_buckets_; ++bucket) {
      num += static_cast<std::uint64_t>(std::popcount(table.occupied(bucket)));
    }
    return num;
  }

  /// Returns the number of different pairs of a fingerprint and its buckets.
  [[nodiscard]] std::uint64_t num_classes(const auto& table) const noexcept {
    std::uint64_t num = 0;
    for (std::uint64_t bucket = 0; bucket < num_buckets_; ++bucket) {
      for (unsigned cell = 0; cell < table.bucket_cells(); ++cell) {
        num += is_first_of_class(table, bucket, cell) ? 1 : 0;
      }
    }
    return num;
  }

  /// Returns the other bucket of a fingerprint in a bucket.
  [[nodiscard, gnu::always_inline]] inline std::uint64_t partner(
      std::uint64_t bucket, std::uint64_t fingerprint) const noexcept {
    const std::uint64_t sum = 2 * fastrange(mix64(fingerprint), half_the_buckets_) + 1;
    const std::uint64_t difference = sum - bucket;
    // All bits are the sign of the difference. With a comparison, g++ makes an unpredictable
    // branch.
    const auto sign = static_cast<std::uint64_t>(static_cast<std::int64_t>(difference) >> 63);
    return difference + (sign & num_buckets_);
  }

  /// Returns a mask of the free cells of a bucket.
  [[nodiscard]] static std::uint64_t free_cells(const auto& table, std::uint64_t bucket) noexcept {
    return table.match(bucket, 0, 1);
  }

  /// Moves fingerprints to free a cell in one of the place's full buckets, and fills the cell.
  /// Returns false if no cell was found; the table is then unchanged.
  [[gnu::noinline]] bool insert_by_moves(auto& table, const Place& place) const noexcept {
    const auto partner_of = [this](std::uint64_t bucket, std::uint64_t fingerprint) {
      return partner(bucket, fingerprint);
    };
    using Search = CuckooSearch<std::remove_reference_t<decltype(table)>, decltype(partner_of)>;
    const auto bucket = Search(table, partner_of).free_cell(place.buckets[0], place.buckets[1]);
    if (!bucket) return false;
    table.set(*bucket, *Search::first_free_cell(table, *bucket), place.fingerprint);
    return true;
  }

  [[nodiscard]] static std::uint64_t matches(const auto& table, std::uint64_t bucket,
                                             std::uint64_t fingerprint) noexcept {
    return table.match(bucket, fingerprint, 1);
  }

  /// Returns whether the cell is occupied, and neither an earlier cell of its bucket nor, if the
  /// fingerprint's other bucket has a lower number, a cell of that bucket has the same fingerprint.
  [[nodiscard]] bool is_first_of_class(const auto& table, std::uint64_t bucket,
                                       unsigned cell) const noexcept {
    const std::uint64_t fingerprint = table.get(bucket, cell);
    if (fingerprint == 0) return false;
    const std::uint64_t earlier_cells = (std::uint64_t{1} << cell) - 1;
    if ((matches(table, bucket, fingerprint) & earlier_cells) != 0) return false;
    const std::uint64_t other = partner(bucket, fingerprint);
    return other > bucket || matches(table, other, fingerprint) == 0;
  }

  std::uint64_t num_buckets_;
  std::uint64_t half_the_buckets_;
  std::uint64_t num_fingerprints_;
  const SemiSortedLayout* semi_sorted_ = nullptr;  // null if the buckets are not sorted
};

template <ProbePolicy Probes = DigestWordProbes, class Memory = OwnedMemory>
using BasicCuckooFilter = TableFilter<CuckooDesign, Probes, Memory>;

using CuckooFilter = BasicCuckooFilter<>;

static_assert(LimitedFilter<CuckooFilter> && ErasableFilter<CuckooFilter>);

}  // namespace bloometry
