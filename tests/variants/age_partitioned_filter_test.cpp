// Tests the age-partitioned filter against its definition. The reference keeps, for each slice, the
// positions that were set in it, and looks for k consecutive matches from the youngest slice on.

#include "variants/age_partitioned/age_partitioned_filter.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/engine/batch.hpp"
#include "core/error.hpp"
#include "core/store/prefetch.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/test_seed.hpp"

namespace bloometry {
namespace {

FilterSpec age_spec(const AgeShape& shape, const std::string& rotation = "inserts") {
  return {.num_bits = shape.num_bits(),
          .num_hashes = shape.num_hashes,
          .params = {{"generations", static_cast<double>(shape.generations)},
                     {"generation_capacity", static_cast<double>(shape.generation_capacity)},
                     {"rotation", rotation}}};
}

/// The definition of the filter. A slice is the set of its positions. The slices are in the order
/// of their ages, and each has the number of its place in the ring.
template <WordProbePolicy P>
class AgeReference {
 public:
  explicit AgeReference(const AgeShape& shape) : shape_(shape) {
    const unsigned num_slices = shape.num_slices();
    for (unsigned age = 0; age < num_slices; ++age) {
      slices_.push_back({(num_slices - age) % num_slices, {}});
    }
  }

  void insert(const Digest& digest) {
    if (num_newest_ == shape_.generation_capacity) rotate();
    ++num_newest_;
    for (unsigned age = 0; age < shape_.num_hashes; ++age) {
      slices_[age].positions.insert(position(digest, slices_[age].number));
    }
  }

  void rotate() {
    Slice oldest = slices_.back();
    slices_.pop_back();
    oldest.positions.clear();
    slices_.push_front(oldest);
    num_newest_ = 0;
    ++num_rotations_;
  }

