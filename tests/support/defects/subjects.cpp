#include "tests/support/defects/subjects.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tests/support/defects/filters.hpp"
#include "tests/support/defects/index_schemes.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry::test {
namespace {

/// A bit filter with indices from a given scheme. BitFilter refuses every erase.
class BitFilter : public ZooFilter {
 public:
  BitFilter(const Sizes& sizes, IndexScheme scheme) : BitFilter(sizes, scheme, scheme) {}

  BitFilter(const Sizes& sizes, IndexScheme on_insert, IndexScheme on_query)
      : sizes_(sizes),
        bits_(sizes.num_cells),
        on_insert_(std::move(on_insert)),
        on_query_(std::move(on_query)) {}

  void insert(const std::string& key) override {
    for (const std::uint64_t index : on_insert_(key, sizes_)) bits_[index] = true;
  }

  [[nodiscard]] bool contains(const std::string& key) const override {
    const Indices indices = on_query_(key, sizes_);
    return std::all_of(indices.begin(), indices.end(),
                       [this](std::uint64_t index) { return bits_[index]; });
  }

  bool erase(const std::string& /*key*/) override { return false; }

  void merge(const ZooFilter& other) override {
    const auto& bits = dynamic_cast<const BitFilter&>(other).bits_;
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      if (bits[i]) bits_[i] = true;
    }
  }

  [[nodiscard]] std::uint64_t num_set() const override {
    return static_cast<std::uint64_t>(std::count(bits_.begin(), bits_.end(), true));
  }

 protected:
  void clear_bits(const std::string& key) {
    for (const std::uint64_t index : on_insert_(key, sizes_)) bits_[index] = false;
  }

 private:
  Sizes sizes_;
  std::vector<bool> bits_;
  IndexScheme on_insert_;
  IndexScheme on_query_;
};

/// A filter whose merge changes a copy of the filter and discards the copy.
class MergingIntoNothing : public BitFilter {
 public:
  explicit MergingIntoNothing(const Sizes& sizes) : BitFilter(sizes, honest) {}

  void merge(const ZooFilter& other) override { BitFilter(*this).merge(other); }
};

/// A bit filter whose erase clears all bits of the key, including bits that other keys share.
class ClearingBits : public BitFilter {
 public:
  explicit ClearingBits(const Sizes& sizes) : BitFilter(sizes, honest) {}

  bool erase(const std::string& key) override {
    if (!contains(key)) return false;
    clear_bits(key);
    return true;
  }
};

/// A filter that is full after num_keys / divisor inserts.
template <unsigned divisor>
class Bounded : public BitFilter {
 public:
  explicit Bounded(const Sizes& sizes)
      : BitFilter(sizes, honest), num_left_(sizes.num_keys / divisor) {}

  void insert(const std::string& key) override {
    BitFilter::insert(key);
    --num_left_;
  }

  [[nodiscard]] bool is_full() const override { return num_left_ == 0; }

 private:
  std::uint64_t num_left_;
};

/// A subject that is not a filter, but behaves like a filter if the order of queries is
/// predictable.
class Pretender : public ZooFilter {
 public:
  explicit Pretender(const Sizes& sizes) : sizes_(sizes) {}

  void insert(const std::string& /*key*/) override {
    ++num_inserted_;
    num_queries_ = 0;
  }

  bool erase(const std::string& /*key*/) override { return false; }

  void merge(const ZooFilter& /*other*/) override {}

  [[nodiscard]] std::uint64_t num_set() const override { return 0; }

 protected:
  /// Returns true with the probability of a false positive at the current number of keys.
  [[nodiscard]] bool toss() const {
    const double k = sizes_.num_hashes;
    const double load =
        k * static_cast<double>(num_inserted_) / static_cast<double>(sizes_.num_cells);
    constexpr double kTwoTo64 = 18446744073709551616.0;
    return static_cast<double>(mix64(++num_tosses_)) < std::pow(-std::expm1(-load), k) * kTwoTo64;
  }

