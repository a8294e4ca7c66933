#pragma once

#include <string>

#include "core/error.hpp"

namespace bloometry {

/// Why Redis gave no answer.
enum class RedisFailure {
  kUnreachable,  ///< no connection, or it was lost or too slow, in every attempt
  kRefused,      ///< the server replied with an error
  kMissing,      ///< what was asked for is not there, or no longer
  kChanged,      ///< it is another one than before
};

/// Redis did not do what was asked, or something that cannot be relied on. The message names the
/// server and the key, never a password.
class RedisError : public IoError {
 public:
  RedisError(RedisFailure failure, const std::string& message)
      : IoError(message), failure_(failure) {}

  [[nodiscard]] RedisFailure failure() const noexcept { return failure_; }

 private:
  RedisFailure failure_;
};

}  // namespace bloometry
