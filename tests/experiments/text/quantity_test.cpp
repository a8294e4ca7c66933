#include "experiments/text/quantity.hpp"

#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

namespace bloometry {
namespace {

std::string refusal_of_real(const char* text) {
  return test::message_of<ConfigError>(
      [&] { static_cast<void>(parse_real("-p", "a number", text)); });
}

std::string refusal_of_count(const char* text) {
  return test::message_of<ConfigError>([&] { static_cast<void>(parse_count("-n", text)); });
}

std::string refusal_of_bytes(const char* text) {
  return test::message_of<ConfigError>([&] { static_cast<void>(parse_bytes("--memory", text)); });
}

}  // namespace

TEST_CASE("quantity: memory needs a unit of bytes", "[text]") {
  const std::string allowed =
      "--memory must be bytes in [1, 2^50] with a unit, like 64MB or 64MiB, got ";
  CHECK(refusal_of_bytes("64M") == allowed + "'64M'; write 64MB or 64MiB");
  CHECK(refusal_of_bytes("64Mb") == allowed + "'64Mb'; Mb may mean bits: write MB for bytes");
  CHECK(refusal_of_bytes("0") == allowed + "'0'");
  CHECK(refusal_of_bytes("0MB") == allowed + "'0MB'");
  CHECK(refusal_of_bytes("1025TiB") == allowed + "'1025TiB'");
  CHECK(parse_bytes("--memory", "1024TiB") == std::uint64_t{1} << 50U);
  CHECK_THROWS_WITH(static_cast<void>(parse_bytes("--memory", "8G", ", or -m for cells")),
                    allowed + "'8G'; write 8GB or 8GiB, or -m for cells");
}

TEST_CASE("quantity: the message about a refused text says what is wrong", "[text]") {
  CHECK(
      refusal_of_real("1/0") ==
      "-p must be a number, got '1/0'; both parts of a fraction must be whole numbers, the second "
      "at least 1, as in 1/1000");
  CHECK(refusal_of_real("0,1") ==
        "-p must be a number, got '0,1'; write a real number without commas, as in 0.5 or 9600");
  CHECK(refusal_of_real("1e-400") ==
        "-p must be a number, got '1e-400'; a number must be 0 or at least 4.9e-324");
  CHECK(refusal_of_real("5 %%") == "-p must be a number, got '5 %%'");
  const std::string allowed =
      "-n must be a whole number in [0, 2^53] like 1000000, 1e6 or 1.5M, got ";
  CHECK(refusal_of_count("9007199254740993") == allowed + "'9007199254740993'");
  CHECK(refusal_of_count("1.5") == allowed + "'1.5'");
  CHECK(refusal_of_count("1,00") ==
        allowed +
            "'1,00'; commas must separate groups of three digits of a whole number, as in "
            "1,000,000");
  CHECK_THROWS_WITH(parse_bits("-m", "64Mi"),
                    "-m must be a whole number in [1, 2^53] like 1000000, 1e6 or 1.5M, or bytes "
                    "like 64MiB or 64MB, got '64Mi'");
  for (const char* bad : {"7.5", "-1", "k", "64MiB"}) {
    CHECK_THROWS_WITH(parse_whole("-k", "a whole number in [1, 64]", bad),
                      "-k must be a whole number in [1, 64], got '" + std::string(bad) + "'");
  }
}

TEST_CASE("quantity: sizes are numbers of cells, or bytes with a unit", "[text]") {
  CHECK(parse_bits("-m", "64MiB") == std::uint64_t{64} << 23U);
  CHECK(parse_bits("-m", "1.5 kb") == 12'000);
  CHECK(parse_bits("-m", "64M") == 64'000'000);
  CHECK(parse_size("-m", "64mb").number == 64'000'000);
  CHECK(parse_size("-m", "64mb").is_bytes);
  CHECK_FALSE(parse_size("-m", "64m").is_bytes);
}

TEST_CASE("quantity: a count is at most 2^53", "[text]") {
  CHECK(parse_count("-n", "9007199254740992") == std::uint64_t{1} << 53U);
  CHECK(parse_count("-n", "0") == 0);
  CHECK_THROWS_AS(parse_positive_count("-n", "0"), ConfigError);
  CHECK(parse_bits("-m", "1024TiB") == std::uint64_t{1} << 53U);
  CHECK_THROWS_AS(parse_bits("-m", "1025TiB"), ConfigError);
}

TEST_CASE("quantity: a list with thousands separators is refused", "[text]") {
  using Items = std::vector<std::string>;
  CHECK(split_numbers("-n", "1e5,1e6") == Items{"1e5", "1e6"});
  CHECK(split_numbers("--threads", "1,128", 1) == Items{"1", "128"});
  CHECK(split_numbers("--loads", "0.25,1,2") == Items{"0.25", "1", "2"});
  CHECK(split_numbers("--loads", "0,0.5") == Items{"0", "0.5"});
  CHECK(split_numbers("-n", "1000,2000", 1000) == Items{"1000", "2000"});
  for (const char* bad : {"1,000,000", "1,000", "5, 000", "1e5,1,000", "1,500,025", "1,000.5"}) {
    CAPTURE(bad);
    CHECK(test::message_of<ConfigError>([&] { static_cast<void>(split_numbers("-n", bad)); }) ==
          "-n must be a list without thousands separators, because commas separate its numbers, "
          "got '" +
              std::string(bad) + "'; write 1,000,000 as 1000000 or 1e6");
  }
  CHECK_THROWS_AS(static_cast<void>(split_numbers("-n", "1,500,250", 1000)), ConfigError);
  CHECK(split_numbers("-n", "1,500,250").size() == 3);
}

}  // namespace bloometry
