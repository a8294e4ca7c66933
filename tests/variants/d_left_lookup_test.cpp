// Tests that the lookup of every instruction set gives the answers of DLeftDesign::contains.

#include "variants/d_left/d_left_lookup.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/engine/batch.hpp"
#include "core/hash/range_reduction.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "variants/d_left/d_left_filter.hpp"

namespace bloometry {
namespace {

/// A d-left filter of at most 10,000 keys that is at most half full, and its table.
struct Filled {
  Filled(std::uint64_t num_buckets, unsigned num_subtables, unsigned remainder_bits,
         unsigned counter_bits)
      : filter({.num_blocks = num_buckets * num_subtables,
                .num_hashes = num_subtables,
                .params = {{"remainder_bits", double(remainder_bits)},
                           {"counter_bits", double(counter_bits)}}}),
        permutations(num_buckets << remainder_bits, num_subtables),
        table{.words = filter.buckets().all_words().data(),
              .permutations = &permutations,
              .num_buckets = num_buckets,
              .num_subtables = num_subtables,
              .remainder_bits = remainder_bits,
              .counter_bits = counter_bits,
              .prefetches = remainder_bits % 2 == 0} {
    static_cast<void>(try_insert_all(filter, test::member_digests(std::min<std::uint64_t>(
                                                 4 * num_buckets * num_subtables, 10'000))));
  }

  DLeftFilter filter;
  DLeftPermutations permutations;
  DLeftTable table;
};

/// Checks the lookup of every instruction set.
void check_lookups(const Filled& filled) {
  for (const Isa isa : supported_isas()) {
    const DLeftLookup lookup = d_left_lookup(isa, filled.table);
    if (lookup == nullptr) continue;
    CAPTURE(isa_name(isa));
    CHECK(test::gives_single_answers(filled.filter, test::digests(0, 1, 300, 0),
                                     [&](auto some, std::uint64_t* masks) {
                                       lookup(filled.table, some.data(), some.size(), masks);
                                     }));
  }
}

/// Returns the number x in [0, N) with factor * x = 1 mod N, by the extended algorithm of Euclid.
std::uint64_t inverse(std::uint64_t factor, std::uint64_t num_fingerprints) {
  std::int64_t last = 0;
  std::int64_t next = 1;
  for (std::uint64_t a = num_fingerprints, b = factor; b != 0;) {
    const std::uint64_t quotient = a / b;
    a = std::exchange(b, a % b);
    last = std::exchange(next, last - static_cast<std::int64_t>(quotient) * next);
  }
  return last < 0 ? num_fingerprints - static_cast<std::uint64_t>(-last)
                  : static_cast<std::uint64_t>(last);
}

}  // namespace

TEST_CASE("d_left lookup: chunks give the answers of single queries", "[variants]") {
  for (const unsigned num_subtables : {2U, 4U, 5U, 8U}) {
    for (const unsigned counter_bits : {2U, 3U, 8U}) {
      for (unsigned remainder_bits = 1; remainder_bits <= 28; ++remainder_bits) {
        for (const std::uint64_t num_buckets : {1ULL, 7ULL, 100ULL}) {
          CAPTURE(num_subtables, counter_bits, remainder_bits, num_buckets);
          check_lookups({num_buckets, num_subtables, remainder_bits, counter_bits});
        }
      }
    }
  }
}

TEST_CASE("d_left lookup: more than 2^32 fingerprints are exact", "[variants]") {
  check_lookups({50'001, 4, 28, 2});
  check_lookups({(1U << 19U) + 1, 2, 20, 2});
}

TEST_CASE("d_left lookup: images just above 0 are exact", "[variants]") {
  // With these images, the quotient of Shoup is too small by one.
  Filled filled(50'001, 4, 28, 2);
  const std::uint64_t num_fingerprints = filled.permutations.num_fingerprints();
  const std::uint64_t step = inverse(filled.permutations.factor(0).value, num_fingerprints);
  std::vector<Digest> keys;
  std::uint64_t fingerprint = 0;
  for (std::uint64_t image = 1; image <= 300; ++image) {
    fingerprint = (fingerprint + step) % num_fingerprints;
    REQUIRE(filled.permutations.image(0, fingerprint) == image);
    keys.push_back(test::digest_with_fingerprint(fingerprint, num_fingerprints));
    if (image % 2 == 1) static_cast<void>(filled.filter.try_insert(keys.back()));
  }
  for (const Isa isa : supported_isas()) {
    const DLeftLookup lookup = d_left_lookup(isa, filled.table);
    if (lookup == nullptr) continue;
    CAPTURE(isa_name(isa));
    CHECK(test::gives_single_answers(filled.filter, keys, [&](auto some, std::uint64_t* masks) {
      lookup(filled.table, some.data(), some.size(), masks);
    }));
  }
}

TEST_CASE("d_left lookup: only AVX-512 has a function, for buckets of up to four words",
          "[variants]") {
  const auto has_lookup = [](Isa isa, unsigned remainder_bits) {
    const DLeftPermutations permutations(100ULL << remainder_bits, 4);
    return d_left_lookup(isa, {.words = nullptr,
                               .permutations = &permutations,
                               .num_buckets = 100,
                               .num_subtables = 4,
                               .remainder_bits = remainder_bits,
                               .counter_bits = 2,
                               .prefetches = false}) != nullptr;
  };
  for (const Isa isa : supported_isas()) {
    CAPTURE(isa_name(isa));
    CHECK(has_lookup(isa, 14) == (isa >= Isa::kAvx512));
    CHECK(has_lookup(isa, 28) == (isa >= Isa::kAvx512));
    CHECK_FALSE(has_lookup(isa, 29));
    CHECK_FALSE(has_lookup(isa, 40));
  }
}

}  // namespace bloometry
