#include "core/hash/key_bytes.hpp"

#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <list>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/hash/key_digest.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace other_library {

struct Point {
  std::int32_t x = 0;
  std::int32_t y = 0;
};

void hash_append(KeyBytes& key, const Point& point) {
  key.append(point.x, point.y);
}

struct Visit {
  std::string url;
  std::vector<Point> clicks;

  friend void hash_append(KeyBytes& key, const Visit& visit) {
    key.append(visit.url, visit.clicks);
  }
};

/// A type that is text for functions of strings, but identifies itself by a number.
struct Name {
  std::string text;
  std::uint64_t id;

  operator std::string_view() const { return text; }
};

void hash_append(KeyBytes& key, const Name& name) {
  key.append(name.id);
}

/// A derived type with a function of its own.
struct Point3 : Point {
  std::int32_t z = 0;
};

void hash_append(KeyBytes& key, const Point3& point) {
  key.append(point.x, point.y, point.z);
}

/// A template, and a type whose function has a parameter by value.
template <class T>
struct Box {
  T content;
};

template <class T>
void hash_append(KeyBytes& key, const Box<T>& box) {
  key.append(box.content);
}

struct Small {
  std::uint8_t number;
};

void hash_append(KeyBytes& key, Small small) {
  key.append(small.number);
}

struct OpenBox : Box<int> {};

struct FarPoint {
  operator Point() const { return {}; }
};

struct Tree {
  std::uint8_t value;
  std::vector<Tree> children;
};

void hash_append(KeyBytes& key, const Tree& tree) {
  key.append(tree.value, tree.children);
}

}  // namespace other_library

namespace {

using namespace std::string_literals;
using other_library::Name;
using other_library::Point;
using other_library::Tree;
using other_library::Visit;

template <class... Fields>
std::string field_bytes(const Fields&... fields) {
  KeyBytes key;
  key.append(fields...);
  return {key.view().data(), key.view().size()};
}

/// The number in eight bytes, least significant byte first.
std::string eight_bytes(std::uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(value >> (8 * i) & 0xffU));
  return bytes;
}

enum class Colour : std::uint16_t { kRed = 0x1234 };
enum class Flag : unsigned char { kSet = 7 };

}  // namespace

TEST_CASE("key_bytes: only a function for exactly the type makes a field", "[core][hash]") {
  using namespace other_library;
  STATIC_REQUIRE(HasHashAppend<Point3>);
  STATIC_REQUIRE(HasHashAppend<Box<int>>);
  STATIC_REQUIRE(HasHashAppend<Small>);
  STATIC_REQUIRE(HasHashAppend<Visit>);
  STATIC_REQUIRE(HasHashAppend<std::pair<int, Point3>>);
  STATIC_REQUIRE_FALSE(HasHashAppend<OpenBox>);
  STATIC_REQUIRE(CallsHashAppend<OpenBox>);
  STATIC_REQUIRE_FALSE(HasHashAppend<FarPoint>);
  STATIC_REQUIRE(CallsHashAppend<FarPoint>);
  STATIC_REQUIRE_FALSE(CallsHashAppend<std::string>);
  CHECK(field_bytes(Point3{{1, 2}, 3}) == field_bytes(1, 2, 3));
  CHECK(field_bytes(Box<int>{5}) == field_bytes(5));
  CHECK(field_bytes(Small{5}) == field_bytes(std::uint8_t{5}));
}

TEST_CASE("key_bytes: an integer is eight bytes whatever the width of its type", "[core][key]") {
  CHECK(field_bytes(std::int16_t{-2}) == eight_bytes(~std::uint64_t{1}));
  CHECK(field_bytes(-2) == field_bytes(std::int64_t{-2}));
  CHECK(field_bytes(0x0807060504030201) == "\1\2\3\4\5\6\7\b");
  CHECK(field_bytes(Colour::kRed) == eight_bytes(0x1234));
}

TEST_CASE("key_bytes: a type of one byte is this byte", "[core][key]") {
  CHECK(field_bytes(true, false, 'a', std::uint8_t{200}, std::int8_t{-1}, std::byte{9},
                    Flag::kSet) == "\1\0a\xc8\xff\x09\7"s);
}

