#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/requires_cpp20.hpp"

namespace bloometry {

/// An invalid value, or an invalid combination of values.
struct Problem {
  std::string field{};  ///< name in the API, such as `num_keys`; empty for several fields
  std::string text{};   ///< text after the name, such as `must be in [1, 2^53], got 0`

  [[nodiscard]] std::string line() const { return field.empty() ? text : field + " " + text; }

  friend bool operator==(const Problem&, const Problem&) = default;
};

/// Error for an invalid value, name or combination. Constructors and config parsing throw
/// ConfigError. The function `contains` never throws it, and `insert` throws it only for a filter
/// that grows. The message names the field, the value and the allowed values, as in `num_hashes
/// must be in [1, 64], got 0`. The function problems() returns the field separately, for programs
/// that show the field under another name (an option).
class ConfigError : public std::invalid_argument {
 public:
  explicit ConfigError(const std::string& message);

  ConfigError(std::string field, std::string text);

  /// Constructs an error with several problems, which the message joins with semicolons.
  explicit ConfigError(std::vector<Problem> problems);

  [[nodiscard]] const std::vector<Problem>& problems() const noexcept { return *problems_; }

 private:
  std::shared_ptr<const std::vector<Problem>> problems_;  // shared: a copy must not throw
};

/// Runs checks that throw ConfigError, so that one error can name all failed checks.
class ProblemCollector {
 public:
  /// Calls `check`. Keeps the problems of a ConfigError that `check` throws.
  template <class Check>
  void collect(Check&& check) {
    try {
      check();
    } catch (const ConfigError& error) {
      problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
    }
  }

  /// Throws one ConfigError with all problems that collect() kept.
  /// @throws ConfigError if at least one problem was kept.
  void throw_if_any() const {
    if (!problems_.empty()) throw ConfigError(problems_);
  }

 private:
  std::vector<Problem> problems_;
};

/// Error of an insert into a filter that has no room for the key (LimitedFilter). The filter
/// contains the keys that were inserted before this key, and is otherwise unchanged.
class FullError : public std::runtime_error {
 public:
  /// @param num_inserted number of keys that the same call inserted before the key without room
  explicit FullError(std::uint64_t num_inserted);

  [[nodiscard]] std::uint64_t num_inserted() const noexcept { return num_inserted_; }

 private:
  std::uint64_t num_inserted_;
};

/// Error of an operation on a file or device. The message names the file.
class IoError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Error for requested memory that could not be allocated. The message states the size of the
/// requested memory, as in `cannot allocate 90.9 TiB: this machine has 23.4 GiB`.
class MemoryError : public std::bad_alloc {
 public:
  explicit MemoryError(const std::string& message) : message_(message) {}

  [[nodiscard]] const char* what() const noexcept override { return message_.what(); }

 private:
  std::runtime_error message_;  // the copy constructor of runtime_error does not throw
};

}  // namespace bloometry
