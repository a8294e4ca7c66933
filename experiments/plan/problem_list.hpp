#pragma once

#include <cstddef>
#include <fmt/core.h>
#include <string>
#include <utility>
#include <vector>

#include "experiments/text/printable.hpp"

namespace bloometry {

/// A list of the problems of a config, with one line per problem. The list stores the lines of the
/// first kMaxKept problems and counts the other problems. A file with a million mistakes therefore
/// needs as little memory as a file with twenty mistakes.
class ProblemList {
 public:
  static constexpr std::size_t kMaxKept = 20;

  /// Adds a problem. @param make_line function that returns the line; it is called only if the list
  /// stores the line
  template <class MakeLine>
  void add(MakeLine make_line) {
    if (++size_ <= kMaxKept) kept_.push_back(printable(make_line(), kMaxMessage));
  }

  /// Returns the number of all problems, including those that are not stored.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

  /// Returns the stored lines, followed by `and N more problems` if others were counted.
  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> lines = kept_;
    if (size_ > kept_.size()) {
      lines.push_back(fmt::format("and {} more problems", size_ - kept_.size()));
    }
    return lines;
  }

 private:
  std::vector<std::string> kept_;
  std::size_t size_ = 0;
};

}  // namespace bloometry