TEST_CASE("key_bytes: equal numbers are equal fields, and all NaNs are one field", "[core][key]") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  CHECK(field_bytes(1.0) == eight_bytes(0x3ff0000000000000));
  CHECK(field_bytes(0.5F) == field_bytes(0.5));
  CHECK(field_bytes(-0.0) == field_bytes(0.0));
  CHECK(field_bytes(-0.0F) == eight_bytes(0));
  CHECK(field_bytes(kNan) == eight_bytes(0x7ff8000000000000));
  CHECK(field_bytes(std::copysign(kNan, -1.0)) == field_bytes(kNan));
  CHECK(field_bytes(std::nan("17")) == field_bytes(kNan));
  CHECK(field_bytes(std::numeric_limits<float>::signaling_NaN()) == field_bytes(kNan));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CHECK(field_bytes(kInfinity) == eight_bytes(0x7ff0000000000000));
  CHECK(field_bytes(-kInfinity) == eight_bytes(0xfff0000000000000));
  CHECK(field_bytes(std::numeric_limits<double>::denorm_min()) == eight_bytes(1));
}

TEST_CASE("key_bytes: the length precedes the text, so fields do not run together", "[core][key]") {
  CHECK(field_bytes("ab"s, std::string_view("c")) == eight_bytes(2) + "ab" + eight_bytes(1) + "c");
  CHECK(field_bytes("ab"s, "c"s) != field_bytes("a"s, "bc"s));
  CHECK(field_bytes(""s, "ab"s) != field_bytes("ab"s, ""s));
  CHECK(field_bytes("a\0b"s) == eight_bytes(3) + "a\0b"s);
  CHECK(field_bytes(std::u8string(u8"ab")) == field_bytes("ab"s));
}

TEST_CASE("key_bytes: the number of elements precedes the elements of a range", "[core][key]") {
  const std::vector<std::string> texts = {"a", "bc"};
  CHECK(field_bytes(texts) == eight_bytes(2) + eight_bytes(1) + "a" + eight_bytes(2) + "bc");
  CHECK(field_bytes(std::list<std::string>(texts.begin(), texts.end())) == field_bytes(texts));
  CHECK(field_bytes(std::vector<int>{}, std::vector<int>{1}) !=
        field_bytes(std::vector<int>{1}, std::vector<int>{}));
  CHECK(field_bytes(std::vector<std::uint8_t>{1, 2}) == eight_bytes(2) + "\1\2");
  CHECK(field_bytes(std::deque<std::uint8_t>{1, 2}) == eight_bytes(2) + "\1\2");
  CHECK(field_bytes(std::vector<bool>{true, false}) == eight_bytes(2) + "\1\0"s);
  CHECK(field_bytes(std::map<int, bool>{{3, true}, {2, false}}) ==
        eight_bytes(2) + eight_bytes(2) + "\0"s + eight_bytes(3) + "\1");
  CHECK(field_bytes(std::set<int>{3, 2}) == field_bytes(std::vector<int>{2, 3}));
}

TEST_CASE("key_bytes: a range of constant size is its elements", "[core][key]") {
  const std::uint16_t numbers[] = {1, 2};
  CHECK(field_bytes(std::array<std::uint8_t, 3>{1, 2, 3}) == "\1\2\3");
  CHECK(field_bytes(numbers) == eight_bytes(1) + eight_bytes(2));
  CHECK(field_bytes(std::span<const std::uint16_t, 2>(numbers)) == field_bytes(numbers));
  CHECK(field_bytes(std::span<const std::uint16_t>(numbers)) ==
        eight_bytes(2) + field_bytes(numbers));
  CHECK(field_bytes(std::array<int, 0>{}).empty());
  CHECK(field_bytes().empty());
}

TEST_CASE("key_bytes: pairs, tuples and optionals are fields", "[core][key]") {
  CHECK(field_bytes(std::pair(1, "a"s), std::tuple(2, true)) == field_bytes(1, "a"s, 2, true));
  CHECK(field_bytes(std::optional<int>()) == "\0"s);
  CHECK(field_bytes(std::optional<int>(5)) == "\1" + eight_bytes(5));
}

