#include "variants/cuckoo/cuckoo_rates.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

using namespace bloometry::theory;

namespace {

/// Table of 4 buckets of 2 cells with fingerprints of 2 bits, written for clarity. It has 12
/// different digests of keys: a first bucket and a fingerprint of 1 to 3.
class TinyTable {
 public:
  static constexpr unsigned kNumBuckets = 4;
  static constexpr unsigned kNumTags = 3;
  static constexpr unsigned kNumDigests = kNumBuckets * kNumTags;

  /// Stores a key. If both buckets are full, moves stored fingerprints to their other buckets.
  /// Returns false and restores the table if no cell is free after 20 moves.
  bool insert(unsigned digest) {
    const auto before = cells_;
    unsigned bucket = digest % kNumBuckets;
    unsigned tag = digest / kNumBuckets + 1;
    if (place(bucket, tag) || place(partner(bucket, tag), tag)) return true;
    for (unsigned step = 0; step < 20; ++step) {
      std::swap(tag, cells_[bucket][step % 2]);
      ++num_moves_;
      bucket = partner(bucket, tag);
      if (place(bucket, tag)) return true;
    }
    cells_ = before;
    return false;
  }

  bool contains(unsigned digest) const {
    const unsigned bucket = digest % kNumBuckets;
    const unsigned tag = digest / kNumBuckets + 1;
    return holds(bucket, tag) || holds(partner(bucket, tag), tag);
  }

  static std::pair<unsigned, unsigned> class_of(unsigned digest) {
    const unsigned bucket = digest % kNumBuckets;
    const unsigned tag = digest / kNumBuckets + 1;
    return {tag, std::min(bucket, partner(bucket, tag))};
  }

  unsigned num_moves() const { return num_moves_; }

 private:
  static unsigned partner(unsigned bucket, unsigned tag) {
    constexpr std::array<unsigned, 4> kHash = {0, 1, 3, 1};
    return (kHash[tag] + kNumBuckets - bucket) % kNumBuckets;
  }

  bool holds(unsigned bucket, unsigned tag) const {
    return std::count(cells_[bucket].begin(), cells_[bucket].end(), tag) > 0;
  }

  bool place(unsigned bucket, unsigned tag) {
    for (unsigned& cell : cells_[bucket]) {
      if (cell == 0) {
        cell = tag;
        return true;
      }
    }
    return false;
  }

  std::array<std::array<unsigned, 2>, kNumBuckets> cells_{};
  unsigned num_moves_ = 0;
};

std::uint64_t power(std::uint64_t base, unsigned exponent) {
  std::uint64_t result = 1;
  for (unsigned i = 0; i < exponent; ++i) result *= base;
  return result;
}

/// Calls visit(keys) for every sequence of num_keys digests.
template <class Visit>
void visit_sequences(unsigned num_keys, Visit visit) {
  std::vector<unsigned> keys(num_keys);
  for (std::uint64_t s = 0; s < power(TinyTable::kNumDigests, num_keys); ++s) {
    std::uint64_t rest = s;
    for (unsigned& key : keys) {
      key = static_cast<unsigned>(rest % TinyTable::kNumDigests);
      rest /= TinyTable::kNumDigests;
    }
    visit(keys);
  }
}

unsigned num_positives(const TinyTable& table) {
  unsigned positives = 0;
  for (unsigned digest = 0; digest < TinyTable::kNumDigests; ++digest) {
    positives += table.contains(digest) ? 1 : 0;
  }
  return positives;
}

}  // namespace

TEST_CASE("cuckoo: the rate is exact over all digests of a table of 4 buckets",
          "[variants][theory]") {
  // Up to 2b = 4 keys always fit. The share of positives over all sequences of keys and all queries
  // is 1-(10/12)^n. The comparison of the numbers of positives is exact.
  for (const unsigned n : {0u, 1u, 2u, 3u, 4u}) {
    INFO("n = " << n);
    std::uint64_t positives = 0;
    std::uint64_t refused = 0;
    visit_sequences(n, [&](const std::vector<unsigned>& keys) {
      TinyTable table;
      for (const unsigned key : keys) refused += table.insert(key) ? 0 : 1;
      positives += num_positives(table);
    });
    REQUIRE(refused == 0);
    const std::uint64_t all = power(12, n + 1);
    CHECK(positives == all - 12 * power(10, n));
    CHECK(cuckoo_rate(n, 4, 2) ==
          Approx(static_cast<double>(positives) / static_cast<double>(all)).epsilon(1e-15));
  }
}

TEST_CASE("cuckoo: the rate given the state is exact after moves and refused keys",
          "[variants][theory]") {
  std::uint64_t moved_tables = 0;
  std::uint64_t wrong = 0;
  visit_sequences(5, [&](const std::vector<unsigned>& keys) {
    TinyTable table;
    std::set<std::pair<unsigned, unsigned>> classes;
    for (const unsigned key : keys) {
      if (table.insert(key)) classes.insert(TinyTable::class_of(key));
    }
    moved_tables += table.num_moves() > 0 ? 1 : 0;
    const double rate = cuckoo_rate_given_state(classes.size(), 4, 2);
    if (num_positives(table) != std::lround(12 * rate)) ++wrong;
  });
  CHECK(wrong == 0);
  CHECK(moved_tables > 1000);
}