  Sizes sizes_;
  std::uint64_t num_inserted_ = 0;
  mutable std::uint64_t num_queries_ = 0;
  mutable std::uint64_t num_tosses_ = 0;
};

/// A subject that does not store keys. After n inserts, the subject reports the first n queried
/// keys as present.
class Liar : public Pretender {
 public:
  using Pretender::Pretender;

  [[nodiscard]] bool contains(const std::string& /*key*/) const override {
    return num_queries_++ < num_inserted_ || toss();
  }
};

/// A subject that stores its members and answers each query for an absent key at random. Repeated
/// queries for a key therefore give different answers.
class TossingForAbsentKeys : public Pretender {
 public:
  using Pretender::Pretender;

  void insert(const std::string& key) override {
    Pretender::insert(key);
    members_.insert(key);
  }

  [[nodiscard]] bool contains(const std::string& key) const override {
    return members_.contains(key) || toss();
  }

 private:
  std::unordered_set<std::string> members_;
};

/// A filter that opens a second stage with rate P instead of P/2. The rate of both stages together
/// is nearly 2 P.
class UntightenedStages : public ZooFilter {
 public:
  explicit UntightenedStages(const Sizes& sizes)
      : capacity_(sizes.num_keys / 2), first_(half(sizes), honest), second_(half(sizes), honest) {}

  void insert(const std::string& key) override {
    if (num_inserted_++ < capacity_) {
      first_.insert(key);
    } else {
      second_.insert(key + kSecond);
    }
  }

  [[nodiscard]] bool contains(const std::string& key) const override {
    return first_.contains(key) || second_.contains(key + kSecond);
  }

  bool erase(const std::string& /*key*/) override { return false; }

  void merge(const ZooFilter& other) override {
    const auto& stages = dynamic_cast<const UntightenedStages&>(other);
    first_.merge(stages.first_);
    second_.merge(stages.second_);
  }

  [[nodiscard]] std::uint64_t num_set() const override {
    return first_.num_set() + second_.num_set();
  }

 private:
  static Sizes half(const Sizes& sizes) {
    return {(sizes.num_keys + 1) / 2, (sizes.num_cells + 1) / 2, sizes.num_hashes};
  }

  static constexpr const char* kSecond = "/2";  // suffix of keys in the second stage

  std::uint64_t capacity_;
  std::uint64_t num_inserted_ = 0;
  BitFilter first_;
  BitFilter second_;
};

/// The defects of a counter filter. All members are false for the correct filter.
struct CounterRules {
  bool carries = false;           ///< the 16th increment overflows into the neighbouring counter
  bool decrements_stuck = false;  ///< a counter at 15 is decremented
  bool erases_unchecked = false;  ///< an erase does not check whether the key is present
};

/// A filter of 4-bit counters, sixteen counters per word. An insert increments each distinct
/// position once (theory 3.1).
class CounterFilter : public ZooFilter {
 public:
  CounterFilter(const Sizes& sizes, CounterRules rules)
      : sizes_(sizes), rules_(rules), words_(sizes.num_cells / 16 + 1) {}

  void insert(const std::string& key) override {
    for (const std::uint64_t index : positions(key)) {
      if (rules_.carries || counter(index) < 15) word(index) += one(index);
    }
  }

  [[nodiscard]] bool contains(const std::string& key) const override {
    const Indices indices = positions(key);
    return std::all_of(indices.begin(), indices.end(),
                       [this](std::uint64_t index) { return counter(index) > 0; });
  }

  bool erase(const std::string& key) override {
    if (!rules_.erases_unchecked && !contains(key)) return false;
    for (const std::uint64_t index : positions(key)) {
      const std::uint64_t count = counter(index);
      if (count == 0 || (count == 15 && !rules_.decrements_stuck)) continue;
      word(index) -= one(index);
    }
    return true;
  }

