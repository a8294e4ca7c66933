#include "variants/cuckoo/cuckoo_filter.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "core/engine/batch.hpp"
#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/test_seed.hpp"

namespace bloometry {
namespace {

FilterSpec cuckoo_spec(std::uint64_t num_buckets, unsigned fingerprint_bits,
                       unsigned bucket_cells = 4) {
  return {.num_blocks = num_buckets,
          .params = {{"fingerprint_bits", double(fingerprint_bits)},
                     {"bucket_cells", double(bucket_cells)}}};
}

/// Returns the least word whose fastrange onto [0, range) is `value`.
std::uint64_t word_with(std::uint64_t value, std::uint64_t range) {
  std::uint64_t word = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 63U; bit != 0; bit >>= 1U) {
    if (fastrange(word | bit, range) < value) word |= bit;
  }
  return fastrange(word, range) < value ? word + 1 : word;
}

/// Returns a digest with the given first bucket and fingerprint.
Digest cuckoo_digest(std::uint64_t bucket, std::uint64_t fingerprint, const CuckooFilter& filter) {
  const std::uint64_t num_fingerprints = (std::uint64_t{1} << filter.geometry().cell_bits) - 1;
  return {.lo = word_with(bucket, filter.num_blocks()),
          .hi = word_with(fingerprint - 1, num_fingerprints)};
}

/// Returns a digest for each first bucket and fingerprint.
std::vector<Digest> all_cuckoo_digests(const CuckooFilter& filter) {
  std::vector<Digest> digests;
  for (std::uint64_t bucket = 0; bucket < filter.num_blocks(); ++bucket) {
    for (std::uint64_t t = 1; t < std::uint64_t{1} << filter.geometry().cell_bits; ++t) {
      digests.push_back(cuckoo_digest(bucket, t, filter));
    }
  }
  return digests;
}

auto cuckoo_place(const CuckooFilter& filter, const Digest& digest) {
  return filter.place(DigestWordProbes(digest, 1));
}

/// Fingerprint and lower bucket of a key, which determine all answers.
using CuckooClass = std::pair<std::uint64_t, std::uint64_t>;

CuckooClass class_of(const CuckooFilter& filter, const Digest& digest) {
  const auto place = cuckoo_place(filter, digest);
  return {place.fingerprint, std::min(place.buckets[0], place.buckets[1])};
}

std::vector<std::uint64_t> cells_of(const CuckooFilter& filter) {
  std::vector<std::uint64_t> cells;
  for (std::uint64_t bucket = 0; bucket < filter.num_blocks(); ++bucket) {
    for (unsigned cell = 0; cell < filter.geometry().block_cells; ++cell) {
      cells.push_back(filter.buckets().get(bucket, cell));
    }
  }
  return cells;
}

/// Inserts keys until one finds no room. Returns the inserted keys, followed by the refused key.
std::vector<Digest> fill_cuckoo(CuckooFilter& filter) {
  std::vector<Digest> keys;
  for (std::uint64_t item = 0;; ++item) {
    keys.push_back(test::digest_of_item(item, 0));
    if (filter.try_insert(keys.back()) == Insertion::kFull) return keys;
  }
}

}  // namespace

TEST_CASE("cuckoo: the two buckets of a fingerprint are each other's partners", "[variants]") {
  for (const std::uint64_t num_buckets : {2, 4, 6, 10, 64, 998}) {
    const CuckooFilter filter(cuckoo_spec(num_buckets, 5));
    for (const Digest& digest : all_cuckoo_digests(filter)) {
      const auto place = cuckoo_place(filter, digest);
      CAPTURE(num_buckets, place.buckets[0], place.fingerprint);
      REQUIRE(place.buckets[1] < num_buckets);
      REQUIRE(place.buckets[0] % 2 != place.buckets[1] % 2);
      const auto other =
          cuckoo_place(filter, cuckoo_digest(place.buckets[1], place.fingerprint, filter));
      REQUIRE(other.fingerprint == place.fingerprint);
      REQUIRE(other.buckets[1] == place.buckets[0]);
    }
  }
}

TEST_CASE("cuckoo: the rate is exact over all pairs of keys and all queries", "[variants]") {
  CuckooFilter filter(cuckoo_spec(6, 4, 2));
  const std::vector<Digest> digests = all_cuckoo_digests(filter);
  const std::uint64_t num_digests = digests.size();
  REQUIRE(num_digests == 6 * 15);
  std::uint64_t positives = 0;
  for (const Digest& first : digests) {
    for (const Digest& second : digests) {
      filter.clear();
      filter.insert(first);
      filter.insert(second);
      positives += count_positives(filter, std::span(digests));
    }
  }
  // 1-(1-2/90)^2 of 90^3 triples
  CHECK(positives == num_digests * (num_digests * num_digests - 88 * 88));
}

