#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/interop_vectors.hpp"
#include "tests/variants/foreign/redisbloom_scan.hpp"
#include "variants/foreign/redisbloom/redisbloom_filter.hpp"

namespace bloometry {
namespace {

// tests/golden/interop_vectors.json, section redisbloom.
const nlohmann::json& vectors() {
  return test::interop_vectors().at("redisbloom").at("filters");
}

const nlohmann::json& vector_named(const std::string& name) {
  const auto& all = vectors();
  return *std::find_if(all.begin(), all.end(), [&](const auto& v) { return v.at("name") == name; });
}

/// Returns the keys that the field "keys" of a vector describes, or an empty list if the field is
/// missing.
std::vector<std::string> redisbloom_keys(const nlohmann::json& vector) {
  std::vector<std::string> keys;
  if (!vector.contains("keys")) return keys;
  const auto text = vector.at("keys").get<std::string>();
  if (text == "all") {
    for (const auto& key : test::interop_vectors().at("keys")) {
      keys.push_back(test::bytes_of_hex(key.at("hex")));
    }
    return keys;
  }
  const int last = std::stoi(text.substr(text.rfind('-') + 1));
  for (int i = 0; i <= last; ++i) keys.push_back("item-" + std::to_string(i));
  return keys;
}

RedisBloomFilter empty_redisbloom_of(const nlohmann::json& vector) {
  return RedisBloomFilter::for_capacity(vector.at("capacity").get<std::uint64_t>(),
                                        vector.at("error_rate").get<double>(),
                                        {.expansion = vector.at("expansion").get<std::uint32_t>(),
                                         .is_scaling = !vector.at("nonscaling").get<bool>()});
}

std::vector<RedisBloomChunk> chunks_of(const nlohmann::json& vector) {
  std::vector<RedisBloomChunk> chunks = {{1, test::bytes_of_hex(vector.at("header_hex"))}};
  for (const auto& chunk : vector.at("chunks")) {
    chunks.push_back(
        {chunk.at("iter").get<std::int64_t>(), test::bytes_of_hex(chunk.at("data_hex"))});
  }
  return chunks;
}

std::string joined_data(const std::vector<RedisBloomChunk>& chunks) {
  std::string bytes;
  for (const auto& chunk : chunks) bytes += chunk.data;
  return bytes;
}

std::string ratio_of(const RedisBloomShape& shape) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", shape.error_rate);
  return text.data();
}

/// Returns the lines that BF.DEBUG prints for a filter.
std::vector<std::string> debug_lines(const RedisBloomFilter& filter) {
  std::vector<std::string> lines = {"size:" + std::to_string(filter.num_items())};
  for (const auto& link : filter.links()) {
    const RedisBloomShape& shape = link.shape();
    lines.push_back("bytes:" + std::to_string(shape.num_bytes()) + " bits:" +
                    std::to_string(shape.num_bits) + " hashes:" + std::to_string(shape.num_hashes) +
                    " hashwidth:64 capacity:" + std::to_string(shape.capacity) +
                    " size:" + std::to_string(link.num_items()) + " ratio:" + ratio_of(shape));
  }
  return lines;
}

}  // namespace

TEST_CASE("redisbloom: every listed filter equals the server's byte for byte", "[foreign]") {
  REQUIRE(vectors().size() == 6);
  for (const auto& vector : vectors()) {
    CAPTURE(vector.at("name").get<std::string>());
    RedisBloomFilter filter = empty_redisbloom_of(vector);
    std::vector<int> replies;
    for (const std::string& key : redisbloom_keys(vector)) {
      replies.push_back(static_cast<int>(filter.insert(key)));
    }
    CHECK(replies == vector.at("add_replies").get<std::vector<int>>());
    CHECK(filter.num_items() == vector.at("bf_card").get<std::uint64_t>());
    const auto expected = chunks_of(vector);
    const auto chunks = test::scan(filter);
    REQUIRE(chunks.size() == expected.size());
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      CAPTURE(i);
      CHECK(chunks[i].iterator == expected[i].iterator);
      CHECK(chunks[i].data == expected[i].data);
    }
    CHECK(filter.serialize() == joined_data(expected));
  }
}

