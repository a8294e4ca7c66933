#include <fmt/core.h>
#include <iostream>

#include "experiments/cli/redis/redis_target.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "variants/redis/redis_load.hpp"
#include "variants/redis/rotating_in_redis.hpp"

namespace bloometry {

int redis_drop_command(const redis_cli::DropOptions& options) {
  const InterruptWatch watch("the filter may have been dropped");
  const auto client = redis_cli::connect(options.target.server);
  const std::string& key = options.target.key;
  const bool rotates = redis_cli::rotates(*client, options.target);
  if (!(rotates ? drop_rotating_from_redis(*client, key) : drop_from_redis(*client, key))) {
    print_message(fmt::format("'{}' is not a filter with parameters and was not dropped", key));
    return kAnswerIsNo;
  }
  std::cout << key << ": dropped\n";
  return kDone;
}

}  // namespace bloometry
