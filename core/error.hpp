#pragma once

#include <new>
#include <stdexcept>
#include <string>

namespace bloometry {

/// Something that was asked for is not possible: a value, a name, a combination. Thrown at the door
/// (constructors, config parsing), never from insert or contains. The message names field, value
/// and what is allowed: `num_hashes must be in [1, 64], got 0`.
class ConfigError : public std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A file or device did not do what was asked. The message names the file.
class IoError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Memory that was asked for is not to be had. The message names its size: `cannot allocate 90.9
/// TiB: this machine has 23.4 GiB`.
class MemoryError : public std::bad_alloc {
 public:
  explicit MemoryError(const std::string& message) : message_(message) {}

  [[nodiscard]] const char* what() const noexcept override { return message_.what(); }

 private:
  std::runtime_error message_;  // whose copies do not throw
};

}  // namespace bloometry
