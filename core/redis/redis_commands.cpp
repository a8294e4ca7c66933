#include "core/redis/redis_commands.hpp"

namespace bloometry {

RedisCommands& RedisCommands::begin(std::size_t num_arguments) {
  begins_.push_back(wire_.size());
  wire_.append("*").append(std::to_string(num_arguments)).append("\r\n");
  return *this;
}

RedisCommands& RedisCommands::argument(std::string_view bytes) {
  wire_.append("$").append(std::to_string(bytes.size())).append("\r\n");
  wire_.append(bytes).append("\r\n");
  return *this;
}

RedisCommands& RedisCommands::append(const RedisCommands& others) {
  for (const std::size_t begin : others.begins_) begins_.push_back(wire_.size() + begin);
  wire_ += others.wire_;
  return *this;
}

RedisCommands RedisCommands::with_asking() const {
  RedisCommands asking;
  if (wire().starts_with(RedisCommands().add("MULTI").wire())) {
    asking.add("ASKING").append(*this);
    return asking;
  }
  for (std::size_t i = 0; i < size(); ++i) {
    asking.add("ASKING");
    asking.begins_.push_back(asking.wire_.size());
    asking.wire_.append(wire_of(i));
  }
  return asking;
}

std::string_view RedisCommands::wire_of(std::size_t i) const noexcept {
  const std::size_t end = i + 1 < size() ? begins_[i + 1] : wire_.size();
  return wire().substr(begins_[i], end - begins_[i]);
}

}  // namespace bloometry
