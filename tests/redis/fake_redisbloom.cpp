#include "tests/redis/fake_redisbloom.hpp"

#include "core/redis/redis_server.hpp"
#include "tests/redis/redis_process.hpp"
#include "test_folders.hpp"

namespace bloometry::test {
namespace {

std::vector<std::string> arguments_of(std::uint16_t port, const std::vector<std::string>& options) {
  std::vector<std::string> arguments = {"/usr/bin/python3",
                                        std::string(kGoldenFolder) + "/../redis/fake_redisbloom.py",
                                        "--port", std::to_string(port)};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return arguments;
}

}  // namespace

FakeRedisBloom::FakeRedisBloom(const std::vector<std::string>& options)
    : port_(free_port()),
      process_({.arguments = arguments_of(port_, options)}),
      client_(std::make_unique<RedisServer>(
          RedisUrl{.host = "127.0.0.1", .port = port_}, RedisTimeouts{},
          RetryPolicy{.max_attempts = 200, .max_delay = std::chrono::milliseconds(100)})) {
  static_cast<void>(client_->command("", RedisCommands().add("PING")));
}

std::vector<std::string> FakeRedisBloom::keys() {
  const RedisReply reply = client_->command("", RedisCommands().add("KEYS", "*"));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < reply.view().size(); ++i) {
    names.emplace_back(reply.view()[i].text());
  }
  return names;
}

}  // namespace bloometry::test
