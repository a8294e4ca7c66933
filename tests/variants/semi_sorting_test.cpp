#include "variants/cuckoo/semi_sorting.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "core/store/aligned_words.hpp"
#include "core/store/bucket_array.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/cuckoo/semi_sorted_buckets.hpp"

namespace bloometry {
namespace {

using FourCells = std::array<std::uint64_t, 4>;

/// Calls visit(nibbles) with every ascending array of four nibbles.
template <class Visit>
void for_each_multiset(Visit visit) {
  for (std::uint64_t d = 0; d < 16; ++d) {
    for (std::uint64_t c = 0; c <= d; ++c) {
      for (std::uint64_t b = 0; b <= c; ++b) {
        for (std::uint64_t a = 0; a <= b; ++a) visit(FourCells{a, b, c, d});
      }
    }
  }
}

/// Calls test(buckets) with empty semi-sorted buckets of fingerprints of f bits.
template <class Test>
void with_semi_sorted_buckets(std::uint64_t num_buckets, unsigned fingerprint_bits, Test test) {
  const SemiSortedLayout& layout = semi_sorted_layout(fingerprint_bits);
  REQUIRE(layout.fingerprint_bits() == fingerprint_bits);
  REQUIRE(layout.bucket_bits() == 4 * (fingerprint_bits - 1));
  AlignedWords words(BucketArray<>::num_words_for(4 * num_buckets, fingerprint_bits - 1));
  if (layout.num_words() == 1) test(SemiSortedBuckets<1, std::uint64_t>(words.data(), layout));
  if (layout.num_words() == 2) test(SemiSortedBuckets<2, std::uint64_t>(words.data(), layout));
  if (layout.num_words() == 4) test(SemiSortedBuckets<4, std::uint64_t>(words.data(), layout));
  // The last word is padding and contains no cells.
  CHECK(words.data()[words.size() - 1] == 0);
}

FourCells semi_sorted_cells(const auto& buckets, std::uint64_t bucket) {
  FourCells cells;
  for (unsigned cell = 0; cell < 4; ++cell) cells[cell] = buckets.get(bucket, cell);
  return cells;
}

/// Returns the cells in the order of a semi-sorted bucket: by the low nibble, then by the rest.
FourCells in_bucket_order(FourCells cells) {
  std::ranges::sort(cells, [](std::uint64_t a, std::uint64_t b) {
    return a % 16 != b % 16 ? a % 16 < b % 16 : a < b;
  });
  return cells;
}

}  // namespace

TEST_CASE("semi sorting: each multiset of four nibbles has its own code", "[variants]") {
  std::vector<unsigned> num_with(semi_sorting::kNumCodes, 0);
  for_each_multiset([&](const FourCells& nibbles) {
    const unsigned code = semi_sorting::code_of(nibbles[0], nibbles[1], nibbles[2], nibbles[3]);
    REQUIRE(code < semi_sorting::kNumCodes);
    ++num_with[code];
    REQUIRE(semi_sorting::kSortedNibbles[code] ==
            (nibbles[0] | nibbles[1] << 4U | nibbles[2] << 8U | nibbles[3] << 12U));
  });
  CHECK(std::ranges::count(num_with, 1U) == 3876);
  CHECK(semi_sorting::code_of(0, 0, 0, 0) == 0);
  for (unsigned code = semi_sorting::kNumCodes; code < 1U << semi_sorting::kCodeBits; ++code) {
    REQUIRE(semi_sorting::kSortedNibbles[code] == 0);
  }
}

TEST_CASE("semi sorting: buckets hold every permutation of every multiset of nibbles",
          "[variants]") {
  for (const unsigned fingerprint_bits : {5U, 16U, 17U, 33U}) {
    with_semi_sorted_buckets(3, fingerprint_bits, [&](auto buckets) {
      const std::uint64_t top = std::uint64_t{1} << (fingerprint_bits - 1);
      std::uint64_t num_orders = 0;
      for_each_multiset([&](FourCells cells) {
        cells[1] |= top;  // the rests must stay with their nibbles
        const FourCells expected = in_bucket_order(cells);
        std::ranges::sort(cells);
        do {
          // A cell that becomes 0 moves to the front, so each call empties the last cell.
          for (int i = 0; i < 4; ++i) buckets.set(1, 3, 0);
          REQUIRE(semi_sorted_cells(buckets, 1) == FourCells{});
          // Empty cells come first. A value of 0 stays there.
          for (const std::uint64_t value : cells) buckets.set(1, 0, value);
          REQUIRE(semi_sorted_cells(buckets, 1) == expected);
          ++num_orders;
        } while (std::ranges::next_permutation(cells).found);
      });
      CHECK(num_orders > 3876);
      CHECK(semi_sorted_cells(buckets, 0) == FourCells{});
      CHECK(semi_sorted_cells(buckets, 2) == FourCells{});
    });
  }
}

TEST_CASE("semi sorting: buckets agree with a model for every width", "[variants]") {
  constexpr std::uint64_t kNumBuckets = 37;
  std::mt19937_64 random(test::test_seed());
  for (unsigned fingerprint_bits = 5; fingerprint_bits <= 56; ++fingerprint_bits) {
    with_semi_sorted_buckets(kNumBuckets, fingerprint_bits, [&](auto buckets) {
      std::vector<FourCells> model(kNumBuckets);
      const auto draw = [&] { return random() % 4 == 0 ? 0 : random() >> (64 - fingerprint_bits); };
      for (int step = 0; step < 1'000; ++step) {
        const std::uint64_t bucket = random() % kNumBuckets;
        const auto cell = static_cast<unsigned>(random() % 4);
        // Every eighth value is one that the bucket has already.
        const std::uint64_t value = random() % 8 == 0 ? model[bucket][random() % 4] : draw();
        buckets.set(bucket, cell, value);
        model[bucket][cell] = value;
        model[bucket] = in_bucket_order(model[bucket]);
        const std::uint64_t wanted = random() % 2 == 0 ? value : draw();
        std::uint64_t matching = 0;
        std::uint64_t occupied = 0;
        for (unsigned i = 0; i < 4; ++i) {
          matching |= std::uint64_t{model[bucket][i] == wanted} << i;
          occupied |= std::uint64_t{model[bucket][i] != 0} << i;
        }
        CAPTURE(fingerprint_bits, step);
        REQUIRE(buckets.match(bucket, wanted, 1) == matching);
        REQUIRE((buckets.any_match(bucket, wanted, 1) != 0) == (matching != 0));
        REQUIRE(buckets.occupied(bucket) == occupied);
      }
      for (std::uint64_t bucket = 0; bucket < kNumBuckets; ++bucket) {
        REQUIRE(semi_sorted_cells(buckets, bucket) == model[bucket]);
      }
    });
  }
}

}  // namespace bloometry
