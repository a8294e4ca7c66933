#include "experiments/filter_files/sizes_check.hpp"

#include <string>

#include "core/error.hpp"
#include "experiments/filter_files/foreign_filters.hpp"
#include "experiments/filter_files/open_filter.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temp_folder.hpp"

namespace bloometry {
namespace {

/// Returns a filter of the keys 1 to num_keys.
RedisBitmapFilter filter_of(RedisScheme scheme, const RedisSizes& sizes, int num_keys) {
  RedisBitmapFilter filter(scheme, sizes);
  for (int i = 1; i <= num_keys; ++i) filter.insert(std::to_string(i));
  return filter;
}

}  // namespace

TEST_CASE("sizes_check: the text states what the set bits show", "[filters]") {
  const RedisSizes sizes{.num_bits = 64, .num_hashes = 5};
  CHECK(text_of(check_sizes(filter_of(RedisScheme::kPyrebloom, sizes, 0))) ==
        "m and k could not be checked: these set bits only show that m must be at least 1");
  const FittingBits fitting{.least = 57, .most = 71};
  CHECK(text_of(check_sizes(RedisScheme::kJedis, sizes, fitting)) ==
        "m must be in [57, 71] for these set bits; k could not be checked");
  CHECK(text_of(check_sizes(RedisScheme::kJedis, sizes, {.least = 57, .most = 128})) ==
        "m and k could not be checked: these set bits only show that m must be in [57, 128]");
  CHECK(text_of(check_sizes(RedisScheme::kPhp3, {.num_bits = 8192, .num_hashes = 3},
                            {.least = 57, .most = {}})) ==
        "m could not be checked: these set bits only show that m must be at least 57");
}

TEST_CASE("sizes_check: a file is rejected if its set bits exclude m", "[filters]") {
  const test::TempFolder folder;
  const auto path = folder / "bitmap";
  const RedisBitmapFilter filter =
      filter_of(RedisScheme::kJedis, {.num_bits = 64, .num_hashes = 5}, 8);
  foreign_filter_of(filter)->write(path);
  const auto open = [&](std::uint64_t num_bits) {
    return open_filter(path, {.format = "jedis", .sizes = {.num_bits = num_bits, .num_hashes = 5}});
  };
  CHECK(open(64)->facts().sizes_check == check_sizes(filter));
  const FittingBits fitting = fitting_bits(filter);
  const std::uint64_t most = *fitting.most;
  CHECK(open(most)->facts().sizes_check->fitting == fitting);
  const std::string error =
      test::message_of<ConfigError>([&] { static_cast<void>(open(most + 1)); });
  CHECK(error == path.string() +
                     ": -m must be in [62, 348], because bit 61 is the last of the 31 " +
                     "set bits, got 349 (or the end of the bitmap is missing)");
}

}  // namespace bloometry
