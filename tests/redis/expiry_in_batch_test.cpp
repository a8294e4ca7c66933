#include <charconv>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/redis/redis_server.hpp"
#include "tests/redis/filter_under_fault.hpp"
#include "tests/support/catch.hpp"
#include "variants/redis/redis_keys.hpp"

namespace bloometry {
namespace {

using namespace test;

/// Returns the arguments of each command, parsed from the bytes to be sent.
std::vector<std::vector<std::string>> arguments_of(const RedisCommands& commands) {
  std::string_view wire = commands.wire();
  const auto take_number = [&] {
    std::size_t number = 0;
    std::from_chars(wire.data() + 1, wire.data() + wire.size(), number);
    wire.remove_prefix(wire.find("\r\n") + 2);
    return number;
  };
  std::vector<std::vector<std::string>> all;
  while (!wire.empty()) {
    std::vector<std::string>& arguments = all.emplace_back(take_number());
    for (std::string& argument : arguments) {
      const std::size_t size = take_number();
      argument = wire.substr(0, size);
      wire.remove_prefix(size + 2);
    }
  }
  return all;
}

/// A client that makes a key expire in the middle of each batch. The client replaces the first
/// GETBIT of a MULTI by a PEXPIREAT of the key. Redis 7 freezes the time during a MULTI; older
/// servers do not.
class ExpiringClient final : public RedisClient {
 public:
  ExpiringClient(std::shared_ptr<RedisClient> client, std::string expiring_key)
      : client_(std::move(client)), expiring_key_(std::move(expiring_key)) {}

  std::vector<RedisReply> run(std::string_view key, const RedisCommands& commands) override {
    RedisCommands changed;
    bool has_expired = false;
    for (const std::vector<std::string>& arguments : arguments_of(commands)) {
      if (!has_expired && arguments.front() == "GETBIT") {
        has_expired = true;
        changed.add("PEXPIREAT", expiring_key_, 1);  // the reply is 1, as for GETBIT of a member
        continue;
      }
      changed.begin(arguments.size());
      for (const std::string& argument : arguments) changed.argument(argument);
    }
    return client_->run(key, changed);
  }

  [[nodiscard]] std::string name() const override { return client_->name(); }

  [[nodiscard]] bool is_cluster() const noexcept override { return client_->is_cluster(); }

 private:
  std::shared_ptr<RedisClient> client_;
  std::string expiring_key_;
};

TEST_CASE("a bitmap or parameters that expire within a batch are missing", "[redis][faults]") {
  const std::string expiring =
      GENERATE(as<std::string>(), FilterUnderFault::kName, FilterUnderFault::kParameters);
  const std::uint64_t num_shards = GENERATE(1, 3);
  RedisProcess process;
  const auto client = std::make_shared<RedisServer>(process.url());
  const FilterUnderFault here;
  here.load(*client, {.num_shards = num_shards});
  const RedisLocation location = find_in_redis(*client, FilterUnderFault::kName);
  std::string key = expiring;
  if (num_shards > 1) {
    key = location.keys()[0];
    if (expiring == FilterUnderFault::kParameters) key = parameters_key(key);
  }
  CAPTURE(key);
  const Xxh3Hasher hasher(7);
  RedisFilter seen(std::make_shared<ExpiringClient>(client, key), location, hash_call(hasher),
                   {.method = ReadMethod::kGetBit});
  QueriesUnderFault stream(here.members());
  CHECK(stream.query_next_members(seen, 100) == RedisFailure::kMissing);
  CHECK(stream.tally().num_wrong_absent == 0);
  CHECK(client->command(key, RedisCommands().add("EXISTS", key)).view().integer() == 0);
}

TEST_CASE("batches during expiry answer correctly or report a missing filter", "[redis][faults]") {
  RedisProcess process;
  const auto client = std::make_shared<RedisServer>(process.url());
  const FilterUnderFault here;
  QueriesUnderFault stream(here.members());
  for (int round = 0; round < 5; ++round) {
    here.load(*client, {.ttl = std::chrono::milliseconds(40)});
    RedisFilter seen = FilterUnderFault::open(client);
    std::optional<RedisFailure> failure;
    while (!failure) failure = stream.query_next_members(seen, 1000);
    CHECK(failure == RedisFailure::kMissing);
  }
  CHECK(stream.tally().num_answered > 0);
  CHECK(stream.tally().num_wrong_absent == 0);
}

}  // namespace
}  // namespace bloometry
