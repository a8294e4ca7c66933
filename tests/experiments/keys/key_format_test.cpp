#include "experiments/keys/key_format.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

TEST_CASE("key formats are read by name", "[keys]") {
  CHECK(parse_key_format("lines").kind == KeyFormat::Kind::kLines);
  CHECK(parse_key_format("u64le").kind == KeyFormat::Kind::kU64le);
  CHECK(parse_key_format("u64be").kind == KeyFormat::Kind::kU64be);
  for (const char* name : {"lines", "hex", "base64", "u32le", "u32be", "u64le", "u64be"}) {
    CHECK(name_of(parse_key_format(name).kind) == name);
  }
  CHECK(name_of(parse_key_format("csv:1").kind) == "csv");
  CHECK(parse_key_format("u32be").integer_bytes() == 4);
  CHECK(parse_key_format("u64le").integer_bytes() == 8);
  CHECK_FALSE(parse_key_format("hex").is_binary());
  const KeyFormat numbered = parse_key_format("csv:12");
  CHECK(numbered.kind == KeyFormat::Kind::kCsv);
  CHECK(numbered.column == 12);
  CHECK(numbered.column_name.empty());
  const KeyFormat named = parse_key_format("csv:12th, of all");
  CHECK(named.column == 0);
  CHECK(named.column_name == "12th, of all");
}

TEST_CASE("other key formats are refused", "[keys]") {
  for (const char* text : {"", "line", "csv", "csv:", "csv:0", "u64", "u16le", "HEX", "base32"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_key_format(text), ConfigError);
  }
}

}  // namespace
}  // namespace bloometry
