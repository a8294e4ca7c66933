#include <bit>
#include <cstdint>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "core/hash/little_endian.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/interop_vectors.hpp"
#include "tests/support/message_of.hpp"
#include "variants/foreign/dcso/dcso_filter.hpp"

namespace bloometry {
namespace {

// The section of tests/golden/interop_vectors.json contains one file of 191 bits, and the indices
// of its three keys.
const nlohmann::json& vector() {
  return test::interop_vectors().at("dcso_bloom_v1");
}

std::string file() {
  return test::bytes_of_hex(vector().at("file_hex"));
}

DcsoFilter empty_dcso() {
  return DcsoFilter::for_capacity(vector().at("n").get<std::uint64_t>(),
                                  vector().at("p").get<double>());
}

/// Returns the bytes of the file with `value` in header field `field` (0 to 5).
std::string file_with(std::size_t field, std::uint64_t value) {
  std::string bytes;
  append_little_endian(bytes, value);
  return file().replace(8 * field, 8, bytes);
}

std::string dcso_error(const std::string& bytes) {
  return test::message_of<ConfigError>([&] { (void)DcsoFilter::parse(bytes); });
}

/// Returns the share of 20,000 absent keys that test positive after num_keys inserts.
double observed_rate(DcsoFilter filter, int num_keys) {
  for (int i = 0; i < num_keys; ++i) filter.insert("member-" + std::to_string(i));
  int num_false_positives = 0;
  for (int i = 0; i < 20000; ++i)
    num_false_positives += filter.contains("absent-" + std::to_string(i)) ? 1 : 0;
  return num_false_positives / 20000.0;
}

}  // namespace

TEST_CASE("dcso: a filter equals the program's file byte for byte", "[foreign]") {
  DcsoFilter filter = empty_dcso();
  CHECK(filter.num_bits() == vector().at("m").get<std::uint64_t>());
  CHECK(filter.num_hashes() == vector().at("k").get<std::uint64_t>());
  for (const auto& row : vector().at("rows")) {
    CHECK(filter.insert(row.at("key_ascii").get<std::string>()));
    CHECK_FALSE(filter.insert(row.at("key_ascii").get<std::string>()));
  }
  CHECK(filter.num_items() == vector().at("distinct_inserts_N").get<std::uint64_t>());
  CHECK(filter.serialize() == file());
}

TEST_CASE("dcso: the program's file is read", "[foreign]") {
  const auto filter = DcsoFilter::parse(file());
  CHECK(filter.serialize() == file());
  CHECK(filter.num_items() == vector().at("distinct_inserts_N").get<std::uint64_t>());
  CHECK(filter.parameters().false_positive_rate == vector().at("p").get<double>());
  REQUIRE(vector().at("rows").size() == 3);
  for (const auto& row : vector().at("rows")) {
    const auto key = row.at("key_ascii").get<std::string>();
    CHECK(filter.contains(key));
    DcsoFilter one = empty_dcso();
    one.insert(key);
    BitArray<> expected(one.num_bits());
    for (const std::uint64_t i : row.at("indices")) expected.set(i);
    CHECK(one.bits() == expected);
  }
  CHECK_FALSE(filter.contains("absent"));
}

TEST_CASE("dcso: data behind the bits is kept", "[foreign]") {
  const std::string data = std::string("any\0thing", 9);
  auto filter = DcsoFilter::parse(file() + data);
  CHECK(filter.data() == data);
  CHECK(filter.serialize() == file() + data);
  filter.set_data("");
  CHECK(filter.serialize() == file());
}

// The expected sizes are the sizes that `bloom create`, version 0.2.4, computes. dcso_live.sh
// compares more sizes.
TEST_CASE("dcso: sizes equal the program's", "[foreign]") {
  struct Row {
    std::uint64_t capacity;
    double rate;
    std::uint64_t num_bits;
    std::uint64_t num_hashes;
  };

  for (const Row& row : {Row{1, 0.5, 1, 1}, Row{20, 0.01, 191, 7}, Row{100, 0.001, 1437, 10},
                         Row{503, 0.0072973525, 5151, 8}, Row{10'000, 0.01, 95'850, 7},
                         Row{1'000'000, 0.0001, 19'170'116, 14}}) {
    const auto filter = DcsoFilter::for_capacity(row.capacity, row.rate);
    CAPTURE(row.capacity, row.rate);
    CHECK(filter.num_bits() == row.num_bits);
    CHECK(filter.num_hashes() == row.num_hashes);
  }
}

TEST_CASE("dcso: impossible parameters are refused", "[foreign]") {
  const auto error = [](const DcsoFilter::Parameters& parameters) {
    return test::message_of<ConfigError>([&] { (void)DcsoFilter(parameters); });
  };
  CHECK(error({10, 0.01, 7, 96}) == "nothing thrown");
  CHECK(error({10, 0.01, 1075, 96}) == "nothing thrown");
  CHECK(error({0, 0.01, 7, 96}) == "capacity must be at least 1, got 0");
  CHECK(error({10, 0.01, 0, 96}) == "num_hashes must be in [1, 1075], got 0");
  CHECK(error({10, 0.01, 1076, 96}) == "num_hashes must be in [1, 1075], got 1076");
  CHECK(error({10, 0.01, 7, 0}) == "num_bits must be at least 1, got 0");
  for (const double p : {0.0, 1.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK(test::contains_text(error({10, p, 7, 96}),
                              "target_false_positive_rate must be in (0, 1), got "));
    CHECK_THROWS_AS(DcsoFilter::for_capacity(10, p), ConfigError);
  }
  CHECK_THROWS_WITH(DcsoFilter::for_capacity(0, 0.01), "capacity must be at least 1, got 0");
  CHECK_THROWS_WITH(DcsoFilter::for_capacity(1, 0.9), "num_hashes must be in [1, 1075], got 0");
  CHECK(test::contains_text(test::message_of<ConfigError>(
                                [] { (void)DcsoFilter::for_capacity(~std::uint64_t{0}, 0.01); }),
                            "num_bits must be below 2^62, got 17681"));
  CHECK(DcsoFilter::for_capacity(1000, std::numeric_limits<double>::denorm_min()).num_hashes() <=
        DcsoFilter::kMaxHashes);
}

TEST_CASE("dcso: a truncated file of any length is refused", "[foreign]") {
  const std::string bytes = file();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    CHECK_THROWS_AS(DcsoFilter::parse(bytes.substr(0, size)), ConfigError);
  }
  CHECK(dcso_error("") == "dcso file must have at least 48 bytes, got 0");
  CHECK(dcso_error(bytes.substr(0, bytes.size() - 1)) ==
        "dcso file must have an m of at most 128, the number of bits after the header, got 191");
}

TEST_CASE("dcso: a flipped bit is refused or written again", "[foreign]") {
  const std::string bytes = file();
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    CAPTURE(bit);
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    try {
      const auto filter = DcsoFilter::parse(flipped);
      CHECK(filter.serialize() == flipped);
      (void)filter.contains("a");
    } catch (const ConfigError& error) {
      CHECK(test::contains_text(error.what(), "dcso file must "));
    }
  }
}

