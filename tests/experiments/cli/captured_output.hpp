#pragma once

#include <iostream>
#include <sstream>
#include <string>

namespace bloometry::test {

/// Captures the standard output of commands during the lifetime of this object.
class CapturedOutput {
 public:
  CapturedOutput() : kept_(std::cout.rdbuf(text_.rdbuf())) {}

  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

  ~CapturedOutput() { std::cout.rdbuf(kept_); }

  [[nodiscard]] std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::streambuf* kept_;
};

}  // namespace bloometry::test
