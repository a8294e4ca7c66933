#pragma once

#include <chrono>

namespace bloometry {

/// Time limits for the connection to a server and for its replies.
struct RedisTimeouts {
  std::chrono::milliseconds connect{2000};
  /// Time limit for one exchange, from the first byte of the commands to the last byte of the
  /// replies.
  std::chrono::milliseconds command{5000};
};

/// Number of attempts to run commands, and delays between the attempts. A client makes a further
/// attempt if the connection is lost or the server is not ready.
struct RetryPolicy {
  unsigned max_attempts = 5;
  std::chrono::milliseconds first_delay{50};
  std::chrono::milliseconds max_delay{1000};
};

/// Policy for clusters. The delays add up to 15 to 31 s, in addition to the time of the 35
/// attempts. With a cluster-node-timeout of 5 s, a failover is complete after 6 to 10 s, before the
/// last attempt. The server's default timeout of 15 s requires more attempts.
inline constexpr RetryPolicy kClusterRetryPolicy{.max_attempts = 35};

/// Counter of the attempts of one call of a client. The delay before attempt i + 1 is drawn from
/// [d/2, d], where d is first_delay 2^(i-1) but at most max_delay. The delays are random, so that
/// many clients do not reconnect at the same moment.
class Attempts {
 public:
  explicit Attempts(const RetryPolicy& policy) noexcept : policy_(policy) {}

  /// Blocks until the next attempt is due and returns true. Returns false if all attempts have been
  /// made.
  [[nodiscard]] bool wait_for_next();

  [[nodiscard]] unsigned num_made() const noexcept { return num_made_; }

 private:
  RetryPolicy policy_;
  unsigned num_made_ = 1;
};

}  // namespace bloometry
