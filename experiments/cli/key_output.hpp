#pragma once

#include <string>
#include <string_view>

namespace bloometry {

/// Thrown when the reader of the output has closed the pipe.
struct ClosedPipe {};

/// Writes records to standard output, as many at a time as are added before each write.
class KeyOutput {
 public:
  /// @param is_text a record ends in a line end, which is added to the last one if it is missing
  void add(std::string_view record, bool is_text);

  /// @throws IoError; ClosedPipe
  void write();

 private:
  std::string text_;
};

}  // namespace bloometry
