#include "core/any_filter/keyed.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/contract/set_estimates.hpp"
#include "core/hash/aes_hasher.hpp"
#include "core/hash/folded_multiply_hasher.hpp"
#include "core/hash/siphash_hashers.hpp"
#include "core/hash/splitmix64_xxh3_hasher.hpp"
#include "core/study_hash/crc32_hasher.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/blocked_counting/blocked_counting_filter.hpp"
#include "variants/counting/counting_filter.hpp"
#include "variants/lanes/lanes_filter.hpp"
#include "variants/partitioned/partitioned_filter.hpp"
#include "variants/split_block/split_block_filter.hpp"
#include "variants/standard/standard_filter.hpp"
#include "variants/variable_increment/variable_increment_filter.hpp"

namespace bloometry {

TEST_CASE("keyed: strings, bytes and integers are keys", "[core][filter]") {
  Keyed<StandardFilter> seen({.capacity = 1'000'000, .target_false_positive_rate = 0.01});
  CHECK(seen.insert("a"));
  CHECK_FALSE(seen.insert("a"));
  CHECK(seen.contains("a"));
  CHECK_FALSE(seen.contains("b"));
  CHECK(seen.insert(42));
  CHECK(seen.contains(std::uint64_t{42}));
  CHECK(seen.contains(KeyView(std::string_view("\x2a\0\0\0\0\0\0\0", 8))));
  const std::array<std::byte, 1> bytes = {std::byte{'a'}};
  CHECK(seen.contains(std::span<const std::byte>(bytes)));
}

TEST_CASE("keyed: the empty key and keys with NUL are stored like other keys", "[core][filter]") {
  Keyed<StandardFilter> seen({.num_bits = 4096, .num_hashes = 5});
  const std::string nul("\0", 1);
  const std::string longer("a\0b", 3);
  CHECK_FALSE(seen.contains(""));
  CHECK(seen.insert(""));
  CHECK(seen.contains(""));
  CHECK_FALSE(seen.contains(nul));
  CHECK(seen.insert(longer));
  CHECK(seen.contains(longer));
  CHECK_FALSE(seen.contains("a"));
}

TEST_CASE("keyed: another seed sets other bits", "[core][filter]") {
  const FilterSpec spec{.num_bits = 4096, .num_hashes = 5};
  Keyed<StandardFilter> one(spec, 1);
  Keyed<StandardFilter> two(spec, 2);
  Keyed<StandardFilter> again(spec, 1);
  one.insert("a");
  two.insert("a");
  again.insert("a");
  CHECK_FALSE(one.filter() == two.filter());
  CHECK(one.filter() == again.filter());
}

TEST_CASE("keyed: erases keys if the filter erases", "[core][filter]") {
  Keyed<CountingFilter> seen({.num_counters = 4096, .num_hashes = 5});
  seen.insert("a");
  seen.insert(7);
  CHECK(seen.erase("a"));
  CHECK_FALSE(seen.erase("a"));
  CHECK(seen.erase(7));
  CHECK(seen.filter().state().num_ones == 0);
}

TEST_CASE("keyed: merges and intersects if the filter does", "[core][filter]") {
  const FilterSpec spec{.num_bits = 4096, .num_hashes = 5};
  Keyed<StandardFilter> a(spec, 7);
  Keyed<StandardFilter> b(spec, 7);
  a.insert("only a");
  b.insert("only b");
  a.insert("both");
  b.insert("both");
  Keyed<StandardFilter> both = a;
  both.intersect(b);
  CHECK(both.contains("both"));
  CHECK_FALSE(both.contains("only a"));
  // Three keys set 15 distinct bits of 4096, so each estimate is within 0.3 % of the true value.
  CHECK(estimate_union(a, b) == Approx(3).epsilon(0.01));
  CHECK(*estimate_intersection(a, b) == Approx(1).epsilon(0.01));
  CHECK(*estimate_jaccard(a, b) == Approx(1.0 / 3).epsilon(0.01));
  a.merge(b);
  CHECK(a.contains("only b"));
  CHECK(a.contains("only a"));
  CHECK(a.estimate_count() == estimate_union(a, b));
}

TEST_CASE("keyed: filters of another seed are refused and nothing changes", "[core][filter]") {
  const FilterSpec spec{.num_bits = 4096, .num_hashes = 5};
  Keyed<StandardFilter> a(spec, 7);
  Keyed<StandardFilter> b(spec, 8);
  a.insert("a");
  b.insert("b");
  const StandardFilter before = a.filter();
  const std::string refusal = "seed must be equal in both filters, got 7 and 8";
  CHECK(test::message_of<ConfigError>([&] { a.merge(b); }) == refusal);
  CHECK(test::message_of<ConfigError>([&] { a.intersect(b); }) == refusal);
  CHECK(test::message_of<ConfigError>([&] { (void)estimate_union(a, b); }) == refusal);
  CHECK(a.filter() == before);
  Keyed<StandardFilter> small({.num_bits = 1024, .num_hashes = 5}, 7);
  CHECK(test::message_of<ConfigError>([&] { a.merge(small); }) ==
        "num_bits must be equal in both filters, got 4096 and 1024");
  CHECK(a.filter() == before);
}

TEST_CASE(
    "keyed: merge compares secrets without printing them, and ignores seeds that the hash ignores",
    "[core][filter]") {
  const FilterSpec spec{.num_bits = 4096, .num_hashes = 5};
  using Secret = Keyed<StandardFilter, SipHash128Hasher>;
  Secret secret(spec, SipHashKey(7, 1));
  secret.insert("a");
  const StandardFilter before = secret.filter();
  CHECK(test::message_of<ConfigError>([&] { secret.merge(Secret(spec, SipHashKey(7, 2))); }) ==
        "secret of the hash must be equal in both filters");
  CHECK(secret.filter() == before);
  secret.merge(Secret(spec, SipHashKey(7, 1)));

  Keyed<StandardFilter, Crc32Hasher> unseeded(spec, 7);
  Keyed<StandardFilter, Crc32Hasher> other(spec, 8);
  other.insert("b");
  unseeded.merge(other);
  CHECK(unseeded.contains("b"));
}

TEST_CASE("keyed: a secret hash has no default and takes no seed", "[core][filter]") {
  using Secret = Keyed<StandardFilter, SipHash128Hasher>;
  STATIC_REQUIRE(std::is_constructible_v<Secret, FilterSpec, SipHashKey>);
  STATIC_REQUIRE(std::is_constructible_v<Keyed<StandardFilter>, FilterSpec>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<Secret, FilterSpec>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<Secret, FilterSpec, int>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<Secret, FilterSpec, std::uint64_t>);
  const FilterSpec spec{.num_bits = 4096, .num_hashes = 5};
  Secret seen(spec, SipHashKey::random());
  CHECK(seen.insert("a"));
  CHECK(seen.contains("a"));
  const Secret same(seen.filter(), seen.hasher());
  CHECK(same.contains("a"));
}

TEST_CASE("keyed: merging filters with different hashers does not compile", "[core][filter]") {
  struct OtherHasher : Xxh3Hasher {
    using Xxh3Hasher::Xxh3Hasher;
  };

  static_assert(Hasher<OtherHasher>);
  const auto merges = []<class A, class B>(std::type_identity<A>, std::type_identity<B>) {
    return requires(A a, const B& b) {
      a.merge(b);
    };
  };
  using Mine = Keyed<StandardFilter>;
  using Other = Keyed<StandardFilter, OtherHasher>;
  CHECK(merges(std::type_identity<Mine>{}, std::type_identity<Mine>{}));
  CHECK_FALSE(merges(std::type_identity<Mine>{}, std::type_identity<Other>{}));
}

TEST_CASE("keyed: fold keeps the hasher", "[core][filter]") {
  Keyed<StandardFilter> large({.num_bits = 4096, .num_hashes = 5}, 7);
  Keyed<StandardFilter> small({.num_bits = 1024, .num_hashes = 5}, 7);
  for (int i = 0; i < 100; ++i) {
    large.insert(i);
    small.insert(i);
  }
  Keyed<StandardFilter> folded = large.fold(4);
  CHECK(folded.filter() == small.filter());
  CHECK(folded.contains(99));
  folded.merge(small);  // the same seed
  CHECK(folded.filter() == small.filter());
}

namespace {

/// Returns whether batch queries, with answers as bools and as bits, give the answers of single
/// queries.
template <class Seen, class Key>
bool answers_as_one_by_one(const Seen& seen, const std::vector<Key>& keys) {
  const auto bools = std::make_unique<bool[]>(keys.size());
  std::vector<std::uint64_t> words((keys.size() + 63) / 64, ~std::uint64_t{0});
  seen.contains(std::span<const Key>(keys), std::span<bool>(bools.get(), keys.size()));
  seen.contains(std::span<const Key>(keys), std::span(words));
  bool equal = true;
  for (std::size_t i = 0; i < 64 * words.size(); ++i) {
    const bool expected = i < keys.size() && seen.contains(keys[i]);
    equal &= (i >= keys.size() || bools[i] == expected) &&
             (words[i / 64] >> (i % 64) & 1U) == (expected ? 1U : 0U);
  }
  return equal;
}

}  // namespace

TEST_CASE("keyed: batches of integers, strings and views equal single calls", "[core][filter]") {
  const FilterSpec spec{.num_counters = 1000, .num_hashes = 3};
  std::vector<std::uint64_t> integers;
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < 700; ++i) {
    integers.push_back(i % 5 == 0 ? i / 2 : i);  // some occur twice
    texts.push_back(std::to_string(integers.back()) + std::string(i % 30, 'x'));
  }
  for (const std::size_t num_keys : {0, 1, 31, 32, 33, 255, 256, 257, 600}) {
    Keyed<CountingFilter> batch(spec, 7);
    Keyed<CountingFilter> single(spec, 7);
    const std::vector<std::string_view> strings(texts.begin(), texts.begin() + num_keys);
    const std::vector<KeyView> views(texts.begin() + 1, texts.begin() + 1 + num_keys);
    const auto some = std::span(std::as_const(integers)).first(num_keys);
    std::uint64_t num_new = 0;
    for (const std::uint64_t key : some) num_new += single.insert(key) ? 1 : 0;
    for (const std::string_view key : strings) num_new += single.insert(key) ? 1 : 0;
    for (const KeyView key : views) num_new += single.insert(key) ? 1 : 0;
    std::uint64_t num_batch_new = batch.insert(some);
    num_batch_new += batch.insert(std::span<const std::string_view>(strings));
    num_batch_new += batch.insert(std::span<const KeyView>(views));
    CHECK(num_batch_new == num_new);
    CHECK(batch.filter() == single.filter());
    CHECK(answers_as_one_by_one(batch, integers));
    CHECK(answers_as_one_by_one(batch, std::vector<std::string_view>(texts.begin(), texts.end())));
    CHECK(answers_as_one_by_one(batch, std::vector<KeyView>(texts.begin(), texts.end())));

    std::uint64_t num_erased = 0;
    for (const std::string_view key : strings) num_erased += single.erase(key) ? 1 : 0;
    for (const std::uint64_t key : some) num_erased += single.erase(key) ? 1 : 0;
    for (const KeyView key : views) num_erased += single.erase(key) ? 1 : 0;
    std::uint64_t num_batch_erased = batch.erase(std::span<const std::string_view>(strings));
    num_batch_erased += batch.erase(some);
    num_batch_erased += batch.erase(std::span<const KeyView>(views));
    CHECK(num_batch_erased == num_erased);
    CHECK(batch.filter() == single.filter());
  }
}

