#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

  /// The same for a server that is taking over the slot: ASKING stands before each command, or once
  /// before a transaction, for which it holds until EXEC.
  [[nodiscard]] RedisCommands with_asking() const;

  [[nodiscard]] std::string_view wire() const noexcept { return wire_; }

  /// Number of commands, and so of replies.
  [[nodiscard]] std::size_t size() const noexcept { return begins_.size(); }

 private:
  /// The bytes of one command.
  [[nodiscard]] std::string_view wire_of(std::size_t i) const noexcept;

  std::string wire_;
  std::vector<std::size_t> begins_;  // where in wire_ each command begins
};

}  // namespace bloometry
