#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloometry {

/// Commands that are sent together, as the server reads them. Arguments are bytes.
class RedisCommands {
 public:
  /// add("SETBIT", key, 7, 1)
  template <class... Args>
  RedisCommands& add(const Args&... args) {
    begin(sizeof...(Args));
    (argument(args), ...);
    return *this;
  }

  /// Begins a command of which as many arguments follow.
  RedisCommands& begin(std::size_t num_arguments);
  RedisCommands& argument(std::string_view bytes);

  RedisCommands& argument(std::integral auto number) { return argument(std::to_string(number)); }

  /// As if the others had been added here.
  RedisCommands& append(const RedisCommands& others);

  [[nodiscard]] std::string_view wire() const noexcept { return wire_; }

  /// Number of commands, and so of replies.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  std::string wire_;
  std::size_t size_ = 0;
};

}  // namespace bloometry
