#pragma once

#include <string>
#include <utility>

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
  /// @param code first word of the server's error, such as OOM; empty if it gave none
  RedisError(RedisFailure failure, const std::string& message, std::string code = {})
      : IoError(message), failure_(failure), code_(std::move(code)) {}

  [[nodiscard]] RedisFailure failure() const noexcept { return failure_; }

  [[nodiscard]] const std::string& code() const noexcept { return code_; }

 private:
  RedisFailure failure_;
  std::string code_;
};

}  // namespace bloometry
