#include "core/redis/redis_url.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

namespace bloometry {
namespace {

TEST_CASE("a URL names host, port, database, user and password", "[redis]") {
  const RedisUrl url = parse_redis_url("redis://me:s%3Acr%40t@example.org:7000/3");
  CHECK(url.host == "example.org");
  CHECK(url.port == 7000);
  CHECK(url.database == 3);
  CHECK(url.user == "me");
  CHECK(url.password == "s:cr@t");
  CHECK(url.name() == "redis://example.org:7000/3");
}

TEST_CASE("missing parts of a URL have defaults", "[redis]") {
  const RedisUrl url = parse_redis_url("redis://localhost");
  CHECK(url.name() == "redis://localhost:6379/0");
  CHECK(url.user.empty());
  CHECK_FALSE(url.password);
  CHECK(parse_redis_url("redis://:secret@localhost").password == "secret");
  CHECK(parse_redis_url("redis://[::1]:7000").host == "::1");
  CHECK(parse_redis_url("redis://[::1]:7000").name() == "redis://[::1]:7000/0");
  CHECK(parse_redis_url("unix:/run/redis.sock?db=2").socket == "/run/redis.sock");
  CHECK(parse_redis_url("unix:/run/redis.sock?db=2").database == 2);
}

TEST_CASE("a URL that is refused does not show its password", "[redis]") {
  for (const char* text :
       {"redis://me:geheim@", "redis://me:geheim@host:99999", "rediss://me:geheim@host",
        "http://me:geheim@host", "redis://me:geheim@host/x", "redis://me:geheim%4@host",
        "redis://me:geheim@[::1", "geheim", ""}) {
    CAPTURE(text);
    const std::string message =
        test::message_of<ConfigError>([&] { static_cast<void>(parse_redis_url(text)); });
    CHECK(message.starts_with("url must "));
    CHECK(message.find("geheim") == std::string::npos);
  }
}

TEST_CASE("a URL of another scheme is refused by its scheme", "[redis]") {
  const auto error_of = [](std::string_view text) {
    return test::message_of<ConfigError>([&] { static_cast<void>(parse_redis_url(text)); });
  };
  CHECK(error_of("http://me:geheim@host") == "url must begin with redis:// or unix:, got http://");
  CHECK(error_of("localhost") == "url must begin with redis:// or unix:, got a text without ://");
  CHECK(error_of("rediss://host")
            .starts_with("url must begin with redis:// or unix:, got rediss://;"));
  CHECK(error_of(std::string_view("redis://a\0b", 11)) == "url must not contain a NUL byte");
}

}  // namespace
}  // namespace bloometry
