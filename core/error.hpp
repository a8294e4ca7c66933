#pragma once

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

}  // namespace bloometry