  [[nodiscard]] std::optional<std::uint64_t> age(const Digest& digest) const {
    for (std::uint64_t first = 0; first + shape_.num_hashes <= slices_.size(); ++first) {
      bool all_match = true;
      for (std::uint64_t age = first; age < first + shape_.num_hashes; ++age) {
        const Slice& slice = slices_[age];
        all_match &= slice.positions.contains(position(digest, slice.number));
      }
      if (all_match) return first;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::uint64_t num_rotations() const { return num_rotations_; }

  /// Returns the expected state: the number of set bits, and the rate summed over all patterns.
  [[nodiscard]] std::uint64_t num_ones() const {
    std::uint64_t num_ones = 0;
    for (const Slice& slice : slices_) num_ones += slice.positions.size();
    return num_ones;
  }

  [[nodiscard]] double rate() const {
    double rate = 0;
    for (unsigned pattern = 0; pattern < 1U << slices_.size(); ++pattern) {
      double weight = 1;
      unsigned run = 0;
      bool is_positive = false;
      for (std::size_t i = 0; i < slices_.size(); ++i) {
        const double fill = static_cast<double>(slices_[i].positions.size()) /
                            static_cast<double>(shape_.slice_bits);
        const bool matches = (pattern >> i & 1U) != 0;
        weight *= matches ? fill : 1 - fill;
        run = matches ? run + 1 : 0;
        is_positive |= run == shape_.num_hashes;
      }
      if (is_positive) rate += weight;
    }
    return rate;
  }

 private:
  struct Slice {
    unsigned number;
    std::set<std::uint64_t> positions;
  };

  [[nodiscard]] std::uint64_t position(const Digest& digest, unsigned number) const {
    P words(digest, 1);
    for (unsigned i = 0; i < number; ++i) words.next_word();
    return fastrange(words.next_word(), shape_.slice_bits);
  }

  AgeShape shape_;
  std::deque<Slice> slices_;
  std::uint64_t num_newest_ = 0;
  std::uint64_t num_rotations_ = 0;
};

/// A random shape, small enough that all of its phases are tested.
AgeShape drawn_age_shape(std::mt19937_64& random) {
  const auto draw = [&](unsigned most) { return 1 + static_cast<unsigned>(random() % most); };
  return {draw(6), draw(6), draw(6), draw(40)};
}

/// An inserted key: the number of its insert call, and the number of rotations before it.
struct AgedKey {
  Digest digest;
  std::uint64_t call;
  std::uint64_t num_rotations;
};

/// Inserts distinct keys, and checks the window of every key after every call. With ticks, every
/// eighth call is followed by a tick on average.
template <class Filter>
void check_age_windows(const AgeShape& shape, bool has_ticks, std::uint64_t seed) {
  Filter filter(age_spec(shape));
  AgeReference<typename Filter::Probes> reference(shape);
  std::mt19937_64 random(seed);
  std::vector<AgedKey> keys;
  const std::uint64_t num_calls = (2 * shape.num_slices() + 1) * shape.generation_capacity;
  const auto others = test::nonmember_digests(4, seed);
  for (std::uint64_t call = 1; call <= num_calls; ++call) {
    const Digest digest = test::digest_of_item(2 * call, seed);
    reference.insert(digest);
    filter.insert(digest);
    keys.push_back({digest, call, reference.num_rotations()});
    if (has_ticks && random() % 8 == 0) {
      reference.rotate();
      filter.tick();
    }
    for (const AgedKey& key : keys) {
      const std::uint64_t num_rotations = reference.num_rotations() - key.num_rotations;
      const std::uint64_t num_inserts = call - key.call + 1;  // its own included
      const bool is_in_window = num_rotations <= filter.window().num_ticks ||
                                (!has_ticks && num_inserts <= *filter.window().num_inserts);
      const auto age = filter.age(key.digest);
      if (is_in_window && !filter.contains(key.digest)) FAIL("lost a key in its window");
      if (is_in_window && *age > num_rotations) FAIL("age " << *age << " of " << num_rotations);
      if (age != reference.age(key.digest)) FAIL("an inserted key has another age");
    }
    for (const Digest& other : others) {
      if (filter.age(other) != reference.age(other)) FAIL("another key has another age");
      if (filter.contains(other) != reference.age(other).has_value()) FAIL("another answer");
    }
  }
  REQUIRE(filter.state().num_ones == reference.num_ones());
}

/// A filter that is large enough for batches to prefetch, with generations of 50 inserts.
template <class Filter>
Filter large_age_filter() {
  const AgeShape shape{9, 20, 50, 8 * kMinPrefetchBytes / 29 + 77};
  return Filter(age_spec(shape));
}

template <class Filter>
void check_age_batches() {
  Filter batch = large_age_filter<Filter>();
  REQUIRE(BatchAccess::should_prefetch(batch));
  Filter single = batch;
  auto keys = test::member_digests(3000, test::test_seed());
  for (std::size_t i = 7; i < keys.size(); i += 5) keys[i] = keys[i - 7];
  std::uint64_t num_new = 0;
  for (const Digest& key : keys) num_new += single.insert(key) ? 1 : 0;
  CHECK(insert_all(batch, keys) == num_new);
  CHECK(num_new < keys.size());
  CHECK(batch == single);
  std::vector<Digest> queries = test::nonmember_digests(1000, test::test_seed());
  queries.insert(queries.end(), keys.begin(), keys.end());
  const auto answers = std::make_unique<bool[]>(queries.size());
  contains_each(batch, queries, {answers.get(), queries.size()});
  std::uint64_t num_positives = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    num_positives += answers[i] ? 1 : 0;
    if (answers[i] != single.contains(queries[i])) FAIL("query " << i);
  }
  CHECK(num_positives >= 1001);  // the window
  CHECK(num_positives < 1200);   // most of the others have been forgotten
}

}  // namespace

TEST_CASE("age_partitioned: every key is found in its window, at every phase of 1200 shapes",
          "[variants][age_partitioned]") {
  const std::uint64_t seed = test::test_seed();
  std::mt19937_64 random(seed);
  for (std::uint64_t i = 0; i < 1200; ++i) {
    const AgeShape shape = drawn_age_shape(random);
    const bool has_ticks = i % 3 == 2;
    CAPTURE(shape.num_hashes, shape.generations, shape.generation_capacity, shape.slice_bits,
            has_ticks, seed + i);
    if (i % 2 == 0) {
      check_age_windows<AgePartitionedFilter>(shape, has_ticks, seed + i);
    } else {
      check_age_windows<BasicAgePartitionedFilter<IndependentProbes>>(shape, has_ticks, seed + i);
    }
  }
}

TEST_CASE("age_partitioned: the window is l g + 1 insert calls and no longer",
          "[variants][age_partitioned]") {
  // In slices of 2^20 bits, none of the keys is a false positive.
  const AgeShape shape{4, 3, 5, 1U << 20U};
  CHECK(AgePartitionedFilter(age_spec(shape)).window() ==
        Window{.num_inserts = 16, .num_ticks = 3});
  const auto keys = test::member_digests(60);
  for (std::uint64_t first = 0; first < 30; ++first) {  // the key's place in its generation
    AgePartitionedFilter filter(age_spec(shape));
    for (std::uint64_t i = 0; i <= first; ++i) filter.insert(keys[i]);
    std::uint64_t num_calls = 1;
    while (filter.contains(keys[first])) filter.insert(keys[first + num_calls++]);
    // The last key of a generation is lost at the first call after its window.
    CHECK(num_calls == 17 + (4 - first % 5));
  }
}

TEST_CASE("age_partitioned: a repeated insert counts and begins a new window",
          "[variants][age_partitioned]") {
  const AgeShape shape{4, 3, 5, 1U << 20U};
  AgePartitionedFilter filter(age_spec(shape));
  const auto keys = test::member_digests(30);
  CHECK(filter.insert(keys[0]));
  for (std::size_t i = 1; i < 14; ++i) CHECK(filter.insert(keys[i]));
  CHECK(filter.age(keys[0]) == 2);
  CHECK_FALSE(filter.insert(keys[0]));
  CHECK(filter.age(keys[0]) == 0);
  CHECK(filter.generation_counts().num_inserted == std::vector<std::uint64_t>{5, 5, 5, 0, 0, 0, 0});
  for (std::size_t i = 14; i < 29; ++i) filter.insert(keys[i]);
  CHECK(filter.contains(keys[0]));
  filter.insert(keys[29]);
  CHECK_FALSE(filter.contains(keys[0]));
}

TEST_CASE("age_partitioned: with rotation ticks, only tick clears slices",
          "[variants][age_partitioned]") {
  const AgeShape shape{4, 3, 5, 1U << 20U};
  AgePartitionedFilter filter(age_spec(shape, "ticks"));
  CHECK(filter.window() == Window{.num_inserts = {}, .num_ticks = 3});
  const auto keys = test::member_digests(100);
  filter.insert(keys[0]);
  for (unsigned tick = 0; tick <= 3; ++tick) {
    CHECK(filter.age(keys[0]) == tick);
    for (unsigned i = 1; i < 25; ++i) filter.insert(keys[24 * tick + i]);
    CHECK(filter.age(keys[0]) == tick);
    filter.tick();
  }
  CHECK_FALSE(filter.contains(keys[0]));
  const GenerationCounts counts = filter.generation_counts();
  CHECK(counts.num_inserted == std::vector<std::uint64_t>{0, 24, 24, 24, 25, 0, 0});
  CHECK(counts.num_ticks == 4);
  CHECK(counts.num_overfull == 4);
}

TEST_CASE("age_partitioned: batches equal single calls, also where a generation closes in a chunk",
          "[variants][age_partitioned]") {
  check_age_batches<AgePartitionedFilter>();
  check_age_batches<BasicAgePartitionedFilter<IndependentProbes>>();
}

TEST_CASE("age_partitioned: the words of the slices are those of the scheme, in any order",
          "[variants][age_partitioned]") {
  const Digest key = test::digest_of_item(5, 0);
  RemixProbes remix(key, 1);
  IndependentProbes independent(key, 1);
  SliceWords<RemixProbes> remix_words(key, 1);
  SliceWords<IndependentProbes> independent_words(key, 1);
  CHECK(independent_words.word(kMaxAgeSlices - 1) != 0);
  for (unsigned i = 0; i < kMaxAgeSlices; ++i) {
    if (remix_words.word(i) != remix.next_word()) FAIL("remix " << i);
    if (independent_words.word(i) != independent.next_word()) FAIL("independent " << i);
  }
}

TEST_CASE("age_partitioned: the rate given the state is that of all patterns of matches",
          "[variants][age_partitioned]") {
  std::mt19937_64 random(test::test_seed());
  for (int i = 0; i < 40; ++i) {
    const AgeShape shape = drawn_age_shape(random);
    AgePartitionedFilter filter(age_spec(shape));
    AgeReference<RemixProbes> reference(shape);
    for (const Digest& key : test::member_digests(random() % 60, random())) {
      filter.insert(key);
      reference.insert(key);
    }
    const FilterState state = filter.state();
    CHECK(state.num_bits == shape.num_bits());
    CHECK(state.num_ones == reference.num_ones());
    CHECK(state.conditional_false_positive_rate == Approx(reference.rate()).epsilon(1e-12));
  }
}

TEST_CASE("age_partitioned: max_fill is compared with the rate of equally filled slices",
          "[variants][age_partitioned]") {
  FilterSpec spec = age_spec({7, 5, 100, 1010});  // half full after 7 generations
  spec.max_fill = 0.55;
  AgePartitionedFilter filter(spec);
  CHECK(filter.state().exceeds_max_fill == false);
  for (const Digest& key : test::member_digests(5000)) filter.insert(key);
  CHECK(filter.state().exceeds_max_fill == false);
  spec.params["rotation"] = std::string("ticks");
  AgePartitionedFilter overfull(spec);
  for (const Digest& key : test::member_digests(5000)) overfull.insert(key);
  CHECK(overfull.state().exceeds_max_fill == true);
  spec.max_fill = 1.5;
  CHECK_THROWS_AS(AgePartitionedFilter(spec), ConfigError);
}

TEST_CASE("age_partitioned: clear gives the filter of the spec", "[variants][age_partitioned]") {
  const FilterSpec spec{.capacity = 100, .target_false_positive_rate = 0.01};
  AgePartitionedFilter filter(spec);
  CHECK(filter.num_bits() == AgePartitionedFilter::geometry(spec).num_cells);
  CHECK(filter.params() == AgePartitionedFilter::resolved_params(spec));
  CHECK(filter.window() == AgePartitionedFilter::window_of(spec));
  insert_all(filter, test::member_digests(333));
  filter.tick();
  CHECK(filter != AgePartitionedFilter(spec));
  filter.clear();
  CHECK(filter == AgePartitionedFilter(spec));
}

TEST_CASE("age_partitioned: the smallest filter, the most slices, and slices across words",
          "[variants][age_partitioned]") {
  AgePartitionedFilter smallest(age_spec({1, 1, 1, 1}));
  CHECK_FALSE(smallest.contains({1, 2}));
  CHECK(smallest.insert({1, 2}));
  CHECK(smallest.contains({3, 4}));
  CHECK(smallest.state().conditional_false_positive_rate == 1);
  smallest.tick();
  smallest.tick();
  CHECK(smallest.state().num_ones == 0);
  for (const std::uint64_t slice_bits : {1U, 63U, 64U, 65U, 100U, 128U}) {
    const AgeShape shape{kMaxNumHashes, kMaxAgeGenerations, 2, slice_bits};
    AgePartitionedFilter filter(age_spec(shape));
    for (const Digest& key : test::member_digests(1000)) filter.insert(key);
    CHECK(filter.state().num_ones == filter.bits().count());
    for (unsigned i = 0; i < shape.num_slices(); ++i) filter.tick();
    CHECK(filter.bits().count() == 0);
  }
}

}  // namespace bloometry