TEST_CASE("redisbloom: every listed filter is read", "[foreign]") {
  for (const auto& vector : vectors()) {
    CAPTURE(vector.at("name").get<std::string>());
    const auto chunks = chunks_of(vector);
    const auto filter = RedisBloomFilter::load(chunks);
    CHECK(filter.serialize() == joined_data(chunks));
    CHECK(RedisBloomFilter::parse(filter.serialize()).serialize() == filter.serialize());
    const auto keys = redisbloom_keys(vector);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      // The reply -2 means "not inserted, because the filter is full".
      if (vector.at("add_replies")[i].get<int>() >= 0) CHECK(filter.contains(keys[i]));
    }
    CHECK(debug_lines(filter) == vector.at("bf_debug").get<std::vector<std::string>>());
    CHECK(filter.options().expansion == vector.at("expansion").get<std::uint32_t>());
  }
}

TEST_CASE("redisbloom: the indices of every key equal the vectors", "[foreign]") {
  const auto& vector = vector_named("scaling_one_link");
  RedisBloomFilter filter = empty_redisbloom_of(vector);
  const std::uint64_t num_bits = filter.links()[0].shape().num_bits;
  REQUIRE(vector.at("hash_pairs").size() == 23);
  for (const auto& row : vector.at("hash_pairs")) {
    CAPTURE(test::text_of(row));
    RedisBloomFilter one = empty_redisbloom_of(vector);
    one.insert(test::interop_keys().at(row.at("key").get<std::string>()));
    BitArray<> expected(num_bits);
    for (const std::uint64_t i : row.at("indices")) expected.set(i);
    CHECK(one.links()[0].bits() == expected);
  }
}

TEST_CASE("redisbloom: a filter in several chunks has the server's iterators", "[foreign]") {
  const auto& vector = test::interop_vectors().at("redisbloom").at("multi_chunk");
  auto filter = RedisBloomFilter::for_capacity(20'000'000, 0.001, {.is_scaling = false});
  filter.insert("x");
  const auto chunks = test::scan(filter);
  CHECK(chunks[0].data == test::bytes_of_hex(vector.at("header_hex")));
  const auto& expected = vector.at("chunk_iters_and_lengths");
  REQUIRE(chunks.size() == 1 + expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(chunks[i + 1].iterator == expected[i][0].get<std::int64_t>());
    CHECK(chunks[i + 1].data.size() == expected[i][1].get<std::size_t>());
  }
  CHECK(RedisBloomFilter::load(chunks).contains("x"));
}

TEST_CASE("redisbloom: a filter read from a dump grows like the original", "[foreign]") {
  const auto& vector = vector_named("grows_to_four_links");
  const auto keys = redisbloom_keys(vector);
  for (const std::size_t half : {std::size_t{0}, std::size_t{11}, std::size_t{40}}) {
    RedisBloomFilter filter = empty_redisbloom_of(vector);
    for (std::size_t i = 0; i < half; ++i) filter.insert(keys[i]);
    auto copy = RedisBloomFilter::parse(filter.serialize());
    for (std::size_t i = half; i < keys.size(); ++i) copy.insert(keys[i]);
    CHECK(copy.serialize() == joined_data(chunks_of(vector)));
  }
}

TEST_CASE("redisbloom: the example in the README works", "[foreign]") {
  auto filter = RedisBloomFilter::for_capacity(10, 0.01);
  filter.insert("a");
  filter.insert("hello");
  CHECK(filter.serialize() ==
        test::bytes_of_hex("0200000000000000010000000500000002000000"
                           "100000000000000080000000000000000200000000000000"
                           "7b14ae47e17a743fe9862fb2350e2640080000000a0000000000000000"
                           "2204200a001200200060008002000300"));
}

}  // namespace bloometry