TEST_CASE("cuckoo: the usual approximation is below the exact rate by 2^-(f+1)",
          "[variants][theory]") {
  // 95 % of 4 x 1e8 cells.
  CHECK(cuckoo_rate(380'000'000, 100'000'000, 8) == Approx(0.02936416435822).epsilon(1e-12));
  CHECK(cuckoo_approximate_rate(4, 0.95, 8) == Approx(0.02930758752133).epsilon(1e-12));
  for (unsigned f = 4; f <= 24; ++f) {
    const double gap =
        1.0 - cuckoo_approximate_rate(4, 0.95, f) / cuckoo_rate(380'000'000, 100'000'000, f);
    INFO("f = " << f << ", gap " << gap);
    // With e = 2^-f and the mean number x = 7.6 of compared cells, the gap is
    // e/2 (1 - (x/2 - 1/3) e + c e^2) with |c| < 4. Rounding adds less than 1e-7 of the gap.
    const double e = std::ldexp(1.0, -static_cast<int>(f));
    CHECK(gap == Approx(e / 2 * (1 - (7.6 / 2 - 1.0 / 3) * e)).epsilon(4 * e * e + 1e-7));
  }
}

TEST_CASE("cuckoo: the rates of one and two keys do not lose digits", "[variants][theory]") {
  // With q = 2/(B(2^f-1)), the rate of one key is q and that of two keys is q(2-q).
  for (const unsigned f : {1u, 2u, 8u, 16u, 32u, 48u, 64u}) {
    for (const std::uint64_t num_buckets : {2ull, 6ull, 1000ull, 1ull << 40, 1ull << 62}) {
      INFO("f = " << f << ", B = " << num_buckets);
      const double q =
          2.0 / static_cast<double>(num_buckets) / (std::ldexp(1.0, static_cast<int>(f)) - 1.0);
      CHECK(cuckoo_rate(0, num_buckets, f) == 0.0);
      CHECK(cuckoo_rate(1, num_buckets, f) == Approx(q).epsilon(1e-14).margin(0));
      CHECK(cuckoo_rate(2, num_buckets, f) == Approx(q * (2.0 - q)).epsilon(1e-14).margin(0));
    }
  }
  CHECK(cuckoo_rate(1, 1ull << 37, 64) < 1e-30);
  CHECK(cuckoo_rate(1, 1ull << 36, 64) == Approx(std::ldexp(1.0, -99)).epsilon(1e-15).margin(0));
  CHECK(cuckoo_rate(1, 2, 1) == 1.0);  // all keys of the table are one class
  CHECK(cuckoo_rate(~0ull, 2, 8) == 1.0);
}

TEST_CASE("cuckoo: the rate rises with n and falls with B and f", "[variants][theory]") {
  for (const unsigned f : {1u, 4u, 12u, 32u, 63u}) {
    for (const std::uint64_t num_buckets : {2ull, 100ull, 1'000'000ull}) {
      for (const std::uint64_t n : {1ull, 7ull, 1000ull, 4'000'000ull}) {
        INFO("f = " << f << ", B = " << num_buckets << ", n = " << n);
        const double rate = cuckoo_rate(n, num_buckets, f);
        if (rate == 1.0) continue;  // rounded
        CHECK(cuckoo_rate(n - 1, num_buckets, f) < rate);
        CHECK(cuckoo_rate(n, num_buckets + 2, f) < rate);
        CHECK(cuckoo_rate(n, num_buckets, f + 1) < rate);
      }
    }
  }
}

TEST_CASE("cuckoo: the rate given the state of n different classes is above the mean",
          "[variants][theory]") {
  CHECK(cuckoo_rate_given_state(0, 2, 8) == 0.0);
  CHECK(cuckoo_rate_given_state(255, 2, 8) == 1.0);
  CHECK(cuckoo_rate_given_state(1, 2, 8) == cuckoo_rate(1, 2, 8));
  CHECK(cuckoo_rate_given_state(4000, 1000, 12) > cuckoo_rate(4000, 1000, 12));
  CHECK(cuckoo_bits_per_key(12, 0.95) == Approx(12.0 / 0.95));
}

TEST_CASE("cuckoo: arguments out of range are errors", "[variants][theory]") {
  CHECK_THROWS_AS(cuckoo_rate(1, 0, 8), std::domain_error);
  CHECK_THROWS_AS(cuckoo_rate(1, 3, 8), std::domain_error);
  CHECK_THROWS_AS(cuckoo_rate(1, 2, 0), std::domain_error);
  CHECK_THROWS_AS(cuckoo_rate(1, 2, 65), std::domain_error);
  CHECK_THROWS_AS(cuckoo_rate_given_state(256, 2, 8), std::domain_error);
  CHECK_THROWS_AS(cuckoo_approximate_rate(0, 0.95, 8), std::domain_error);
  CHECK_THROWS_AS(cuckoo_approximate_rate(4, 1.01, 8), std::domain_error);
  CHECK_THROWS_AS(cuckoo_approximate_rate(4, std::nan(""), 8), std::domain_error);
  CHECK_THROWS_AS(cuckoo_bits_per_key(12, 0.0), std::domain_error);
}
