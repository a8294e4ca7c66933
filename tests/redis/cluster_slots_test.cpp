#include "core/redis/cluster_slots.hpp"

#include <random>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/redis/slot_map.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/interop_vectors.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/redis/redis_keys.hpp"

namespace bloometry {
namespace {

TEST_CASE("cluster_slot: agrees with CLUSTER KEYSLOT", "[redis]") {
  const auto& slots = test::interop_vectors().at("redis_bitmap").at("cluster_keyslot").at("slots");
  REQUIRE(slots.size() == 9);
  for (const auto& [key, slot] : slots.items()) {
    CAPTURE(key);
    CHECK(cluster_slot(key) == slot.get<unsigned>());
  }
}

TEST_CASE("hash_tag: is the text between the first opening brace and the next closing brace",
          "[redis]") {
  CHECK(hash_tag("user:{7}:seen") == "7");
  CHECK(hash_tag("{a}{b}") == "a");
  CHECK(hash_tag("{{a}}") == "{a");
  CHECK(hash_tag("a}{b}") == "b");
  // If the key lacks a pair of braces or the first pair is empty, the whole key determines the
  // slot.
  for (const char* key : {"", "seen", "{}{a}", "{a", "a}", "}{", "{}"}) CHECK(hash_tag(key) == key);
}

/// Returns a random key in which about two in five bytes are braces.
std::string braced_key(std::mt19937_64& random) {
  std::string key(1 + random() % 12, '\0');
  for (char& byte : key) {
    const auto draw = random() % 5;
    byte = draw == 0 ? '{' : draw == 1 ? '}' : static_cast<char>(random() % 256);
  }
  return key;
}

TEST_CASE("keys of a filter are in one slot or are refused", "[redis]") {
  std::mt19937_64 random(test::test_seed());
  int num_accepted = 0;
  int num_refused = 0;
  for (int i = 0; i < 100000; ++i) {
    const std::string key = braced_key(random);
    CAPTURE(key);
    try {
      const std::string loading = loading_key(key, "0123456789abcdef");
      const unsigned slot = cluster_slot(key);
      if (cluster_slot(parameters_key(key)) != slot || cluster_slot(loading) != slot ||
          cluster_slot(loading + ":parameters") != slot) {
        FAIL("not in the slot of its key");
      }
      if (parameters_key(key) == key || loading == key) FAIL("two things under one key");
      ++num_accepted;
    } catch (const ConfigError&) {
      ++num_refused;
    }
  }
  // Names with an empty first pair of braces and names that begin with a closing brace are refused.
  // Some of the drawn names are refused.
  CHECK(num_accepted > num_refused);
  CHECK(num_refused > 0);
}

TEST_CASE("a key without braces is accepted, whatever its bytes", "[redis]") {
  std::mt19937_64 random(test::test_seed() + 1);
  for (int i = 0; i < 10000; ++i) {
    std::string key(1 + random() % 12, '\0');
    for (char& byte : key) byte = static_cast<char>(random() % 256);
    std::erase_if(key, [](char byte) { return byte == '{' || byte == '}'; });
    if (key.empty()) continue;
    CAPTURE(key);
    REQUIRE(cluster_slot(parameters_key(key)) == cluster_slot(key));
  }
}

TEST_CASE("all keys of a shard are in its slot", "[redis]") {
  for (std::uint64_t i = 0; i < 16384; ++i) {
    const std::string shard = shard_key("seen", i, "0123456789abcdef");
    const unsigned slot = cluster_slot(std::to_string(i));
    if (cluster_slot(shard) != slot || cluster_slot(parameters_key(shard)) != slot ||
        cluster_slot(loading_key(shard, "v")) != slot) {
      FAIL("not in the slot of shard " << i);
    }
  }
}

TEST_CASE("parse_redirection: reads MOVED and ASK and nothing else", "[redis]") {
  const auto moved = parse_redirection("MOVED 3999 10.0.0.1:6381", "host");
  REQUIRE(moved);
  CHECK_FALSE(moved->is_for_once);
  CHECK(moved->slot == 3999);
  CHECK(moved->node == NodeAddress{"10.0.0.1", 6381});

  const auto for_once = parse_redirection("ASK 16383 ::1:6381", "host");
  REQUIRE(for_once);
  CHECK(for_once->is_for_once);
  CHECK(for_once->node == NodeAddress{"::1", 6381});

  const auto same_host = parse_redirection("MOVED 0 :6381", "host");
  REQUIRE(same_host);
  CHECK(same_host->node == NodeAddress{"host", 6381});

  for (const char* error :
       {"", "MOVED", "MOVED 3999", "MOVED 16384 a:1", "MOVED x a:1", "MOVED 1 a:65536",
        "MOVED 1 a:", "MOVED 1 a", "ASKING 1 a:1", "ERR MOVED 1 a:1", "ASK -1 a:1"}) {
    CAPTURE(error);
    CHECK_FALSE(parse_redirection(error, "host"));
  }
}

}  // namespace
}  // namespace bloometry
