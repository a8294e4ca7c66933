#include "experiments/filter_files/file_filter.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/rates/modulo_cells.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/filter_files/foreign_filters.hpp"
#include "experiments/filter_files/open_filter.hpp"
#include "tests/experiments/filter_files/copied_cells.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temp_folder.hpp"
#include "variants/foreign/guava/guava_filter.hpp"
#include "variants/foreign/redis_bitmap/redis_bitmap_filter.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kNumFileKeys = 2000;

std::vector<std::string> texts(std::uint64_t first, std::uint64_t count) {
  std::vector<std::string> keys;
  for (std::uint64_t i = 0; i < count; ++i) keys.push_back("key " + std::to_string(first + i));
  return keys;
}

std::vector<KeyView> views(const std::vector<std::string>& keys) {
  return {keys.begin(), keys.end()};
}

void insert(FileFilter& filter, const std::vector<std::string>& keys) {
  filter.insert(views(keys));
}

std::uint64_t num_present(const FileFilter& filter, const std::vector<std::string>& keys) {
  const auto answers = std::make_unique<bool[]>(keys.size());
  filter.contains(views(keys), {answers.get(), keys.size()});
  return static_cast<std::uint64_t>(std::count(answers.get(), answers.get() + keys.size(), true));
}

SizeRequest sizes_for(std::string_view format) {
  if (format == "php3") return {.num_keys = kNumFileKeys, .num_bits = 8192 * 4};
  return {.num_keys = kNumFileKeys, .rate = 0.02};
}

/// Returns m and k if the format is a bitmap, because a bitmap file does not contain m and k.
SizeRequest carried_sizes(const FilterFacts& facts) {
  if (facts.format != "jedis" && facts.format != "pyrebloom" && facts.format != "php3" &&
      facts.format != "go_seeded") {
    return {};
  }
  return {.num_bits = facts.num_cells, .num_hashes = facts.num_hashes};
}

std::unique_ptr<FileFilter> own_filter(const FilterSpec& spec,
                                       std::string_view variant = "standard",
                                       std::string_view hash = "xxh3") {
  const VariantInfo& info = find_variant(variant);
  return std::make_unique<BloometryFilter>(info.schemes.front().make(spec),
                                           FilterHash(hash, 0, std::nullopt), FileHeader{});
}

