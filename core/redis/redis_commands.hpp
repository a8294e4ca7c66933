#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bloometry {

/// Commands that are sent together, in the protocol of the server. Arguments are bytes.
class RedisCommands {
 public:
  /// Adds a command with its arguments, as in `add("SETBIT", key, 7, 1)`.
  template <class... Args>
  RedisCommands& add(const Args&... args) {
    begin(sizeof...(Args));
    (argument(args), ...);
    return *this;
  }

  /// Begins a command with num_arguments arguments. The caller then adds the arguments.
  RedisCommands& begin(std::size_t num_arguments);
  RedisCommands& argument(std::string_view bytes);

  RedisCommands& argument(std::integral auto number) { return argument(std::to_string(number)); }

  /// Appends all commands of another RedisCommands object.
  RedisCommands& append(const RedisCommands& others);

  /// Returns the commands with ASKING, for a server that is taking over the slot. In a transaction,
  /// ASKING is added once before MULTI and is valid until EXEC. Without a transaction, ASKING is
  /// added before each command.
  [[nodiscard]] RedisCommands with_asking() const;

  [[nodiscard]] std::string_view wire() const noexcept { return wire_; }

  /// Returns the number of commands, which is also the number of replies.
  [[nodiscard]] std::size_t size() const noexcept { return begins_.size(); }

 private:
  /// Returns the bytes of command i.
  [[nodiscard]] std::string_view wire_of(std::size_t i) const noexcept;

  std::string wire_;
  std::vector<std::size_t> begins_;  // position in wire_ where each command begins
};

}  // namespace bloometry
