// Tests the properties that every hash family must have.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/study_hash/all_hashers.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

using namespace std::string_view_literals;

/// Returns keys of every length up to twice the longest block (64 bytes of MD5), and some longer
/// keys. All bytes of a block differ, and some bytes have their high bit set.
std::vector<std::string> keys_of_every_length() {
  std::vector<std::string> keys;
  for (std::size_t size = 0; size <= 300; size += size < 140 ? 1 : 23) {
    std::string key;
    for (std::size_t i = 0; i < size; ++i) key.push_back(static_cast<char>(7 + 37 * i));
    keys.push_back(std::move(key));
  }
  return keys;
}

/// A readable page between two pages that are not readable.
class GuardedPage {
 public:
  GuardedPage() {
    page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* room = mmap(nullptr, 3 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(room != MAP_FAILED);
    room_ = static_cast<char*>(room);
    REQUIRE(mprotect(room_ + page_, page_, PROT_READ | PROT_WRITE) == 0);
  }

  ~GuardedPage() { munmap(room_, 3 * page_); }

  GuardedPage(const GuardedPage&) = delete;
  GuardedPage& operator=(const GuardedPage&) = delete;

  std::string_view at_begin(std::string_view bytes) { return put(room_ + page_, bytes); }

  std::string_view at_end(std::string_view bytes) {
    return put(room_ + 2 * page_ - bytes.size(), bytes);
  }

 private:
  static std::string_view put(char* begin, std::string_view bytes) {
    std::copy(bytes.begin(), bytes.end(), begin);
    return {begin, bytes.size()};
  }

  std::size_t page_ = 0;
  char* room_ = nullptr;
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("hasher: equal keys and seeds give equal digests",
                        "[core][hash][conformance]", AllHashers) {
  CAPTURE(TestType::kName);
  const TestType hasher = hasher_of_seed<TestType>(12345);
  const TestType other = hasher_of_seed<TestType>(12345);
  const TestType copy = hasher;
  for (const std::string& key : keys_of_every_length()) {
    const Digest digest = hasher(key);
    CHECK(hasher(key) == digest);
    CHECK(other(key) == digest);
    CHECK(copy(key) == digest);
  }
}

TEMPLATE_LIST_TEST_CASE("hasher: no seed means seed 0, unless the hasher is secret",
                        "[core][hash][conformance]", AllHashers) {
  CAPTURE(TestType::kName);
  if constexpr (SecretHasher<TestType>) {
    STATIC_REQUIRE_FALSE(std::is_default_constructible_v<TestType>);
    STATIC_REQUIRE_FALSE(std::is_constructible_v<TestType, std::uint64_t>);
    STATIC_REQUIRE_FALSE(std::is_default_constructible_v<typename TestType::Key>);
    STATIC_REQUIRE_FALSE(SeededHasher<TestType>);
  } else {
    CHECK(TestType()("abc") == TestType(0)("abc"));
  }
}

TEMPLATE_LIST_TEST_CASE(
    "hasher: the seed changes both words of every digest if the hasher has a seed",
    "[core][hash][conformance]", AllHashers) {
  CAPTURE(TestType::kName);
  // A strong hash with 64-bit words repeats one of the 32 compared words by chance in less than 1
  // of 10^17 runs.
  for (const std::uint64_t seed : {1ULL, 20261120ULL, 1ULL << 32U, ~0ULL}) {
    for (const std::string_view key : {"a"sv, "abc"sv, "01234567"sv, "0123456789abcdef!"sv}) {
      CAPTURE(seed, key);
      CHECK((hasher_of_seed<TestType>(seed)(key).lo != hasher_of_seed<TestType>(0)(key).lo) ==
            TestType::kIsSeeded);
      CHECK((hasher_of_seed<TestType>(seed)(key).hi != hasher_of_seed<TestType>(0)(key).hi) ==
            TestType::kIsSeeded);
    }
  }
}

TEMPLATE_LIST_TEST_CASE(
    "hasher: the seed changes the digest of the empty key if the hasher has a seed",
    "[core][hash][conformance]", AllHashers) {
  CAPTURE(TestType::kName);
  CHECK((hasher_of_seed<TestType>(1)("") == hasher_of_seed<TestType>(2)("")) ==
        !TestType::kIsSeeded);
}

TEMPLATE_LIST_TEST_CASE("hasher: the empty key needs no memory", "[core][hash][conformance]",
                        AllHashers) {
  CAPTURE(TestType::kName);
  CHECK(hasher_of_seed<TestType>(7)(KeyView()) == hasher_of_seed<TestType>(7)(std::string()));
  CHECK(hasher_of_seed<TestType>(7)(KeyView(std::span<const std::byte>())) ==
        hasher_of_seed<TestType>(7)(KeyView()));
}

TEMPLATE_LIST_TEST_CASE("hasher: NUL bytes change the digest like other bytes",
                        "[core][hash][conformance]", AllHashers) {
  CAPTURE(TestType::kName);
  const TestType hasher = hasher_of_seed<TestType>(7);
  CHECK_FALSE(hasher("a\0b"sv) == hasher("a"));
  CHECK_FALSE(hasher("a\0b"sv) == hasher("a\0c"sv));
  CHECK_FALSE(hasher("a\0"sv) == hasher("a"));
  CHECK_FALSE(hasher("a\0\0"sv) == hasher("a\0"sv));
}

TEMPLATE_LIST_TEST_CASE("hasher: reads all bytes of the key and none outside it",
                        "[core][hash][conformance]", AllHashers) {
  CAPTURE(TestType::kName);
  const TestType hasher = hasher_of_seed<TestType>(7);
  GuardedPage page;
  for (const std::string& key : keys_of_every_length()) {
    CAPTURE(key.size());
    const Digest digest = hasher(key);
    CHECK(hasher(page.at_begin(key)) == digest);
    CHECK(hasher(page.at_end(key)) == digest);  // a read past the end ends the test program
  }
}

TEMPLATE_LIST_TEST_CASE("hasher: every byte of a key changes the digest, except in weak families",
                        "[core][hash][conformance]", StrongHashers) {
  CAPTURE(TestType::kName);
  const TestType hasher = hasher_of_seed<TestType>(7);
  for (std::string key : keys_of_every_length()) {
    const Digest digest = hasher(key);
    for (std::size_t i = 0; i < key.size(); ++i) {
      CAPTURE(key.size(), i);
      key[i] = static_cast<char>(key[i] ^ 1);
      CHECK_FALSE(hasher(key) == digest);
      key[i] = static_cast<char>(key[i] ^ 1);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("hasher: digests do not depend on the key's alignment",
                        "[core][hash][conformance]", AllHashers) {
  CAPTURE(TestType::kName);
  const TestType hasher = hasher_of_seed<TestType>(7);
  for (const std::string& key : keys_of_every_length()) {
    for (std::size_t offset = 1; offset < 16; ++offset) {
      const std::string room = std::string(offset, '#') + key;
      CAPTURE(key.size(), offset);
      CHECK(hasher(std::string_view(room).substr(offset)) == hasher(key));
    }
  }
}

}  // namespace bloometry