TEST_CASE("dcso: impossible fields are refused", "[foreign]") {
  CHECK(dcso_error(file_with(0, 2)) == "dcso file must have version 1, got 2");
  CHECK(dcso_error(file_with(0, 257)) == "dcso file must have version 1, got 257");
  CHECK(dcso_error(file_with(1, 0)) == "dcso file must have an n of at least 1, got 0");
  CHECK(dcso_error(file_with(2, std::bit_cast<std::uint64_t>(1.0))) ==
        "dcso file must have a p in (0, 1), got 1");
  CHECK(dcso_error(file_with(3, 0)) == "dcso file must have a k in [1, 1075], got 0");
  // With such a k, a lookup would not end.
  CHECK(dcso_error(file_with(3, std::uint64_t{1} << 62U)) ==
        "dcso file must have a k in [1, 1075], got 4611686018427387904");
  CHECK(dcso_error(file_with(4, 0)) == "dcso file must have an m of at least 1, got 0");
  // A size beyond the input must not cause an allocation.
  for (const std::uint64_t m : {std::uint64_t{193}, std::uint64_t{1} << 50U, ~std::uint64_t{0}}) {
    CHECK(dcso_error(file_with(4, m)) ==
          "dcso file must have an m of at most 192, the number of bits after the header, got " +
              std::to_string(m));
  }
  CHECK(dcso_error(file_with(4, 192)) == "nothing thrown");
  std::string bytes = file();
  bytes.back() = static_cast<char>(bytes.back() | '\x80');
  CHECK(dcso_error(bytes) == "dcso file must not have bits set from bit 191 on, got bit 191");
  CHECK(dcso_error("\x1f\x8b\x08") ==
        "dcso file must not be compressed, got gzip: use gunzip first");
}

TEST_CASE("dcso: a count that contradicts the bits is refused", "[foreign]") {
  const std::uint64_t num_ones = DcsoFilter::parse(file()).bits().count();
  REQUIRE(num_ones == 21);  // of 3 keys with k = 7
  CHECK(dcso_error(file_with(5, 3)) == "nothing thrown");
  // An intersection has bits of keys that it does not contain, and may have no keys.
  for (const std::uint64_t num_items : {0U, 2U}) {
    CHECK(DcsoFilter::parse(file_with(5, num_items)).num_items() == num_items);
  }
  // The function Join of the program adds the counts of filters that may have keys in common.
  for (const std::uint64_t num_items : {num_ones + 1, ~std::uint64_t{0}}) {
    CHECK(DcsoFilter::parse(file_with(5, num_items)).num_items() == num_items);
  }
  std::string bytes = empty_dcso().serialize();
  CHECK(dcso_error(bytes) == "nothing thrown");
  bytes[40] = 9;
  CHECK(dcso_error(bytes) == "dcso file must have an N of 0, because no bit is set, got 9");
}

// Tests the statements of README.md about a defect of the hash. For compatibility, the format must
// keep the defect.
TEST_CASE("dcso: with m a power of two all indices of a key follow from the first", "[foreign]") {
  // Both filters have about 14 bits per key and k = 10. Random indices would give a rate of 0.10 %.
  // Over many filters, the indices of the format give rates of 0.10 % (m = 14377) and 20 %
  // (m = 2^14).
  const double odd = observed_rate(DcsoFilter({1000, 0.001, 10, 14377}), 1000);
  const double power_of_two = observed_rate(DcsoFilter({1142, 0.001, 10, 16384}), 1142);
  CAPTURE(odd, power_of_two);
  CHECK(odd < 0.01);
  CHECK(power_of_two > 0.05);
}

}  // namespace bloometry
