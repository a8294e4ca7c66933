#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "variants/redis/rotating_parameters.hpp"

namespace bloometry {

/// A generation that was created.
struct RedisGeneration {
  std::uint64_t number = 0;       ///< time at which it began, divided by the generation time
  std::uint64_t num_inserts = 0;  ///< number of inserts into it, repeated ones included

  friend bool operator==(const RedisGeneration&, const RedisGeneration&) = default;
};

/// The fields of a rotating filter that every insert changes.
struct RotatingState {
  std::uint64_t num_updates = 0;  ///< number of inserts since the filter was created
  /// The generations that were created and had not expired at the last insert, and in any case the
  /// newest one. They are in the order of their numbers. A generation is created by its first
  /// insert.
  std::vector<RedisGeneration> created{};

  /// Returns the number of the newest generation that was ever created, or 0 if none was.
  [[nodiscard]] std::uint64_t newest() const noexcept {
    return created.empty() ? 0 : created.back().number;
  }

  /// Returns the generations that have not expired at the given time, newest first.
  [[nodiscard]] std::vector<RedisGeneration> live_at(std::uint64_t time_ms,
                                                     const RotatingParameters& parameters) const;
};

/// Parses the fields `updates` and `created`. The text of `created` is a list like
/// `1789:250 1790:12` of numbers and inserts. A script has checked state_checksum.
/// @throws ConfigError if a field is missing or invalid
[[nodiscard]] RotatingState parse_rotating_state(const RedisFields& fields,
                                                 const RotatingParameters& parameters);

}  // namespace bloometry
