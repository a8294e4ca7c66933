// A source that is compiled once for each instruction set. The macro UNIT is the name of the
// function that the source defines.

#include "tests/mixed_isa/unit.hpp"

#include <array>
#include <bit>
#include <string>
#include <utility>

#include "core/any_filter/any_filter.hpp"
#include "core/any_filter/filter_file.hpp"
#include "core/any_filter/keyed.hpp"
#include "core/hash/aes_hasher.hpp"
#include "core/hash/folded_multiply_hasher.hpp"
#include "core/hash/murmur3_128_hasher.hpp"
#include "core/hash/siphash_hashers.hpp"
#include "core/hash/splitmix64_xxh3_hasher.hpp"
#include "variants/blocked/blocked_theory.hpp"
#include "variants/cuckoo/cuckoo_theory.hpp"
#include "variants/d_left/d_left_theory.hpp"
#include "variants/lanes/lanes_theory.hpp"
#include "variants/scalable/scalable_theory.hpp"
#include "variants/split_block/split_block_theory.hpp"
#include "variants/standard/standard_theory.hpp"
#include "variants/variable_increment/variable_increment_theory.hpp"

namespace bloometry::mixed {
namespace {

constexpr std::uint64_t kNumKeys = 3000;

/// Appends the cells of a filter to the results.
template <class F>
void append_cells(const F& filter, Results& results) {
  for (const auto& store : image_of(filter).stores) {
    results.insert(results.end(), store.begin(), store.end());
  }
}

/// Inserts keys and queries other keys with every kind of call. Appends the answers and the cells
/// to the results.
template <class F, class H>
void append_results(Results& results) {
  // The filter receives 3,850 keys.
  const FilterSpec spec{.capacity = LimitedFilter<F> ? 2 * kNumKeys : kNumKeys,
                        .target_false_positive_rate = 0.05};
  Keyed<F, H> filter = [&] {
    if constexpr (SecretHasher<H>)
      return Keyed<F, H>(spec, SipHashKey{11, 12});
    else
      return Keyed<F, H>(spec, 11);
  }();
  std::vector<std::uint64_t> keys;
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < kNumKeys / 4; ++i) {
    results.push_back(filter.insert(i));
    results.push_back(filter.insert(std::to_string(i)));
    results.push_back(filter.insert(std::pair(i, std::to_string(i))));
    keys.push_back(1000 * i);
    texts.push_back("a longer key, number " + std::to_string(i));
  }
  results.push_back(filter.insert(keys));
  results.push_back(filter.insert(texts));
  if constexpr (HasInserter<F>) {
    auto inserter = filter.inserter();
    for (std::uint64_t i = 0; i < 100; ++i) results.push_back(inserter.insert(~i));
  }
  for (std::uint64_t i = 0; i < 2 * kNumKeys; ++i) results.push_back(filter.contains(i));
  for (std::uint64_t& key : keys) key += 500;
  std::vector<std::uint64_t> answers((keys.size() + 63) / 64);
  filter.contains(keys, answers);
  results.insert(results.end(), answers.begin(), answers.end());
  append_cells(filter.filter(), results);

  AnyFilter any(filter.filter());
  const std::array<Digest, 3> digests = {{{1, 2}, {3, 4}, {5, 6}}};
  results.push_back(any.insert_singly(digests));
  results.push_back(any.count_positives(digests));
  results.push_back(any.state().num_ones);
}

/// Appends the expected rate of a filter to the results. The theory is compiled once and shared by
/// all sources.
template <class F>
void append_rate(Results& results) {
  const FilterSpec spec{.capacity = kNumKeys, .target_false_positive_rate = 0.05};
  const double rate = Theory<F>::expected_rate(spec, F::kModel, kNumKeys);
  results.push_back(std::bit_cast<std::uint64_t>(rate));
}

}  // namespace

Results UNIT() {
  Results results;
  append_results<SplitBlockFilter, Xxh3Hasher>(results);
  append_results<SplitBlockFilter, SplitMix64Xxh3Hasher>(results);
  append_results<LanesFilter, AesHasher>(results);
  append_results<BlockedFilter, FoldedMultiplyHasher>(results);
  append_results<StandardFilter, Xxh3Hasher>(results);
  append_results<ScalableFilter, AesHasher>(results);
  append_results<StandardFilter, Murmur3128Hasher>(results);
  append_results<StandardFilter, SipHash128Hasher>(results);
  append_results<CuckooFilter, Xxh3Hasher>(results);
  append_results<DLeftFilter, Xxh3Hasher>(results);
  append_rate<SplitBlockFilter>(results);
  append_rate<LanesFilter>(results);
  append_rate<BlockedFilter>(results);
  append_rate<StandardFilter>(results);
  append_rate<ScalableFilter>(results);
  append_rate<VariableIncrementFilter>(results);
  append_rate<CuckooFilter>(results);
  append_rate<DLeftFilter>(results);
  return results;
}

}  // namespace bloometry::mixed
