#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bloometry {

/// Commands that are sent together, encoded in the protocol of the server. An argument is any
/// string of bytes.
class RedisCommands {
 public:
  /// Adds a command with its arguments, as in `add("SETBIT", key, 7, 1)`.
  template <class... Args>
  RedisCommands& add(const Args&... args) {
    begin(sizeof...(Args));
    (argument(args), ...);
    return *this;
  }

  /// Begins a command. The caller then adds num_arguments arguments, including the name of the
  /// command, with `argument`.
  RedisCommands& begin(std::size_t num_arguments);
  RedisCommands& argument(std::string_view bytes);

  RedisCommands& argument(std::integral auto number) { return argument(std::to_string(number)); }

  /// Appends all commands of another RedisCommands object.
  RedisCommands& append(const RedisCommands& others);

  /// Returns the commands with ASKING, for a server to which the slot is moving. In a transaction,
  /// the function adds one ASKING before MULTI, which is valid until EXEC. Without a transaction,
  /// the function adds ASKING before each command.
  [[nodiscard]] RedisCommands with_asking() const;

  [[nodiscard]] std::string_view wire() const noexcept { return wire_; }

  /// Returns the number of commands, which is also the number of replies.
  [[nodiscard]] std::size_t size() const noexcept { return begins_.size(); }

 private:
  /// Returns the bytes of command i.
  [[nodiscard]] std::string_view wire_of(std::size_t i) const noexcept;

  std::string wire_;
  std::vector<std::size_t> begins_;  // offsets in wire_ at which the commands begin
};

}  // namespace bloometry
