// Tests save(), load() and map() with the calls that users make.

#include "core/any_filter/filter_file.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/hash/folded_multiply_hasher.hpp"
#include "core/hash/siphash_hashers.hpp"
#include "tests/core/file/all_filters.hpp"
#include "tests/core/file/new_folder.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "variants/counting/counting_filter.hpp"
#include "variants/scalable/scalable_filter.hpp"
#include "variants/standard/standard_filter.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

Keyed<StandardFilter> three_keys(std::uint64_t seed) {
  Keyed<StandardFilter> seen({.num_bits = 1'000, .num_hashes = 4}, seed);
  for (const char* key : {"a", "b", "c"}) seen.insert(key);
  return seen;
}

std::span<const std::uint64_t> words_of_stage(const auto& filter, std::size_t i,
                                              std::string_view kind) {
  if (kind == "blocked") return filter.blocked_stage_filter(i).bits().words();
  if (kind == "lanes") return filter.lanes_stage_filter(i).bits().words();
  return filter.stage_filter(i).bits().words();
}

}  // namespace

TEST_CASE("files: a filter with a hasher is loaded and mapped with its seed", "[file]") {
  const NewFolder folder;
  save(three_keys(17), folder / "seen", {.capacity = 100, .target_false_positive_rate = 0.01});
  const auto seen = load<Keyed<StandardFilter>>(folder / "seen");
  CHECK(seen.hasher().seed() == 17);
  CHECK(seen.contains("a"));
  CHECK(seen.filter() == three_keys(17).filter());
  CHECK_FALSE(seen.filter() == three_keys(18).filter());
  const auto mapped = map<Keyed<StandardFilter>>(folder / "seen");
  CHECK(mapped.contains("c"));
  CHECK(mapped.hasher().seed() == 17);
  CHECK(load<StandardFilter>(folder / "seen") == three_keys(17).filter());
  const FileHeader header = read_header(folder / "seen");
  CHECK(header.hash == "xxh3");
  CHECK(header.seed == 17U);
  CHECK_FALSE(header.key_id);
  CHECK(header.notes == FileNotes{.capacity = 100, .target_false_positive_rate = 0.01});
}

TEST_CASE("files: loading as another variant, scheme or hash is refused by name", "[file]") {
  const NewFolder folder;
  save(three_keys(1), folder / "seen");
  const auto reading = [&](auto type) {
    return message_of<ConfigError>(
        [&] { static_cast<void>(load<typename decltype(type)::type>(folder / "seen")); });
  };
  CHECK(contains_text(
      reading(std::type_identity<CountingFilter>{}),
      "seen cannot be read as a filter file: its variant must be counting, got standard"));
  CHECK(contains_text(
      reading(std::type_identity<BasicStandardFilter<DoubleModuloProbes<Stride::kOdd>>>{}),
      "its probes must be double_mod_odd, got remix"));
  CHECK(contains_text(reading(std::type_identity<Keyed<StandardFilter, FoldedMultiplyHasher>>{}),
                      "its hash must be folded_multiply, got xxh3"));
  save(three_keys(1).filter(), folder / "seen");
  CHECK(contains_text(reading(std::type_identity<Keyed<StandardFilter>>{}),
                      "its header does not name a hash"));
  CHECK(reading(std::type_identity<StandardFilter>{}) == "nothing thrown");
}

TEST_CASE("files: a file stores only an id of a secret, and another secret is refused", "[file]") {
  const NewFolder folder;
  using Seen = Keyed<StandardFilter, SipHash128Hasher>;
  const SipHashKey key(0x0706050403020100, 0x0f0e0d0c0b0a0908);
  Seen seen({.num_bits = 1'000, .num_hashes = 4}, key);
  seen.insert("a");
  save(seen, folder / "seen");
  const std::string bytes = bytes_of_file(folder / "seen");
  for (const std::uint64_t half : {key.k0, key.k1}) {
    CHECK(bytes.find(std::string(reinterpret_cast<const char*>(&half), 8)) == std::string::npos);
  }
  CHECK(read_header(folder / "seen").key_id == siphash_2_4("bloometry key id", key));
  CHECK(load<Seen>(folder / "seen", key).contains("a"));
  CHECK(map<Seen>(folder / "seen", key).contains("a"));
  CHECK(contains_text(message_of<ConfigError>([&] {
                        static_cast<void>(load<Seen>(folder / "seen", SipHashKey(1, 2)));
                      }),
                      "its secret must be the given secret, got another one"));
  CHECK(contains_text(message_of<ConfigError>(
                          [&] { static_cast<void>(load<Keyed<StandardFilter>>(folder / "seen")); }),
                      "its hash must be xxh3, got siphash_2_4_128"));
}

TEST_CASE("files: a mapped filter is not copied and outlives its file", "[file]") {
  const NewFolder folder;
  StandardFilter filter({.num_bits = 1 << 23, .num_hashes = 3});
  for (const Digest& digest : digests(0, 1'000)) filter.insert(digest);
  save(filter, folder / "filter");
  const auto mapped = map<StandardFilter>(folder / "filter");
  const auto copy = mapped;
  CHECK(copy.bits().words().data() == mapped.bits().words().data());
  save(StandardFilter({.num_bits = 64, .num_hashes = 1}), folder / "filter");
  std::filesystem::remove(folder / "filter");
  CHECK(mapped.state() == filter.state());
  CHECK_THROWS_AS(load<StandardFilter>(folder / "filter"), IoError);
}

TEST_CASE("files: a scalable filter is loaded with its stages and grows on", "[file]") {
  const NewFolder folder;
  Keyed<ScalableFilter> seen({.capacity = 100, .target_false_positive_rate = 0.01}, 5);
  for (std::uint64_t key = 0; key < 2'000; ++key) seen.insert(key);
  REQUIRE(seen.filter().num_stages() > 2);
  save(seen, folder / "seen");
  auto loaded = load<Keyed<ScalableFilter>>(folder / "seen");
  CHECK(loaded.filter() == seen.filter());
  for (std::uint64_t key = 0; key < 2'000; ++key) REQUIRE(loaded.contains(key));
  for (std::uint64_t key = 5'000; key < 9'000; ++key) {
    REQUIRE(loaded.insert(key) == seen.insert(key));
  }
  CHECK(loaded.filter() == seen.filter());
  CHECK(loaded.filter().num_stages() == seen.filter().num_stages());
}

TEST_CASE("files: a mapped scalable filter is not copied and outlives its file", "[file]") {
  const NewFolder folder;
  for (const char* kind : {"partitioned", "blocked", "lanes"}) {
    INFO(kind);
    const FilterSpec spec{
        .capacity = 100, .target_false_positive_rate = 0.01, .params = {{"stages", kind}}};
    Keyed<ScalableFilter> seen(spec, 5);
    for (std::uint64_t key = 0; key < 2'000; ++key) seen.insert(key);
    save(seen, folder / "seen");
    const auto mapped = map<Keyed<ScalableFilter>>(folder / "seen", MappedFile::Checks::kAll);
    save(Keyed<ScalableFilter>(spec), folder / "seen");
    std::filesystem::remove(folder / "seen");
    CHECK(mapped.hasher().seed() == 5);
    const auto copy = mapped;
    REQUIRE(copy.filter().num_stages() == seen.filter().num_stages());
    for (std::uint64_t i = 0; i < seen.filter().num_stages(); ++i) {
      const StageView stage = copy.filter().stage(i);
      const StageView written = seen.filter().stage(i);
      CHECK(stage.capacity == written.capacity);
      CHECK(stage.error_rate == written.error_rate);
      CHECK(stage.num_stored == written.num_stored);
      CHECK(stage.num_ones == written.num_ones);
      const auto* const words = words_of_stage(mapped.filter(), i, kind).data();
      CHECK(words_of_stage(copy.filter(), i, kind).data() == words);
      CHECK(reinterpret_cast<std::uintptr_t>(words) % kCacheLineBytes == 0);
    }
    for (std::uint64_t key = 0; key < 9'000; ++key) {
      REQUIRE(copy.contains(key) == seen.contains(key));
    }
  }
}

TEST_CASE("files: a filter with the most stages that a file can describe is read and does not grow",
          "[file]") {
  const NewFolder folder;
  const ScalableFilter small({.capacity = 1,
                              .target_false_positive_rate = 0.5,
                              .params = {{"growth_factor", 1.0}, {"stage_change", "count"}}});
  FilterImage image = image_of(small);
  image.header.stages.assign(
      kMaxFileStages,
      {.capacity = 1, .error_rate = 0.5, .num_hashes = 1, .num_cells = 64, .num_stored = 1});
  const std::uint64_t cells = 0;
  image.stores.assign(kMaxFileStages, {&cells, 1});
  write_filter_file(folder / "file", image.header, image.stores);
  auto filter = load<ScalableFilter>(folder / "file");
  CHECK(filter.num_stages() == kMaxFileStages);
  const Digest key = digests(0, 1).front();
  CHECK_FALSE(filter.contains(key));
  CHECK(message_of<ConfigError>([&] { filter.insert(key); }) ==
        "initial_capacity and growth_factor must give at most 838860 stages, which is the limit of "
        "a filter file");
  CHECK(filter.num_stages() == kMaxFileStages);
  CHECK_FALSE(filter.contains(key));
  save(filter, folder / "again");
  CHECK(bytes_of_file(folder / "again") == bytes_of_file(folder / "file"));
}
