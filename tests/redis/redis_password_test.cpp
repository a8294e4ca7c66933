#include <string>

#include "core/redis/connect_redis.hpp"
#include "core/redis/redis_error.hpp"
#include "tests/redis/redis_process.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

namespace bloometry {
namespace {

std::string refusal(const test::RedisProcess& server, const std::string& password) {
  RedisUrl url = server.url();
  url.password = password;
  return test::message_of<RedisError>([&] { static_cast<void>(connect_redis(url)); });
}

TEST_CASE("a refused password is not in the message", "[redis]") {
  SECTION("from a server with another password") {
    const test::RedisProcess server({"--requirepass", "right"});
    const std::string message = refusal(server, "geheim");
    CHECK(message.find("WRONGPASS") != std::string::npos);
    CHECK(message.find("geheim") == std::string::npos);
  }
  SECTION("from a server without AUTH, which repeats unknown commands") {
    const test::RedisProcess server({"--rename-command", "AUTH", ""});
    const std::string message = refusal(server, "geheim");
    CHECK(message.find("unknown command 'AUTH'") != std::string::npos);
    CHECK(message.find("geheim") == std::string::npos);
    const std::string of_long = refusal(server, std::string(300, 'p'));
    CHECK(of_long.find("unknown command 'AUTH'") != std::string::npos);
    CHECK(of_long.find("ppp") == std::string::npos);
  }
}

}  // namespace
}  // namespace bloometry
