#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bloometry {

/// Commands that are sent together, in the form in which the server reads them. Arguments are
/// bytes.
class RedisCommands {
 public:
  /// Adds a command: add("SETBIT", key, 7, 1).
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

  /// Appends all commands of another object.
  RedisCommands& append(const RedisCommands& others);

  /// Returns these commands for a server that is taking over the slot. If the commands are a
  /// transaction, ASKING is added once before MULTI and is valid until EXEC. Otherwise ASKING is
  /// added before each command.
  [[nodiscard]] RedisCommands with_asking() const;

  [[nodiscard]] std::string_view wire() const noexcept { return wire_; }

  /// Returns the number of commands, which is also the number of replies.
  [[nodiscard]] std::size_t size() const noexcept { return begins_.size(); }

 private:
  /// Returns the bytes of one command.
  [[nodiscard]] std::string_view wire_of(std::size_t i) const noexcept;

  std::string wire_;
  std::vector<std::size_t> begins_;  // position in wire_ where each command begins
};

}  // namespace bloometry
