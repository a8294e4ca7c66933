#include "core/engine/table_filter.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/batch.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "variants/cuckoo/cuckoo_filter.hpp"
#include "variants/d_left/d_left_filter.hpp"

namespace bloometry {
namespace {

/// Checks batch queries with and without the lookup of several keys at once, which the engine uses
/// only for keys that are digests.
template <class F>
void check_batch_queries(const FilterSpec& spec, bool prefetches) {
  F filter(spec);
  REQUIRE(BatchAccess::should_prefetch(filter) == prefetches);
  const std::uint64_t num_keys = std::min<std::uint64_t>(filter.geometry().num_cells / 2, 10'000);
  REQUIRE(try_insert_all(filter, test::member_digests(num_keys)).num_inserted == num_keys);
  const std::vector<Digest> keys = test::digests(0, 1, 300, 0);
  CHECK(test::gives_single_answers(filter, keys, [&](auto some, std::uint64_t* masks) {
    BatchAccess::contains_masks(filter, some, masks);
  }));
  const auto copy = [](const Digest& digest) { return digest; };
  CHECK(test::gives_single_answers(filter, keys, [&](auto some, std::uint64_t* masks) {
    BatchAccess::contains_masks(filter, some, masks, copy);
  }));
}

}  // namespace

TEST_CASE("table_filter: batch queries give the answers of single queries", "[core][engine]") {
  for (const unsigned num_hashes : {2U, 3U, 4U, 7U, 8U}) {
    CAPTURE(num_hashes);
    const FilterSpec small{.num_blocks = std::uint64_t{1'000} * num_hashes,
                           .num_hashes = num_hashes,
                           .params = {{"remainder_bits", 9.0}}};
    check_batch_queries<DLeftFilter>(small, false);
    const FilterSpec large{.num_blocks = std::uint64_t{30'000} * num_hashes,
                           .num_hashes = num_hashes,
                           .params = {{"remainder_bits", 26.0}}};
    check_batch_queries<DLeftFilter>(large, true);
  }
  for (const double bucket_cells : {2.0, 4.0, 8.0}) {
    CAPTURE(bucket_cells);
    for (const double fingerprint_bits : {7.0, 12.0, 13.0, 24.0}) {
      CAPTURE(fingerprint_bits);
      const Params params{{"bucket_cells", bucket_cells}, {"fingerprint_bits", fingerprint_bits}};
      check_batch_queries<CuckooFilter>({.num_counters = 3'200, .params = params}, false);
    }
    const Params params{{"bucket_cells", bucket_cells}, {"fingerprint_bits", 32.0}};
    check_batch_queries<CuckooFilter>({.num_counters = 480'000, .params = params}, true);
  }
}

}  // namespace bloometry
