#include "core/hash/key_view.hpp"

#include <array>
#include <string>
#include <string_view>

#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

std::string bytes_of(KeyView key) {
  return {key.data(), key.size()};
}

}  // namespace

TEST_CASE("key_view: strings, views and byte spans of equal bytes are equal keys", "[core][key]") {
  const std::array<std::byte, 2> bytes = {std::byte{'a'}, std::byte{0}};
  const std::string text("a\0", 2);
  CHECK(bytes_of(text) == text);
  CHECK(bytes_of(std::string_view(text)) == text);
  CHECK(bytes_of(std::span<const std::byte>(bytes)) == text);
}

TEST_CASE("key_view: the empty key has size 0 and a valid address", "[core][key]") {
  CHECK(KeyView().size() == 0);
  CHECK(KeyView().data() != nullptr);
  CHECK(bytes_of("") == "");
}

TEST_CASE("integer_key: eight bytes, little-endian, two's complement", "[core][key]") {
  CHECK(bytes_of(IntegerKey(0x0807060504030201).view()) == "\1\2\3\4\5\6\7\b");
  CHECK(bytes_of(IntegerKey(-1).view()) == std::string(8, '\xff'));
  CHECK(bytes_of(IntegerKey(5).view()) == std::string("\5\0\0\0\0\0\0\0", 8));
}

TEST_CASE("integer_key: the width of the type does not matter", "[core][key]") {
  CHECK(bytes_of(IntegerKey(std::int8_t{-2}).view()) ==
        bytes_of(IntegerKey(std::int64_t{-2}).view()));
  CHECK(bytes_of(IntegerKey(std::uint8_t{200}).view()) ==
        bytes_of(IntegerKey(std::uint64_t{200}).view()));
}

}  // namespace bloometry