TEST_CASE("cuckoo: the rate given the state counts all positives, from empty to full",
          "[variants]") {
  for (const unsigned bucket_cells : {2U, 4U, 8U}) {
    CuckooFilter filter(cuckoo_spec(10, 5, bucket_cells));
    const std::vector<Digest> digests = all_cuckoo_digests(filter);
    std::mt19937_64 random(test::test_seed());
    std::uint64_t num_refused = 0;
    for (int step = 0; step < 200; ++step) {
      const std::uint64_t positives = count_positives(filter, std::span(digests));
      const FilterState state = filter.state();
      CAPTURE(bucket_cells, step, positives);
      REQUIRE(state.num_passing_pairs == positives);
      REQUIRE(state.conditional_false_positive_rate ==
              static_cast<double>(positives) / static_cast<double>(digests.size()));
      const Digest& key = digests[random() % digests.size()];
      num_refused += filter.try_insert(key) == Insertion::kFull ? 1 : 0;
      if (step % 5 == 4) filter.erase(digests[random() % digests.size()]);
    }
    CHECK(num_refused > 0);
  }
}

TEST_CASE("cuckoo: a key has room for 2b copies, each of which can be erased", "[variants]") {
  for (const unsigned bucket_cells : {2U, 4U, 8U}) {
    CuckooFilter filter(cuckoo_spec(100, 12, bucket_cells));
    for (std::uint64_t item = 1; item <= 50; ++item) filter.insert(test::digest_of_item(item, 0));
    const Digest key = test::digest_of_item(0, 0);
    const unsigned room = 2 * bucket_cells;
    for (unsigned i = 0; i < room; ++i) {
      REQUIRE(filter.try_insert(key) == (i == 0 ? Insertion::kNew : Insertion::kKept));
    }
    const std::vector<std::uint64_t> cells = cells_of(filter);
    CHECK(filter.try_insert(key) == Insertion::kFull);
    CHECK(cells_of(filter) == cells);
    CHECK(filter.state().num_ones == 50 + room);
    for (std::uint64_t item = 1; item <= 50; ++item) {
      REQUIRE(filter.contains(test::digest_of_item(item, 0)));
    }
    for (unsigned i = 0; i < room; ++i) {
      REQUIRE(filter.contains(key));
      REQUIRE(filter.erase(key));
    }
    CHECK_FALSE(filter.contains(key));
    CHECK_FALSE(filter.erase(key));
    CHECK(filter.state().num_refused_erases == 1);
  }
}

TEST_CASE("cuckoo: a full table refuses a key and stays as it was", "[variants]") {
  for (const std::uint64_t num_buckets : {2, 6, 1000}) {
    CuckooFilter filter(cuckoo_spec(num_buckets, 16));
    std::vector<Digest> keys = fill_cuckoo(filter);
    const Digest refused = keys.back();
    keys.pop_back();
    CAPTURE(num_buckets, keys.size());
    const std::vector<std::uint64_t> cells = cells_of(filter);
    CHECK(filter.try_insert(refused) == Insertion::kFull);
    CHECK_THROWS_AS(filter.insert(refused), FullError);
    CHECK(cells_of(filter) == cells);
    CHECK(count_positives(filter, std::span(keys)) == keys.size());
    if (num_buckets == 2) CHECK(keys.size() == 8);
    if (num_buckets == 1000) CHECK(keys.size() > 3800);
    // The erase of a key in one of the two buckets makes room.
    const auto place = cuckoo_place(filter, refused);
    const auto is_near = [&](const Digest& key) {
      return cuckoo_place(filter, key).buckets == place.buckets ||
             cuckoo_place(filter, key).buckets[1] == place.buckets[0];
    };
    const auto near = std::ranges::find_if(keys, is_near);
    if (near == keys.end()) continue;
    CHECK(filter.erase(*near));
    CHECK(filter.try_insert(refused) == Insertion::kNew);
  }
}

TEST_CASE("cuckoo: an insert moves the fewest fingerprints that free a cell", "[variants]") {
  CuckooFilter filter(cuckoo_spec(64, 16));
  std::map<std::size_t, unsigned> num_by_changes;
  for (std::uint64_t item = 0; item < 245; ++item) {
    const Digest key = test::digest_of_item(item, 0);
    const auto place = cuckoo_place(filter, key);
    const auto has_free_cell = [&](std::uint64_t bucket) {
      return filter.buckets().occupied(bucket) != 0xf;
    };
    const bool fits = std::ranges::any_of(place.buckets, has_free_cell);
    bool fits_after_one_move = false;
    for (const std::uint64_t bucket : place.buckets) {
      for (unsigned cell = 0; cell < 4 && !fits; ++cell) {
        const std::uint64_t stored = filter.buckets().get(bucket, cell);
        const auto moved = cuckoo_place(filter, cuckoo_digest(bucket, stored, filter));
        fits_after_one_move = fits_after_one_move || has_free_cell(moved.buckets[1]);
      }
    }
    const std::vector<std::uint64_t> before = cells_of(filter);
    if (filter.try_insert(key) == Insertion::kFull) continue;
    const std::vector<std::uint64_t> after = cells_of(filter);
    std::size_t num_changed = 0;
    for (std::size_t i = 0; i < after.size(); ++i) num_changed += before[i] != after[i] ? 1 : 0;
    ++num_by_changes[num_changed];
    CAPTURE(item, num_changed);
    REQUIRE((num_changed == 1) == fits);
    REQUIRE((num_changed == 2) == fits_after_one_move);
  }
  CHECK(num_by_changes.at(2) > 5);
  CHECK(num_by_changes.rbegin()->first > 2);
}

