#include "core/store/bucket_words.hpp"

#include <algorithm>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

#include "core/store/bucket_array.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

std::uint64_t largest_value(unsigned cell_bits) {
  return ~std::uint64_t{0} >> (64 - cell_bits);
}

/// Returns random values for cells, of which many are 0, equal, or differ in one bit. Such values
/// cause carries and borrows between lanes.
std::uint64_t draw_value(std::mt19937_64& random, unsigned cell_bits) {
  const std::uint64_t max = largest_value(cell_bits);
  switch (random() % 8) {
    case 0:
    case 1:
      return 0;
    case 2:
      return max;
    case 3:
      return max / 2 + random() % 2;
    case 4:
      return std::uint64_t{1} << random() % cell_bits;
    case 5:
      return random() % 4 & max;
    default:
      return random() & max;
  }
}

void fill(BucketArray<>& buckets, std::mt19937_64& random) {
  for (std::uint64_t bucket = 0; bucket < buckets.num_buckets(); ++bucket) {
    for (unsigned cell = 0; cell < buckets.bucket_cells(); ++cell) {
      buckets.set(bucket, cell, draw_value(random, buckets.cell_bits()));
    }
  }
}

template <class View>
constexpr bool kExaminesWords = false;

template <unsigned kNumWords, bool kStartsAtByte, class Word>
constexpr bool kExaminesWords<BucketWords<kNumWords, kStartsAtByte, Word>> = true;

/// Requires that all functions of the view return the same as those of the array.
template <class View>
void require_equal_answers(const BucketArray<>& buckets, const View& view,
                           std::mt19937_64& random) {
  const unsigned cell_bits = buckets.cell_bits();
  REQUIRE(view.bucket_cells() == buckets.bucket_cells());
  for (std::uint64_t bucket = 0; bucket < buckets.num_buckets(); ++bucket) {
    REQUIRE(view.occupied(bucket) == buckets.occupied(bucket));
    for (unsigned cell = 0; cell < buckets.bucket_cells(); ++cell) {
      REQUIRE(view.get(bucket, cell) == buckets.get(bucket, cell));
    }
    for (const std::uint64_t value :
         {draw_value(random, cell_bits), buckets.get(bucket, 0), std::uint64_t{0}}) {
      for (const std::uint64_t limit :
           {std::uint64_t{1}, 1 + random() % (largest_value(cell_bits) / 2 + 1),
            largest_value(cell_bits) / 2 + 1}) {
        const std::uint64_t matches = buckets.match(bucket, value, limit);
        REQUIRE(view.match(bucket, value, limit) == matches);
        REQUIRE((view.any_match(bucket, value, limit) != 0) == (matches != 0));
        const BucketContents contents = view.examine(bucket, value, limit);
        REQUIRE((contents.any_match != 0) == (matches != 0));
        REQUIRE(contents.num_occupied == buckets.examine(bucket, value, limit).num_occupied);
      }
    }
  }
}

}  // namespace

TEST_CASE("bucket_words: every width and bucket size gives the answers of single cells",
          "[core][store]") {
  std::mt19937_64 random(1);
  for (unsigned cell_bits = 2; cell_bits <= 64; ++cell_bits) {
    for (unsigned bucket_cells = 1; bucket_cells <= 16; ++bucket_cells) {
      CAPTURE(cell_bits, bucket_cells);
      BucketArray<> buckets(std::uint64_t{13} * bucket_cells, bucket_cells, cell_bits);
      for (int repetition = 0; repetition < 2; ++repetition) {
        fill(buckets, random);
        std::as_const(buckets).with_words(
            [&](auto view) { require_equal_answers(buckets, view, random); });
      }
    }
  }
}

TEST_CASE("bucket_words: set changes one cell, as in an array", "[core][store]") {
  std::mt19937_64 random(2);
  for (unsigned cell_bits = 2; cell_bits <= 64; ++cell_bits) {
    for (const unsigned bucket_cells : {1U, 2U, 4U, 8U}) {
      CAPTURE(cell_bits, bucket_cells);
      BucketArray<> buckets(std::uint64_t{9} * bucket_cells, bucket_cells, cell_bits);
      fill(buckets, random);
      BucketArray<> copy = buckets;
      for (int i = 0; i < 100; ++i) {
        const std::uint64_t bucket = i == 0 ? 8 : random() % 9;
        const unsigned cell = i == 0 ? bucket_cells - 1 : unsigned(random() % bucket_cells);
        const std::uint64_t value = draw_value(random, cell_bits);
        buckets.set(bucket, cell, value);
        copy.with_words([&](auto view) { view.set(bucket, cell, value); });
        REQUIRE(copy == buckets);
      }
    }
  }
}

TEST_CASE("bucket_words: the usual buckets of tables are examined by words", "[core][store]") {
  const auto examines_words = [](unsigned bucket_cells, unsigned cell_bits) {
    return BucketArray<>(bucket_cells, bucket_cells, cell_bits).with_words([](auto view) {
      return kExaminesWords<decltype(view)>;
    });
  };
  for (unsigned cell_bits = 4; cell_bits <= 28; ++cell_bits) {
    CAPTURE(cell_bits);
    for (const unsigned bucket_cells : {2U, 4U, 8U}) CHECK(examines_words(bucket_cells, cell_bits));
  }
  CHECK(num_bucket_words(4, 16) == 1);
  CHECK(num_bucket_words(8, 16) == 2);
  CHECK(num_bucket_words(8, 17) == 4);
  // Eight cells of 2 bits could not be counted in a lane of 2 bits.
  CHECK(num_bucket_words(8, 2) == 0);
  CHECK(num_bucket_words(8, 64) == 0);
  CHECK(num_bucket_words(3, 12) == 1);
}

}  // namespace bloometry
