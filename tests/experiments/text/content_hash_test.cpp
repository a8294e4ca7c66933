#include "experiments/text/content_hash.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("content_hash: prints what xxhsum prints", "[text][golden]") {
  // Origin: `printf '' | xxhsum -H2` and `printf 'bloometry' | xxhsum -H2`, xxhsum 0.8.1.
  REQUIRE(content_hash("") == "99aa06d3014798d86001c324468d497f");
  REQUIRE(content_hash("bloometry") == "aa0404a3795063a7e79fd64e8f1d8110");
}

TEST_CASE("content_hash: bytes in pieces have the hash of the whole", "[text]") {
  std::string bytes;
  for (int i = 0; i < 3000; ++i) bytes += static_cast<char>(i * 7);
  for (const std::size_t size : {1U, 240U, 241U, 1000U, 3000U}) {
    ContentHasher hasher;
    REQUIRE(hasher.text() == content_hash(""));
    for (std::size_t at = 0; at < bytes.size(); at += size) hasher.add(bytes.substr(at, size));
    REQUIRE(hasher.text() == content_hash(bytes));
  }
}

}  // namespace bloometry