  /// Adds the other filter's counters, up to a maximum of 15.
  void merge(const ZooFilter& other) override {
    const auto& counters = dynamic_cast<const CounterFilter&>(other);
    for (std::uint64_t index = 0; index < sizes_.num_cells; ++index) {
      const std::uint64_t room = 15 - counter(index);
      word(index) += std::min(room, counters.counter(index)) * one(index);
    }
  }

  [[nodiscard]] std::uint64_t num_set() const override {
    std::uint64_t count = 0;
    for (std::uint64_t index = 0; index < sizes_.num_cells; ++index) {
      count += counter(index) > 0 ? 1 : 0;
    }
    return count;
  }

 private:
  static std::uint64_t one(std::uint64_t index) { return std::uint64_t{1} << (4 * (index % 16)); }

  std::uint64_t& word(std::uint64_t index) { return words_[index / 16]; }

  [[nodiscard]] std::uint64_t counter(std::uint64_t index) const {
    return words_[index / 16] >> (4 * (index % 16)) & 15U;
  }

  [[nodiscard]] Indices positions(const std::string& key) const {
    Indices indices = honest(key, sizes_);
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    return indices;
  }

  Sizes sizes_;
  CounterRules rules_;
  std::vector<std::uint64_t> words_;
};

/// Adapts an AnyFilter, which receives digests of the keys. The AnyFilter is a filter of this
/// library or a filter of filters.hpp.
class DigestFilter : public ZooFilter {
 public:
  explicit DigestFilter(AnyFilter filter) : filter_(std::move(filter)) {}

  void insert(const std::string& key) override {
    has_refused_ = filter_.try_insert({{digest_of(key)}}).is_full || has_refused_;
  }

  [[nodiscard]] bool has_refused() const override { return has_refused_; }

  [[nodiscard]] bool contains(const std::string& key) const override {
    return filter_.count_positives({{digest_of(key)}}) == 1;
  }

  bool erase(const std::string& key) override {
    return filter_.can_erase() && filter_.erase({{digest_of(key)}}) == 1;
  }

  void merge(const ZooFilter& other) override {
    filter_.merge(dynamic_cast<const DigestFilter&>(other).filter_);
  }

  [[nodiscard]] std::uint64_t num_set() const override { return filter_.state().num_ones; }

 private:
  AnyFilter filter_;
  bool has_refused_ = false;
};

FilterSpec bits_of(const Sizes& sizes) {
  return {.num_bits = sizes.num_cells, .num_hashes = sizes.num_hashes};
}

FilterSpec counters_of(const Sizes& sizes) {
  return {.num_counters = sizes.num_cells, .num_hashes = sizes.num_hashes};
}

std::unique_ptr<ZooFilter> own_partitioned(const Sizes& sizes) {
  return std::make_unique<DigestFilter>(make_filter("partitioned", "remix", bits_of(sizes)));
}

std::unique_ptr<ZooFilter> own_distinct(const Sizes& sizes) {
  return std::make_unique<DigestFilter>(make_filter("standard", "distinct", bits_of(sizes)));
}

std::unique_ptr<ZooFilter> own_counting(const Sizes& sizes) {
  return std::make_unique<DigestFilter>(make_filter("counting", "remix", counters_of(sizes)));
}

std::unique_ptr<ZooFilter> own_blocked_counting(const Sizes& sizes) {
  return std::make_unique<DigestFilter>(
      make_filter("blocked_counting", "bit_fields", counters_of(sizes)));
}

/// Makes a table of fingerprints, which has the given parameters instead of the claimed ones.
AnyFilter table_of(const Sizes& sizes, std::string_view variant, const Params& params = {}) {
  FilterSpec spec = counters_of(sizes);
  spec.params = params;
  return make_filter(variant, "digest_words", spec);
}