TEST_CASE("key_bytes: a struct is the fields that its function appends", "[core][key]") {
  const Visit visit{.url = "/x", .clicks = {{1, 2}, {-1, 0}}};
  const std::string expected = eight_bytes(2) + "/x" + eight_bytes(2) + eight_bytes(1) +
                               eight_bytes(2) + eight_bytes(~std::uint64_t{0}) + eight_bytes(0);
  CHECK(field_bytes(visit) == expected);
  CHECK(field_bytes(visit, std::uint8_t{7}) == expected + "\7");
  CHECK(field_bytes(Name{.text = "a", .id = 5}) == eight_bytes(5));
  CHECK(field_bytes(Tree{1, {{2, {}}, {3, {}}}}) ==
        "\1" + eight_bytes(2) + "\2" + eight_bytes(0) + "\3" + eight_bytes(0));
}

TEST_CASE("key_bytes: the bytes of an object are those in memory", "[core][key]") {
  struct Address {
    std::uint8_t bytes[6];
  };

  KeyBytes key;
  key.append_bytes_of(Address{{1, 2, 3, 4, 5, 6}});
  CHECK(std::string(key.view().data(), key.view().size()) == "\1\2\3\4\5\6");
}

TEST_CASE("key_bytes: a key may have any length", "[core][key]") {
  for (const std::size_t size : {0, 1, 247, 248, 249, 256, 257, 511, 512, 513, 100'000}) {
    const std::string text(size, 'x');
    CHECK(field_bytes(text) == eight_bytes(size) + text);
    CHECK(field_bytes(text, text, 5) ==
          eight_bytes(size) + text + eight_bytes(size) + text + eight_bytes(5));
  }
  std::string expected;
  KeyBytes key;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    key.append(i);
    expected += eight_bytes(i);
  }
  CHECK(std::string(key.view().data(), key.view().size()) == expected);
}

TEST_CASE("key_digest: keys of each kind have the digest of their bytes", "[core][key]") {
  const Xxh3Hasher hasher(7);
  CHECK(digest_of(hasher, "ab") == hasher("ab"));
  CHECK(digest_of(hasher, 5) == hasher(IntegerKey(5).view()));
  CHECK(digest_of(hasher, Point{1, 2}) == hasher(eight_bytes(1) + eight_bytes(2)));
  CHECK(digest_of(hasher, std::pair("a"s, 5)) == hasher(eight_bytes(1) + "a" + eight_bytes(5)));
  CHECK(digest_of(hasher, Name{.text = "a", .id = 5}) == digest_of(hasher, 5));
}

// Files of users contain the positions of these digests. A change of them is an error. The digests
// are those of XXH3_128bits_withSeed for bytes that were composed without the library.
TEST_CASE("key_digest: digests of struct keys never change", "[core][key][golden]") {
  const Xxh3Hasher hasher(1);
  CHECK(digest_of(hasher, Visit{.url = "https://example.org/", .clicks = {{3, -4}}}) ==
        Digest{0x49eb77b0320e98d3, 0x373b7f3da5c0b2e6});
  CHECK(digest_of(hasher, std::tuple(2.5, true, std::optional<int>(), "x"s)) ==
        Digest{0xb4ee8dcc0f2fec5b, 0x68cc69888699d0ad});
}

TEST_CASE("key_digest: the kinds of keys exclude each other", "[core][key]") {
  STATIC_REQUIRE(HasHashAppend<Visit>);
  STATIC_REQUIRE(HasHashAppend<std::pair<int, std::string>>);
  STATIC_REQUIRE_FALSE(HasHashAppend<std::string>);
  STATIC_REQUIRE_FALSE(HasHashAppend<std::uint64_t>);
  STATIC_REQUIRE_FALSE(HasHashAppend<std::vector<Visit>>);
  STATIC_REQUIRE(KeyRange<std::vector<Visit>>);
  STATIC_REQUIRE(KeyRange<std::span<const std::pair<int, int>>>);
  STATIC_REQUIRE_FALSE(KeyRange<std::list<Visit>>);
  STATIC_REQUIRE_FALSE(StructKey<std::vector<Visit>>);
  STATIC_REQUIRE_FALSE(StructKey<std::string>);
  STATIC_REQUIRE_FALSE(StructKey<int>);
}

}  // namespace bloometry
