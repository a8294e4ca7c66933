// Tests that the inserts of every instruction set change a table as DLeftDesign::try_insert does.

#include "variants/d_left/d_left_insert.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/batch_access.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "variants/d_left/d_left_filter.hpp"

namespace bloometry {
namespace {

struct Shape {
  std::uint64_t num_buckets;
  unsigned num_subtables;
  unsigned remainder_bits;
  unsigned counter_bits;
};

FilterSpec spec_of(const Shape& shape) {
  return {.num_blocks = shape.num_buckets * shape.num_subtables,
          .num_hashes = shape.num_subtables,
          .params = {{"remainder_bits", double(shape.remainder_bits)},
                     {"counter_bits", double(shape.counter_bits)}}};
}

/// A table of its own, with the functions of an instruction set.
struct Table {
  explicit Table(const Shape& shape)
      : filter(spec_of(shape)),
        words(filter.buckets().all_words().begin(), filter.buckets().all_words().end()),
        permutations(shape.num_buckets << shape.remainder_bits, shape.num_subtables),
        table{.words = words.data(),
              .permutations = &permutations,
              .num_buckets = shape.num_buckets,
              .num_subtables = shape.num_subtables,
              .remainder_bits = shape.remainder_bits,
              .counter_bits = shape.counter_bits,
              .prefetches = false} {}

  [[nodiscard]] bool equals_filter() const {
    return std::ranges::equal(words, filter.buckets().all_words());
  }

  DLeftFilter filter;  // to which keys are inserted one by one
  std::vector<std::uint64_t> words;
  DLeftPermutations permutations;
  DLeftTable table;
};

/// Inserts the keys in chunks of growing length. Requires that a chunk ends before the first key
/// that is not new, and that the table equals the filter's after each chunk.
void check_inserts(const DLeftInserts& inserts, const Shape& shape, std::span<const Digest> keys) {
  Table table(shape);
  for (std::size_t length = 0; !keys.empty(); ++length) {
    const std::span<const Digest> chunk = keys.first(std::min(length, keys.size()));
    inserts.prefetch(table.table, chunk.data(), chunk.size());
    const std::size_t num_new =
        inserts.insert_new(table.table, table.words.data(), chunk.data(), chunk.size());
    for (const Digest& digest : chunk.first(num_new)) {
      REQUIRE_FALSE(table.filter.contains(digest));
      REQUIRE(table.filter.try_insert(digest) == Insertion::kNew);
    }
    REQUIRE(table.equals_filter());
    keys = keys.subspan(num_new);
    if (num_new == chunk.size()) continue;
    REQUIRE(table.filter.try_insert(keys.front()) != Insertion::kNew);
    std::ranges::copy(table.filter.buckets().all_words(), table.words.begin());
    keys = keys.subspan(1);
  }
}

}  // namespace

TEST_CASE("d_left insert: chunks change the cells that single inserts change", "[variants]") {
  unsigned num_checked = 0;
  for (const unsigned num_subtables : {2U, 3U, 4U}) {
    for (const unsigned counter_bits : {2U, 3U, 8U}) {
      for (unsigned remainder_bits = 1; remainder_bits <= 14; ++remainder_bits) {
        for (const std::uint64_t num_buckets : {1ULL, 7ULL, 50ULL}) {
          const Shape shape{num_buckets, num_subtables, remainder_bits, counter_bits};
          const Table table(shape);
          for (const Isa isa : supported_isas()) {
            const DLeftInserts inserts = d_left_inserts(isa, table.table);
            if (inserts.insert_new == nullptr) continue;
            CAPTURE(isa_name(isa), num_subtables, counter_bits, remainder_bits, num_buckets);
            // More keys than cells, so that buckets become full.
            check_inserts(inserts, shape, test::member_digests(10 * num_buckets * num_subtables));
            ++num_checked;
          }
        }
      }
    }
  }
  CHECK((num_checked > 0) == (supported_isas().back() >= Isa::kAvx512));
}

TEST_CASE("d_left insert: more than 2^32 fingerprints are exact", "[variants]") {
  const Shape shape{(1U << 19U) + 1, 4, 14, 2};
  const Table table(shape);
  for (const Isa isa : supported_isas()) {
    const DLeftInserts inserts = d_left_inserts(isa, table.table);
    if (inserts.insert_new != nullptr) check_inserts(inserts, shape, test::member_digests(2000));
  }
}

TEST_CASE("d_left insert: a batch counts duplicates and stops at a full table", "[variants]") {
  const Shape shape{20, 4, 14, 2};
  std::vector<Digest> keys;
  for (const Digest& digest : test::member_digests(700)) {
    keys.push_back(digest);
    if (keys.size() % 5 == 0) keys.push_back(keys[keys.size() / 2]);
  }
  DLeftFilter batch(spec_of(shape));
  DLeftFilter single(spec_of(shape));
  InsertCount expected;
  for (const Digest& digest : keys) {
    const Insertion insertion = single.try_insert(digest);
    expected.is_full = insertion == Insertion::kFull;
    if (expected.is_full) break;
    ++expected.num_inserted;
    expected.num_new += insertion == Insertion::kNew ? 1 : 0;
  }
  CHECK(expected.is_full);
  CHECK(BatchAccess::try_insert_chunk(batch, std::span<const Digest>(keys)) == expected);
  CHECK(batch == single);
}

}  // namespace bloometry