std::unique_ptr<ZooFilter> own_d_left(const Sizes& sizes) {
  return std::make_unique<DigestFilter>(table_of(sizes, "d_left"));
}

std::unique_ptr<ZooFilter> own_cuckoo(const Sizes& sizes) {
  return std::make_unique<DigestFilter>(table_of(sizes, "cuckoo"));
}

std::unique_ptr<ZooFilter> own_semi_sorted_cuckoo(const Sizes& sizes) {
  return std::make_unique<DigestFilter>(table_of(sizes, "cuckoo", {{"semi_sorting", 1.0}}));
}

/// Makes a d_left filter with remainders of 13 bits instead of 14.
std::unique_ptr<ZooFilter> remainder_one_bit_short(const Sizes& sizes) {
  return std::make_unique<DigestFilter>(table_of(sizes, "d_left", {{"remainder_bits", 13.0}}));
}

/// Makes a cuckoo filter with fingerprints of 11 bits instead of 12.
std::unique_ptr<ZooFilter> fingerprint_one_bit_short(const Sizes& sizes) {
  return std::make_unique<DigestFilter>(table_of(sizes, "cuckoo", {{"fingerprint_bits", 11.0}}));
}

/// Makes a filter of filters.hpp.
template <class F>
std::unique_ptr<ZooFilter> defective(const Sizes& sizes) {
  return std::make_unique<DigestFilter>(AnyFilter(F(bits_of(sizes))));
}

template <Indices (*scheme)(const std::string&, const Sizes&)>
std::unique_ptr<ZooFilter> bits(const Sizes& sizes) {
  return std::make_unique<BitFilter>(sizes, scheme);
}

template <class F>
std::unique_ptr<ZooFilter> a(const Sizes& sizes) {
  return std::make_unique<F>(sizes);
}

template <bool carries, bool decrements_stuck, bool erases_unchecked>
std::unique_ptr<ZooFilter> counters(const Sizes& sizes) {
  return std::make_unique<CounterFilter>(sizes,
                                         CounterRules{carries, decrements_stuck, erases_unchecked});
}

/// Makes a filter that is built on a platform with signed char and queried on a platform with
/// unsigned char.
std::unique_ptr<ZooFilter> moved_between_platforms(const Sizes& sizes) {
  return std::make_unique<BitFilter>(
      sizes, [](const std::string& key, const Sizes& s) { return of_char(key, s, true); },
      [](const std::string& key, const Sizes& s) { return of_char(key, s, false); });
}

