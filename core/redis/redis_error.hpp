#pragma once

#include <string>
#include <utility>

#include "core/error.hpp"

namespace bloometry {

/// Reason why Redis did not execute a request.
enum class RedisFailure {
  kUnreachable,  ///< the connection failed, was lost or was too slow in every attempt
  kRefused,      ///< the server replied with an error, or with an unexpected reply
  kMissing,      ///< the requested object does not exist, or no longer exists
  kChanged,      ///< the object was replaced, or it has lost data
};

/// Error for a request that Redis did not execute, or whose reply is not reliable. The error
/// message contains the server and the key, but never a password.
class RedisError : public IoError {
 public:
  /// Makes an error.
  /// @param code first word of the server's error, such as OOM; empty if the error is unknown
  RedisError(RedisFailure failure, const std::string& message, std::string code = {})
      : IoError(message), failure_(failure), code_(std::move(code)) {}

  [[nodiscard]] RedisFailure failure() const noexcept { return failure_; }

  [[nodiscard]] const std::string& code() const noexcept { return code_; }

 private:
  RedisFailure failure_;
  std::string code_;
};

}  // namespace bloometry
