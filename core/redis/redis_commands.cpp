#include "core/redis/redis_commands.hpp"

namespace bloometry {

RedisCommands& RedisCommands::begin(std::size_t num_arguments) {
  wire_.append("*").append(std::to_string(num_arguments)).append("\r\n");
  ++size_;
  return *this;
}

RedisCommands& RedisCommands::argument(std::string_view bytes) {
  wire_.append("$").append(std::to_string(bytes.size())).append("\r\n");
  wire_.append(bytes).append("\r\n");
  return *this;
}

RedisCommands& RedisCommands::append(const RedisCommands& others) {
  wire_ += others.wire_;
  size_ += others.size_;
  return *this;
}

}  // namespace bloometry