TEST_CASE("keyed: a container of strings is a batch, and a string is one key", "[core][filter]") {
  const FilterSpec spec{.num_counters = 10'000, .num_hashes = 3};
  Keyed<CountingFilter> single(spec, 7);
  for (const char* key : {"a", "bc", ""}) single.insert(key);
  const auto makes_the_same = [&](const auto& keys) {
    Keyed<CountingFilter> batch(spec, 7);
    std::array<bool, 3> answers{};
    std::array<std::uint64_t, 1> bits{};
    const bool inserts = batch.insert(keys) == 3 && batch.filter() == single.filter();
    batch.contains(keys, answers);
    batch.contains(keys, bits);
    return inserts && answers == std::array{true, true, true} && bits[0] == 7 &&
           batch.erase(keys) == 3;
  };
  std::string texts[] = {"a", "bc", ""};
  CHECK(makes_the_same(texts));
  CHECK(makes_the_same(std::vector<std::string>{"a", "bc", ""}));
  CHECK(makes_the_same(std::array<const char*, 3>{"a", "bc", ""}));
  CHECK(makes_the_same(std::vector<std::string_view>{"a", "bc", ""}));
  CHECK(makes_the_same(std::vector<KeyView>{"a", "bc", ""}));
  CHECK(makes_the_same(std::span<const std::string>(texts)));
  CHECK(makes_the_same(std::span<std::string>(texts)));

  const std::string text = "bc";
  Keyed<CountingFilter> other(spec, 7);
  CHECK(other.insert(text));
  CHECK(other.contains("bc"));
  CHECK_FALSE(other.contains("b"));
  STATIC_REQUIRE_FALSE(KeyRange<std::string>);
  STATIC_REQUIRE_FALSE(KeyRange<char[3]>);
  STATIC_REQUIRE_FALSE(KeyRange<std::vector<char>>);
  STATIC_REQUIRE_FALSE(KeyRange<std::array<std::byte, 2>>);
}

namespace {

struct Flow {
  std::string host;
  std::uint16_t port = 0;
};

void hash_append(KeyBytes& key, const Flow& flow) {
  key.append(flow.host, flow.port);
}

}  // namespace

TEMPLATE_TEST_CASE("keyed: structs with hash_append are keys and batches of keys", "[core][filter]",
                   (Keyed<CountingFilter>), (Keyed<BlockedCountingFilter>),
                   (Keyed<CountingFilter, AesHasher>),
                   (Keyed<CountingFilter, SplitMix64Xxh3Hasher>)) {
  const FilterSpec spec{.capacity = 1000, .target_false_positive_rate = 1e-6};
  std::vector<Flow> flows;
  for (std::uint16_t i = 0; i < 1000; ++i) flows.push_back({"host" + std::to_string(i / 7), i});
  TestType single(spec, 7);
  TestType inserted(spec, 7);
  TestType batch(spec, 7);
  auto in = inserted.inserter();
  for (const Flow& flow : flows) {
    CHECK(single.insert(flow));
    CHECK(in.insert(flow));
  }
  CHECK(batch.insert(flows) == flows.size());
  CHECK(batch.filter() == single.filter());
  CHECK(inserted.filter() == single.filter());

  CHECK(single.contains(Flow{"host1", 7}));
  CHECK_FALSE(single.contains(Flow{"host1", 6}));
  CHECK_FALSE(single.contains(Flow{"host", 7}));
  const auto answers = std::make_unique<bool[]>(flows.size());
  batch.contains(flows, std::span(answers.get(), flows.size()));
  CHECK(std::count(answers.get(), answers.get() + flows.size(), true) == 1000);
  CHECK(batch.erase(std::span<const Flow>(flows).first(999)) == 999);
  CHECK(single.erase(Flow{"host1", 7}));
  CHECK_FALSE(single.contains(Flow{"host1", 7}));
  CHECK(batch.contains(flows.back()));
  CHECK_FALSE(batch.contains(flows.front()));
}

TEST_CASE("keyed: a pair is a key", "[core][filter]") {
  Keyed<StandardFilter> seen({.capacity = 1000, .target_false_positive_rate = 1e-6});
  seen.insert(std::pair(std::string("ab"), std::string("c")));
  CHECK(seen.contains(std::pair(std::string("ab"), std::string("c"))));
  CHECK_FALSE(seen.contains(std::pair(std::string("a"), std::string("bc"))));
}

TEST_CASE("keyed: a filter that cannot erase does not have a member erase", "[core][filter]") {
  const auto erases = []<class Filter>(std::type_identity<Filter>, const auto& key) {
    return requires(Filter filter) {
      filter.erase(key);
    };
  };
  const std::vector<std::string> keys;
  CHECK(erases(std::type_identity<Keyed<CountingFilter>>{}, "a"));
  CHECK(erases(std::type_identity<Keyed<CountingFilter>>{}, 7));
  CHECK(erases(std::type_identity<Keyed<CountingFilter>>{}, keys));
  CHECK_FALSE(erases(std::type_identity<Keyed<StandardFilter>>{}, "a"));
  CHECK_FALSE(erases(std::type_identity<Keyed<StandardFilter>>{}, 7));
  CHECK_FALSE(erases(std::type_identity<Keyed<StandardFilter>>{}, keys));
}

TEMPLATE_TEST_CASE("keyed: batches of integers that the filter hashes equal single calls",
                   "[core][filter]", (Keyed<SplitBlockFilter, SplitMix64Xxh3Hasher>),
                   (Keyed<SplitBlockFilter, FoldedMultiplyHasher>),
                   (Keyed<SplitBlockFilter, AesHasher>), (Keyed<SplitBlockFilter, Xxh3Hasher>),
                   (Keyed<LanesFilter, SplitMix64Xxh3Hasher>),
                   (Keyed<LanesFilter, FoldedMultiplyHasher>), (Keyed<LanesFilter, AesHasher>),
                   (Keyed<BlockedFilter, AesHasher>)) {
  const FilterSpec spec{.num_bits = 32'768, .num_hashes = 8};
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < 6000; ++i) keys.push_back(i % 5 == 0 ? i / 2 : i);
  for (const std::size_t num_keys : {0, 1, 63, 64, 65, 200, 3000}) {
    TestType batch(spec, 7);
    TestType single(spec, 7);
    const auto some = std::span(std::as_const(keys)).first(num_keys);
    std::uint64_t num_new = 0;
    for (const std::uint64_t key : some) num_new += single.insert(key) ? 1 : 0;
    CHECK(batch.insert(some) == num_new);
    CHECK(batch.filter() == single.filter());
    CHECK(answers_as_one_by_one(batch, keys));
  }
}

TEMPLATE_TEST_CASE("keyed: an inserter returns and stores the same as insert", "[core][filter]",
                   StandardFilter, AtomicStandardFilter, PartitionedFilter, CountingFilter,
                   VariableIncrementFilter, BlockedFilter, BasicBlockedFilter<RemixProbes>,
                   SplitBlockFilter, LanesFilter, BlockedCountingFilter) {
  const FilterSpec spec{.capacity = 1000, .target_false_positive_rate = 0.05};
  Keyed<TestType> seen(spec, 7);
  Keyed<TestType> expected(spec, 7);
  auto in = seen.inserter();
  bool equal = true;
  for (std::uint64_t i = 0; i < 1500; ++i) {
    const std::uint64_t key = i % 3 == 0 ? i / 2 : i;
    equal &= in.insert(key) == expected.insert(key);
    equal &= in.insert(std::to_string(i)) == expected.insert(std::to_string(i));
  }
  CHECK(equal);
  CHECK(seen.filter() == expected.filter());
}

}  // namespace bloometry
