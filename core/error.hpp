#pragma once

#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bloometry {

/// One thing that is not possible.
struct Problem {
  std::string field{};  ///< by its name in the API, `num_keys`; empty if it is not about one field
  std::string text{};   ///< what follows the name: `must be in [1, 2^53], got 0`

  [[nodiscard]] std::string line() const { return field.empty() ? text : field + " " + text; }

  friend bool operator==(const Problem&, const Problem&) = default;
};

/// Something that was asked for is not possible: a value, a name, a combination. Thrown at the door
/// (constructors, config parsing), never from insert or contains. The message names field, value
/// and what is allowed: `num_hashes must be in [1, 64], got 0`. A program whose users know a field
/// by another name (an option) finds it in problems().
class ConfigError : public std::invalid_argument {
 public:
  explicit ConfigError(const std::string& message)
      : ConfigError(std::vector<Problem>{{.text = message}}) {}

  ConfigError(std::string field, std::string text)
      : ConfigError(std::vector<Problem>{{.field = std::move(field), .text = std::move(text)}}) {}

  /// Several that were found together; the message separates them by "; ".
  explicit ConfigError(std::vector<Problem> problems)
      : std::invalid_argument(joined(problems)),
        problems_(std::make_shared<const std::vector<Problem>>(std::move(problems))) {}

  [[nodiscard]] const std::vector<Problem>& problems() const noexcept { return *problems_; }

 private:
  static std::string joined(const std::vector<Problem>& problems) {
    std::string text;
    for (const Problem& problem : problems) {
      text += (text.empty() ? "" : "; ") + problem.line();
    }
    return text;
  }

  std::shared_ptr<const std::vector<Problem>> problems_;  // copies of an error must not throw
};

/// Runs checks that throw ConfigError, so that one error can name all that fail.
class ProblemCollector {
 public:
  /// Calls `check` and keeps the problems of a ConfigError that it throws.
  template <class Check>
  void collect(Check&& check) {
    try {
      check();
    } catch (const ConfigError& error) {
      problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
    }
  }

  /// @throws ConfigError with every problem, if there are any.
  void throw_if_any() const {
    if (!problems_.empty()) throw ConfigError(problems_);
  }

 private:
  std::vector<Problem> problems_;
};

/// A file or device did not do what was asked. The message names the file.
class IoError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The requested memory could not be allocated. The message names its size: `cannot allocate 90.9
/// TiB: this machine has 23.4 GiB`.
class MemoryError : public std::bad_alloc {
 public:
  explicit MemoryError(const std::string& message) : message_(message) {}

  [[nodiscard]] const char* what() const noexcept override { return message_.what(); }

 private:
  std::runtime_error message_;  // whose copies do not throw
};

}  // namespace bloometry