// The second field names the source that describes the defect, usually an issue thread. Each
// published defect is implemented from this description, not from the project's source, and without
// other defects. The union in Orestes returns false for filters of different sizes and does not
// change the filter. A caller that ignores the result assumes success. The threads
// python-bloomfilter#6 and dablooms#53 describe the same defect: stages whose rates are not
// tightened.
constexpr std::array kInhabitants{
    Inhabitant{"honest_bits", "", bits<honest>},
    Inhabitant{"honest_counters", "", counters<false, false, false>},
    Inhabitant{"own_partitioned", "", own_partitioned},
    Inhabitant{"own_distinct", "", own_distinct},
    Inhabitant{"own_counting", "", own_counting},
    Inhabitant{"own_blocked_counting", "", own_blocked_counting},
    Inhabitant{"own_d_left", "", own_d_left},
    Inhabitant{"own_cuckoo", "", own_cuckoo},
    Inhabitant{"own_semi_sorted_cuckoo", "", own_semi_sorted_cuckoo},
    Inhabitant{"honest_blocked_512", "", bits<in_one_block<512>>},
    Inhabitant{"honest_blocked_256", "", bits<in_one_block<256>>},
    Inhabitant{"honest_split_block", "", bits<in_lanes<>>},
    Inhabitant{"hash_of_32_bits", "jasondavies/bloomfilter.js#26", bits<hash_of_32_bits>},
    Inhabitant{"halves_of_16_bits", "meziantou/Meziantou.Framework#2145", bits<halves_of_16_bits>},
    Inhabitant{"modulo_bias", "google/guava#1119", bits<modulo_bias>},
    Inhabitant{"zero_stride", "data61/clkhash#33", bits<zero_stride>},
    Inhabitant{"even_stride", "ipfs/bbloom#11", defective<EvenStrideFilter>},
    Inhabitant{"one_value_for_both_hashes", "facebook/rocksdb#4120",
               bits<one_value_for_both_hashes>},
    Inhabitant{"block_shares_bits", "FastFilter/FilterPassword#4", bits<block_shares_bits>},
    Inhabitant{"k_by_integer_division", "google/guava#1781", bits<integer_division>},
    Inhabitant{"counter_carries_over", "FastFilter/fastfilter_java#16",
               counters<true, true, false>},
    Inhabitant{"stuck_counter_decremented", "mattlorimor/ProbabilisticDataStructures#54",
               counters<false, true, false>},
    Inhabitant{"erase_without_check", "theory reference, section 3.1",
               counters<false, false, true>},
    Inhabitant{"erase_clears_bits", "igrigorik/bloomfilter-rb#37", a<ClearingBits>},
    Inhabitant{"stages_without_tightening", "RedisBloom/RedisBloom#160", a<UntightenedStages>},
    Inhabitant{"merge_into_nothing", "Baqend/Orestes-Bloomfilter#25", a<MergingIntoNothing>},
    Inhabitant{"one_probe_fewer", "", defective<MiscountingFilter<-1>>},
    Inhabitant{"one_probe_more", "", defective<MiscountingFilter<1>>},
    Inhabitant{"tenth_of_cells_unused", "", defective<NarrowFilter>},
    Inhabitant{"stuck_bit_of_one_probe", "", defective<StuckBitFilter>},
    Inhabitant{"modulo_of_16_bits", "", bits<narrow_modulo<16>>},
    Inhabitant{"modulo_of_14_bits", "", bits<narrow_modulo<14>>},
    Inhabitant{"double_hashing", "theory reference, section 1.7", bits<double_hashing>},
    Inhabitant{"block_one_probe_fewer", "", bits<in_one_block<512, any_block, -1>>},
    Inhabitant{"block_one_probe_more", "", bits<in_one_block<512, any_block, 1>>},
    Inhabitant{"tenth_of_blocks_unused", "", bits<in_one_block<512, nine_tenths_of_blocks>>},
    Inhabitant{"half_of_blocks_unused", "", bits<in_one_block<512, upper_half_of_blocks>>},
    Inhabitant{"block_probe_dropped_for_a_tenth", "", bits<block_probe_dropped_for_a_tenth>},
    Inhabitant{"lane_unused", "", bits<in_lanes<any_block, 7>>},
    Inhabitant{"tenth_of_split_blocks_unused", "", bits<in_lanes<nine_tenths_of_blocks>>},
    Inhabitant{"half_of_split_blocks_unused", "", bits<in_lanes<upper_half_of_blocks>>},
    Inhabitant{"remainder_one_bit_short", "", remainder_one_bit_short},
    Inhabitant{"fingerprint_one_bit_short", "", fingerprint_one_bit_short},
    Inhabitant{"lost_inserts", "", defective<DroppingFilter<100>>},
    Inhabitant{"full_beyond_capacity", "", a<Bounded<1>>},
    Inhabitant{"full_at_half_capacity", "", a<Bounded<2>>},
    Inhabitant{"liar", "", a<Liar>},
    Inhabitant{"coin_for_absent_keys", "", a<TossingForAbsentKeys>},
    Inhabitant{"signed_char_hash", "google/leveldb#243", moved_between_platforms},
};

}  // namespace

std::span<const Inhabitant> inhabitants() {
  return kInhabitants;
}

}  // namespace bloometry::test