TEST_CASE("cuckoo: agrees with an exact multiset of classes under churn at a high load",
          "[variants]") {
  for (const unsigned bucket_cells : {2U, 4U, 8U}) {
    CuckooFilter filter(cuckoo_spec(38, 6, bucket_cells));
    std::map<CuckooClass, int> counts;
    std::vector<Digest> members;
    std::mt19937_64 random(test::test_seed());
    std::uint64_t num_full = 0;
    for (int step = 0; step < 50'000; ++step) {
      const Digest digest{random(), random()};
      const bool is_stored = counts.contains(class_of(filter, digest));
      REQUIRE(filter.contains(digest) == is_stored);
      if (random() % 16 < 9) {
        const Insertion insertion = filter.try_insert(digest);
        if (insertion == Insertion::kFull) {
          ++num_full;
          continue;
        }
        REQUIRE(insertion == (is_stored ? Insertion::kKept : Insertion::kNew));
        ++counts[class_of(filter, digest)];
        members.push_back(digest);
      } else if (!members.empty()) {
        std::swap(members[random() % members.size()], members.back());
        const auto found = counts.find(class_of(filter, members.back()));
        if (--found->second == 0) counts.erase(found);
        REQUIRE(filter.erase(members.back()));
        members.pop_back();
      }
    }
    CHECK(num_full > 100);
    CHECK(filter.state().num_ones == members.size());
    CHECK(filter.state().num_passing_pairs == 2 * counts.size());
    CHECK(count_positives(filter, std::span(members)) == members.size());
  }
}

TEST_CASE("cuckoo: erasing a stranger that tests positive loses the members of its class only",
          "[variants]") {
  CuckooFilter filter(cuckoo_spec(64, 8));
  std::map<CuckooClass, std::vector<Digest>> members;
  for (std::uint64_t item = 0; item < 200; ++item) {
    const Digest key = test::digest_of_item(item, 0);
    filter.insert(key);
    members[class_of(filter, key)].push_back(key);
  }
  std::uint64_t num_lost = 0;
  for (std::uint64_t item = 0; item < 2000; ++item) {
    const Digest stranger = test::digest_of_item(item, 1);
    const auto found = members.find(class_of(filter, stranger));
    REQUIRE(filter.erase(stranger) == (found != members.end()));
    if (found == members.end()) continue;
    found->second.pop_back();
    if (found->second.empty()) {
      ++num_lost;
      members.erase(found);
    }
  }
  CHECK(num_lost > 10);
  CHECK(filter.state().num_passing_pairs == 2 * members.size());
}

TEST_CASE("cuckoo: filters of the designed size have room for their capacity", "[variants]") {
  // At most one filter of 1e6 refuses a key.
  for (const unsigned bucket_cells : {2U, 4U, 8U}) {
    for (const std::uint64_t capacity : {1ULL, 10ULL, 100ULL, 1000ULL, 20'000ULL}) {
      std::uint64_t item = 0;
      for (int i = 0; i < 20; ++i) {
        CuckooFilter filter({.capacity = capacity,
                             .target_false_positive_rate = 0.01,
                             .params = {{"bucket_cells", double(bucket_cells)}}});
        CAPTURE(bucket_cells, capacity, i);
        for (std::uint64_t key = 0; key < capacity; ++key) {
          REQUIRE(filter.try_insert(test::digest_of_item(item++, 0)) != Insertion::kFull);
        }
      }
    }
  }
}

TEST_CASE("cuckoo: filters with other widths or bucket sizes differ", "[variants]") {
  const CuckooFilter filter(cuckoo_spec(8, 12));
  CHECK(filter == CuckooFilter(cuckoo_spec(8, 12)));
  CHECK_FALSE(filter == CuckooFilter(cuckoo_spec(8, 13)));
  CHECK_FALSE(filter == CuckooFilter(cuckoo_spec(16, 12, 2)));
  CHECK(number_param(filter.params(), "fingerprint_bits") == 12);
  CHECK(test::message_of<ConfigError>([] { CuckooFilter(cuckoo_spec(8, 3)); }) ==
        "fingerprint_bits must be a whole number in [4, 56], got 3");
}

}  // namespace bloometry
