#include "core/store/bucket_array.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

std::uint64_t max_value(unsigned cell_bits) {
  return ~std::uint64_t{0} >> (64 - cell_bits);
}

/// An array of buckets with random cells, about a quarter of them empty, and the same cells as
/// integers.
struct FilledBuckets {
  FilledBuckets(std::uint64_t num_buckets, unsigned bucket_cells, unsigned cell_bits)
      : buckets(num_buckets * bucket_cells, bucket_cells, cell_bits),
        model(num_buckets * bucket_cells, 0) {
    std::mt19937_64 random(cell_bits * 100 + bucket_cells);
    for (std::uint64_t i = 0; i < 4 * model.size(); ++i) {
      const std::uint64_t at = random() % model.size();
      model[at] = random() % 4 == 0 ? 0 : random() & max_value(cell_bits);
      buckets.set(at / bucket_cells, static_cast<unsigned>(at % bucket_cells), model[at]);
    }
  }

  BucketArray<> buckets;
  std::vector<std::uint64_t> model;
};

}  // namespace

TEST_CASE("bucket_array: every width behaves like an array of integers", "[core][store]") {
  for (unsigned cell_bits = 2; cell_bits <= 64; ++cell_bits) {
    for (const unsigned bucket_cells : {1U, 4U, 8U, 13U, 64U}) {
      CAPTURE(cell_bits, bucket_cells);
      const FilledBuckets filled(7, bucket_cells, cell_bits);
      std::uint64_t num_occupied = 0;
      for (std::uint64_t i = 0; i < filled.model.size(); ++i) {
        REQUIRE(filled.buckets.get(i / bucket_cells, static_cast<unsigned>(i % bucket_cells)) ==
                filled.model[i]);
        num_occupied += filled.model[i] != 0 ? 1 : 0;
      }
      CHECK(filled.buckets.count_occupied() == num_occupied);
      CHECK(filled.buckets.num_bits() == filled.model.size() * cell_bits);
    }
  }
}

TEST_CASE("bucket_array: match and occupied state the cells of one bucket", "[core][store]") {
  for (const unsigned cell_bits : {2U, 5U, 13U, 16U, 57U, 63U, 64U}) {
    for (const unsigned bucket_cells : {1U, 4U, 8U, 64U}) {
      CAPTURE(cell_bits, bucket_cells);
      const FilledBuckets filled(5, bucket_cells, cell_bits);
      for (std::uint64_t bucket = 0; bucket < 5; ++bucket) {
        const auto cells =
            filled.model.begin() + static_cast<std::ptrdiff_t>(bucket * bucket_cells);
        for (const std::uint64_t limit :
             {std::uint64_t{1}, std::uint64_t{2}, max_value(cell_bits) / 2 + 1}) {
          const std::uint64_t value = *cells;
          std::uint64_t matches = 0;
          std::uint64_t occupied = 0;
          std::uint64_t num_occupied = 0;
          for (unsigned j = 0; j < bucket_cells; ++j) {
            matches |= std::uint64_t{(cells[j] ^ value) < limit} << j;
            occupied |= std::uint64_t{cells[j] != 0} << j;
            num_occupied += cells[j] != 0 ? 1 : 0;
          }
          REQUIRE(filled.buckets.match(bucket, value, limit) == matches);
          REQUIRE((filled.buckets.any_match(bucket, value, limit) != 0) == (matches != 0));
          REQUIRE(filled.buckets.occupied(bucket) == occupied);
          const BucketContents contents = filled.buckets.examine(bucket, value, limit);
          REQUIRE((contents.any_match != 0) == (matches != 0));
          REQUIRE(contents.num_occupied == num_occupied);
        }
      }
    }
  }
}

TEST_CASE("bucket_array: cells are packed without gaps, and set does not write past the last one",
          "[core][store]") {
  for (unsigned cell_bits = 2; cell_bits <= 64; ++cell_bits) {
    constexpr std::uint64_t kNumCells = 24;
    AlignedWords lent(BucketArray<>::num_words_for(kNumCells, cell_bits));
    BucketArray<BorrowedMemory> buckets(kNumCells, 8, cell_bits,
                                        {std::span(lent.data(), lent.size())});
    for (unsigned i = 0; i < kNumCells; ++i) buckets.set(i / 8, i % 8, max_value(cell_bits));
    CAPTURE(cell_bits);
    std::uint64_t num_ones = 0;
    for (std::uint64_t bit = 0; bit < 64 * lent.size(); ++bit) {
      const bool is_set = (lent.data()[bit / 64] >> bit % 64 & 1U) != 0;
      REQUIRE(is_set == (bit < kNumCells * cell_bits));
      num_ones += is_set ? 1 : 0;
    }
    CHECK(num_ones == kNumCells * cell_bits);
    buckets.clear();
    CHECK(buckets.count_occupied() == 0);
  }
}

TEST_CASE("bucket_array: widths out of range are refused by name", "[core][store]") {
  CHECK_THROWS_WITH(BucketArray<>(8, 8, 1), "cell_bits must be in [2, 64], got 1");
  CHECK_THROWS_WITH(BucketArray<>(8, 8, 65), "cell_bits must be in [2, 64], got 65");
  CHECK_THROWS_WITH(BucketArray<>(65, 65, 8), "bucket_cells must be in [1, 64], got 65");
}

TEST_CASE("bucket_array: arrays are equal if their shapes and cells are", "[core][store]") {
  const FilledBuckets filled(7, 4, 12);
  BucketArray<> copy = filled.buckets;
  CHECK(copy == filled.buckets);
  copy.set(6, 3, copy.get(6, 3) ^ 1U);
  CHECK_FALSE(copy == filled.buckets);
  CHECK_FALSE(BucketArray<>(16, 8, 12) == BucketArray<>(16, 4, 12));
}

}  // namespace bloometry
