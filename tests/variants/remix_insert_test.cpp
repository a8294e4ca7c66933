// Tests that the batch insert of every instruction set returns the same answers and sets the same
// bits as single inserts with RemixProbes.

#include "variants/standard/remix_insert.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include "core/hash/mix.hpp"
#include "core/probe/remix.hpp"
#include "core/store/bit_array.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

/// Inserts a key without a kernel. Returns whether a bit changed.
bool insert_one(BitArray<>& bits, unsigned num_hashes, const Digest& digest) {
  RemixProbes probes(digest, bits.size());
  bool changed = false;
  for (unsigned i = 0; i < num_hashes; ++i) changed |= bits.set(probes.next(bits.size()));
  return changed;
}

/// Returns digests. Every fifth digest is repeated soon afterwards.
std::vector<Digest> digests_from(std::uint64_t first, std::size_t num_keys) {
  std::vector<Digest> digests;
  for (std::size_t i = 0; i < num_keys; ++i) {
    digests.push_back(i % 5 == 4 ? digests[i - 3] : Digest{mix64(first + i), mix64(first - i)});
  }
  return digests;
}

/// Inserts chunks of all lengths until the array is about half full. Returns whether each chunk
/// gives the same mask and the same bits as single inserts.
bool inserts_alike(Isa isa, std::uint64_t num_bits, unsigned num_hashes, bool prefetches) {
  const RemixInsert insert = remix_insert(isa, num_bits, num_hashes);
  if (insert == nullptr) return true;
  BitArray<> batch(num_bits);
  BitArray<> single(num_bits);
  bool alike = true;
  for (std::size_t length = 0; length <= kMostRemixKeys; ++length) {
    const auto digests = digests_from(1'000 * length, length);
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < length; ++i) {
      expected |= std::uint64_t{insert_one(single, num_hashes, digests[i])} << i;
    }
    alike &= expected ==
             insert(batch.words().data(), num_bits, num_hashes, digests.data(), length, prefetches);
    alike &= batch == single;
  }
  return alike;
}

}  // namespace

TEST_CASE("remix insert: chunks give the answers and bits of single inserts", "[core][block]") {
  for (const Isa isa : supported_isas()) {
    for (const std::uint64_t num_bits : {1ULL, 63ULL, 64ULL, 100ULL, 1'000ULL, 10'007ULL}) {
      for (unsigned num_hashes = 0; num_hashes <= 17; ++num_hashes) {
        CAPTURE(isa_name(isa), num_bits, num_hashes);
        CHECK(inserts_alike(isa, num_bits, num_hashes, num_hashes % 2 == 0));
      }
    }
  }
}

TEST_CASE("remix insert: positions near 2^32 are exact", "[core][block]") {
  constexpr std::uint64_t kNumBits = (std::uint64_t{1} << 32U) - 1;
  for (const Isa isa : supported_isas()) {
    CAPTURE(isa_name(isa));
    CHECK(inserts_alike(isa, kNumBits, 7, true));
    CHECK(remix_insert(isa, kNumBits + 1, 7) == nullptr);
    CHECK(remix_insert(isa, kNumBits, 17) == nullptr);
  }
}

TEST_CASE("remix insert: only AVX-512 has a vector function", "[core][block]") {
  for (const Isa isa : supported_isas()) {
    CAPTURE(isa_name(isa));
    CHECK((remix_insert(isa, 100, 7) != nullptr) == (isa >= Isa::kAvx512));
  }
}

}  // namespace bloometry
