// Tests that the lookup of every instruction set gives the answers of CuckooDesign::contains.

#include "variants/cuckoo/cuckoo_lookup.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/batch.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "variants/cuckoo/cuckoo_filter.hpp"

namespace bloometry {
namespace {

CuckooFilter filled(std::uint64_t num_buckets, unsigned bucket_cells, unsigned fingerprint_bits) {
  CuckooFilter filter({.num_blocks = num_buckets,
                       .params = {{"fingerprint_bits", double(fingerprint_bits)},
                                  {"bucket_cells", double(bucket_cells)}}});
  const std::uint64_t num_keys =
      std::min<std::uint64_t>(num_buckets * bucket_cells * 9 / 10, 10'000);
  static_cast<void>(try_insert_all(filter, test::member_digests(num_keys)));
  return filter;
}

CuckooTable table_of(const CuckooFilter& filter) {
  const Geometry& geometry = filter.geometry();
  return {.words = filter.buckets().all_words().data(),
          .num_buckets = geometry.num_blocks(),
          .num_fingerprints = (std::uint64_t{1} << geometry.cell_bits) - 1,
          .bucket_cells = unsigned(geometry.block_cells),
          .cell_bits = geometry.cell_bits};
}

}  // namespace

TEST_CASE("cuckoo lookup: chunks give the answers of single queries", "[variants]") {
  for (const unsigned bucket_cells : {2U, 4U, 8U}) {
    for (unsigned fingerprint_bits = 4; fingerprint_bits <= 32; ++fingerprint_bits) {
      for (const std::uint64_t num_buckets : {2ULL, 10ULL, 1'000ULL}) {
        const CuckooFilter filter = filled(num_buckets, bucket_cells, fingerprint_bits);
        const std::vector<Digest> keys = test::digests(0, 1, 300, 0);
        for (const Isa isa : supported_isas()) {
          const CuckooLookup lookup = cuckoo_lookup(isa, table_of(filter));
          if (lookup == nullptr) continue;
          CAPTURE(isa_name(isa), bucket_cells, fingerprint_bits, num_buckets);
          CHECK(test::gives_single_answers(filter, keys, [&](auto some, std::uint64_t* masks) {
            lookup(table_of(filter), some.data(), some.size(), masks);
          }));
        }
      }
    }
  }
}

TEST_CASE("cuckoo lookup: the buckets of large tables are found", "[variants]") {
  const CuckooFilter filter = filled((1U << 23U) + 2, 2, 8);
  for (const Isa isa : supported_isas()) {
    const CuckooLookup lookup = cuckoo_lookup(isa, table_of(filter));
    if (lookup == nullptr) continue;
    CHECK(test::gives_single_answers(filter, test::digests(0, 1, 300, 0),
                                     [&](auto some, std::uint64_t* masks) {
                                       lookup(table_of(filter), some.data(), some.size(), masks);
                                     }));
  }
}

TEST_CASE("cuckoo lookup: AVX2 and AVX-512 have functions, for buckets of one word", "[variants]") {
  const auto has_lookup = [](Isa isa, std::uint64_t num_buckets, unsigned bucket_cells,
                             unsigned cell_bits) {
    return cuckoo_lookup(isa, {.words = nullptr,
                               .num_buckets = num_buckets,
                               .num_fingerprints = (std::uint64_t{1} << cell_bits) - 1,
                               .bucket_cells = bucket_cells,
                               .cell_bits = cell_bits}) != nullptr;
  };
  for (const Isa isa : supported_isas()) {
    CAPTURE(isa_name(isa));
    CHECK(has_lookup(isa, 100, 4, 12) == (isa >= Isa::kAvx2));
    CHECK_FALSE(has_lookup(isa, 100, 4, 17));
    CHECK_FALSE(has_lookup(isa, std::uint64_t{1} << 32U, 4, 12));
    CHECK_FALSE(has_lookup(isa, 100, 1, 33));
  }
}

}  // namespace bloometry