TEST_CASE("a filter of every format contains its keys, also when it is read from a file",
          "[filters]") {
  const test::TempFolder folder;
  for (const std::string_view format : foreign_file_formats()) {
    CAPTURE(format);
    const std::unique_ptr<FileFilter> filter = make_foreign_filter(format, sizes_for(format));
    insert(*filter, texts(0, kNumFileKeys));
    CHECK(num_present(*filter, texts(0, kNumFileKeys)) == kNumFileKeys);
    const FilterFacts facts = filter->facts();
    CHECK(facts.format == format);
    // php3's string hashes are weak: similar keys share indices.
    if (format != "php3") {
      CHECK(std::abs(*facts.estimated_num_keys - kNumFileKeys) < 0.05 * kNumFileKeys);
      const double rate =
          static_cast<double>(num_present(*filter, texts(1'000'000, 20'000))) / 20'000;
      CHECK(rate < 3 * facts.rate());
      CHECK(rate > facts.rate() / 3);
    }
    CHECK((facts.expected_rate.has_value() != !facts.why_no_expected_rate.empty()));
    CHECK((facts.expected.has_value() == facts.given_state.has_value()));
    CHECK(contradiction_in(facts).empty());

    const auto path = folder / std::string(format);
    filter->write(path);
    const std::unique_ptr<FileFilter> again =
        open_filter(path, {.format = std::string(format), .sizes = carried_sizes(facts)});
    CHECK(test::cells_of(*again) == test::cells_of(*filter));
    CHECK(num_present(*again, texts(0, kNumFileKeys)) == kNumFileKeys);
  }
}

TEST_CASE("a filter of every variant contains its keys, also when it is read from a file",
          "[filters]") {
  const test::TempFolder folder;
  for (const VariantInfo& variant : all_variant_infos()) {
    CAPTURE(variant.name);
    const std::unique_ptr<FileFilter> filter =
        own_filter({.capacity = kNumFileKeys, .target_false_positive_rate = 0.02}, variant.name);
    insert(*filter, texts(0, kNumFileKeys));
    filter->set_notes({.capacity = kNumFileKeys,
                       .target_false_positive_rate = 0.02,
                       .num_inserted = kNumFileKeys});
    const auto path = folder / std::string(variant.name);
    filter->write(path);
    const std::unique_ptr<FileFilter> again = open_filter(path, {});
    CHECK(num_present(*again, texts(0, kNumFileKeys)) == kNumFileKeys);
    const FilterFacts facts = again->facts();
    CHECK(facts.variant == variant.name);
    CHECK(facts.notes == FileNotes{kNumFileKeys, 0.02, kNumFileKeys});
    CHECK(facts.num_keys == kNumFileKeys);
    CHECK(facts.state == filter->facts().state);
    CHECK((facts.expected_rate.has_value() != !facts.why_no_expected_rate.empty()));
    CHECK(contradiction_in(facts).empty());
    if (facts.num_keys_at_target) {
      // num_keys_at_target is the largest n whose rate is at most the target.
      CHECK(*facts.num_keys_at_target >= kNumFileKeys / 2);
    }
  }
}

TEST_CASE("a number of inserts that cannot set the cells is reported as a contradiction",
          "[filters]") {
  const std::unique_ptr<FileFilter> filter = own_filter({.num_bits = 10'000, .num_hashes = 4});
  insert(*filter, texts(0, 100));
  const std::uint64_t num_ones = filter->facts().state.num_ones;
  const std::uint64_t least = (num_ones + 3) / 4;
  filter->set_notes({.num_inserted = least});
  CHECK(contradiction_in(filter->facts()).empty());
  filter->set_notes({.num_inserted = least - 1});
  CHECK(test::contains_text(contradiction_in(filter->facts()), "cannot set"));
}

TEST_CASE("filters merge only if size and hash are equal", "[filters]") {
  const FilterSpec spec{.num_bits = 10'000, .num_hashes = 4};
  const std::unique_ptr<FileFilter> a = own_filter(spec);
  const std::unique_ptr<FileFilter> b = own_filter(spec);
  const std::unique_ptr<FileFilter> both = own_filter(spec);
  insert(*a, texts(0, 500));
  insert(*b, texts(500, 500));
  insert(*both, texts(0, 1000));
  a->set_notes({.num_inserted = 500});
  a->merge(*b);
  CHECK(test::cells_of(*a) == test::cells_of(*both));
  CHECK_FALSE(a->notes().num_inserted);
  a->intersect(*b);
  CHECK(test::cells_of(*a) == test::cells_of(*b));
  const std::unique_ptr<FileFilter> other_hash = own_filter(spec, "standard", "xxh64");
  CHECK(test::contains_text(test::message_of<ConfigError>([&] { a->merge(*other_hash); }), "hash"));
  const std::unique_ptr<FileFilter> other_size = own_filter({.num_bits = 20'000, .num_hashes = 4});
  CHECK_THROWS_AS(a->merge(*other_size), ConfigError);
  CHECK(test::cells_of(*a) == test::cells_of(*b));
  const auto foreign = make_foreign_filter("guava", {.num_keys = 10, .rate = 0.1});
  const auto error_of = [](const auto& call) { return test::message_of<ConfigError>(call); };
  CHECK(error_of([&] { a->merge(*foreign); }) ==
        "the second file must have the format bloometry, got guava");
  CHECK(error_of([&] { foreign->merge(*a); }) ==
        "the second file must have the format guava, got bloometry");
  CHECK(error_of([&] { static_cast<void>(foreign->fold(2)); }) ==
        "files of guava cannot be folded");
}

std::string conversion_error(const FileFilter& filter, std::string_view format) {
  return test::message_of<ConfigError>([&] { static_cast<void>(filter.converted(format)); });
}

TEST_CASE("split_block and parquet_sbbf convert to each other with equal answers", "[filters]") {
  const test::TempFolder folder;
  const std::unique_ptr<FileFilter> own = own_filter({.num_blocks = 96}, "split_block", "xxh64");
  insert(*own, texts(0, 1000));
  const std::unique_ptr<FileFilter> parquet = own->converted("parquet_sbbf");
  CHECK(test::cells_of(*parquet) == test::cells_of(*own));
  CHECK(num_present(*parquet, texts(0, 5000)) == num_present(*own, texts(0, 5000)));
  parquet->write(folder / "p");
  const auto back = open_filter(folder / "p", {.format = "parquet_sbbf"})->converted("bloometry");
  CHECK(test::cells_of(*back) == test::cells_of(*own));
  CHECK(num_present(*back, texts(0, 5000)) == num_present(*own, texts(0, 5000)));
  const std::unique_ptr<FileFilter> other_hash = own_filter({.num_blocks = 96}, "split_block");
  CHECK(conversion_error(*other_hash, "parquet_sbbf")
            .starts_with("files of split_block with hash xxh3 and seed 0 cannot be converted to "
                         "parquet_sbbf, which requires split_block with hash xxh64 and seed 0. "
                         "Build the filter from its keys: `bloometry filter build KEYS --to "
                         "parquet_sbbf -o FILE`"));
  CHECK(conversion_error(*other_hash, "guava")
            .starts_with("files of split_block with hash xxh3 and seed 0 cannot be converted to "
                         "guava. "));
  CHECK(conversion_error(*own, "guava")
            .starts_with("files of split_block with hash xxh64 and seed 0 cannot be converted to "
                         "guava, only to parquet_sbbf. "));
  CHECK(
      conversion_error(*parquet, "guava")
          .starts_with("files of parquet_sbbf cannot be converted to guava, only to bloometry. "));
}

TEST_CASE("guava converts to jedis, and the two forms of go_bits_and_blooms to each other",
          "[filters]") {
  const auto guava = make_foreign_filter("guava", {.num_keys = 500, .rate = 0.01});
  insert(*guava, texts(0, 500));
  const auto jedis = guava->converted("jedis");
  CHECK(test::cells_of(*jedis) == test::cells_of(*guava));
  CHECK(num_present(*jedis, texts(0, 20'000)) == num_present(*guava, texts(0, 20'000)));
  const auto go = make_foreign_filter("go_bits_and_blooms", {.num_keys = 500, .rate = 0.01});
  insert(*go, texts(0, 500));
  const auto json = go->converted("go_bits_and_blooms_json");
  CHECK(json->facts().format == "go_bits_and_blooms_json");
  CHECK(test::cells_of(*json->converted("go_bits_and_blooms")) == test::cells_of(*go));
  CHECK(conversion_error(*go, "guava")
            .starts_with("files of go_bits_and_blooms cannot be converted to guava, only to "
                         "go_bits_and_blooms or go_bits_and_blooms_json. "));
  CHECK(conversion_error(*jedis, "guava")
            .starts_with("files of jedis cannot be converted to guava. "));
  CHECK(conversion_error(*guava, "dcso")
            .starts_with("files of guava cannot be converted to dcso, only to jedis. "));
  const auto older =
      parse_foreign_filter("guava", std::string("\0\3\0\0\0\1", 6) + std::string(8, '\0'), {});
  CHECK(conversion_error(*older, "jedis")
            .starts_with("files of guava with strategy MITZ_32 cannot be converted to jedis, which "
                         "requires strategy MITZ_64. "));
  CHECK(conversion_error(*older, "dcso")
            .starts_with("files of guava with strategy MITZ_32 cannot be converted to dcso. "));
}

TEST_CASE("options for facts that a format does not store are required, other options are refused",
          "[filters]") {
  const auto message = [](std::string_view format, const SizeRequest& sizes) {
    return test::message_of<ConfigError>(
        [&] { static_cast<void>(make_foreign_filter(format, sizes)); });
  };
  CHECK(test::contains_text(message("redisbloom", {.num_keys = 5, .num_bits = 64}),
                            "num_bits must be left out"));
  CHECK(test::contains_text(message("dcso", {.num_keys = 5, .num_hashes = 3}),
                            "num_hashes must be left out"));
  CHECK(test::contains_text(message("guava", {.num_keys = 5, .num_bits = 64}),
                            "num_hashes must be given with -m: the number of hashes of guava"));
  CHECK(test::contains_text(message("php3", {.num_keys = 5}),
                            "num_bits must be given: a multiple of 8192 bits like 128KiB"));
  CHECK(test::contains_text(message("parquet_sbbf", {.num_bits = 100}), "multiple of 256"));
  CHECK(message("parquet_sbbf", {.num_bits = 512, .num_hashes = 7}) ==
        "num_hashes must be 8 for parquet_sbbf, got 7");
  CHECK(
      make_foreign_filter("parquet_sbbf", {.num_bits = 512, .num_hashes = 8})->facts().num_cells ==
      512);
  CHECK(test::contains_text(message("cuckoo", {.num_keys = 5}), "must be one of bloometry, guava"));
  CHECK(test::contains_text(
      test::message_of<ConfigError>(
          [] { static_cast<void>(parse_foreign_filter("jedis", "", {.num_bits = 64})); }),
      "num_hashes must be given: the number of hashes, which a bitmap of jedis does not contain"));
  CHECK(test::contains_text(test::message_of<ConfigError>([] {
                              static_cast<void>(
                                  parse_foreign_filter("guava", "", {.num_bits = 64}));
                            }),
                            "must be left out"));
}

TEST_CASE("the rates of a file include the collisions of its hash", "[filters]") {
  const FilterSpec spec{.capacity = kNumFileKeys, .target_false_positive_rate = 1e-12};
  const std::unique_ptr<FileFilter> wide = own_filter(spec);
  insert(*wide, texts(0, kNumFileKeys));
  wide->set_notes({.num_inserted = kNumFileKeys});
  CHECK(*wide->facts().expected_rate < 1e-12);
  CHECK(wide->facts().given_state->kind == RateKind::kExact);

  BloometryFilter narrow(find_variant("standard").schemes.front().make(spec),
                         FilterHash("crc32", std::nullopt, std::nullopt), FileHeader{});
  insert(narrow, texts(0, kNumFileKeys));
  narrow.set_notes({.num_inserted = kNumFileKeys});
  const FilterFacts facts = narrow.facts();
  CHECK(facts.expected->rate == Approx(kNumFileKeys * 0x1p-32).epsilon(1e-5));
  CHECK(facts.given_state->rate == Approx(kNumFileKeys * 0x1p-32).epsilon(1e-5));
  CHECK(facts.expected->formula == "uniform_hash");
  CHECK_FALSE(facts.expected_rate);
  CHECK(test::contains_text(facts.why_no_expected_rate, "the hash is weak"));

  // A hash of 64 bits is uniform, so that the rate is exact.
  const std::unique_ptr<FileFilter> xxh64 = own_filter(spec, "lanes", "xxh64");
  insert(*xxh64, texts(0, kNumFileKeys));
  xxh64->set_notes({.num_inserted = kNumFileKeys});
  CHECK(xxh64->facts().expected->floor->name == "hash_bits");
  CHECK(xxh64->facts().expected_rate.has_value());
}

TEST_CASE("the facts of Guava's MITZ_32 use the likelihood of each bit", "[filters]") {
  constexpr std::uint64_t kNumBits = 3 << 20U;
  GuavaFilter guava(kNumBits, 5, GuavaStrategy::kMurmur128Mitz32);
  for (const std::string& key : texts(0, kNumFileKeys)) guava.insert(std::string_view(key));
  const ModuloCells cells = modulo_cells(kNumBits, std::uint64_t{1} << 31U);
  const std::uint64_t heavy_ones = guava.bits().count(0, cells.num_heavy);
  const auto light_ones = guava.bits().count() - heavy_ones;
  const FilterFacts facts = parse_foreign_filter("guava", guava.serialize(), {})->facts();
  CHECK(facts.rate_if_independent == std::pow(cells.pass_rate(heavy_ones, light_ones), 5));
  CHECK(*facts.rate_if_independent != std::pow(facts.fill_ratio(), 5));
  CHECK(*facts.estimated_num_keys == Approx(kNumFileKeys).epsilon(0.02));
}

TEST_CASE("a file with a secret hash has facts without the secret, but no keys can be inserted",
          "[filters]") {
  const test::TempFolder folder;
  const SipHashKey secret(3, 4);
  BloometryFilter filter(
      find_variant("standard").schemes.front().make({.num_bits = 1000, .num_hashes = 3}),
      FilterHash("siphash_2_4_128", std::nullopt, secret), FileHeader{});
  insert(filter, texts(0, 50));
  filter.write(folder / "f");
  const auto looked_at = open_filter(folder / "f", {});
  CHECK(looked_at->facts().key_id.has_value());
  CHECK(test::contains_text(test::message_of<ConfigError>([&] { insert(*looked_at, texts(0, 1)); }),
                            "secret must be given"));
  // The new file must name the same secret as the old file.
  looked_at->write(folder / "g");
  CHECK(test::read_text(folder / "g") == test::read_text(folder / "f"));
  CHECK(num_present(*open_filter(folder / "g", {.secret = secret}), texts(0, 50)) == 50);
  CHECK_THROWS_AS(open_filter(folder / "g", {.secret = SipHashKey(5, 6)}), ConfigError);
}

}  // namespace
}  // namespace bloometry
