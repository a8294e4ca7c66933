#pragma once

#include <string>
#include <string_view>

namespace bloometry {

/// Thrown when the program that reads the output has closed the pipe.
struct ClosedPipe {};

/// Writes records to standard output. One write contains all records that were added since the
/// previous write.
class KeyOutput {
 public:
  /// Adds a record. If `is_text` is true, the function also adds a missing line end.
  void add(std::string_view record, bool is_text);

  /// Writes the added records. Throws IoError or ClosedPipe.
  void write();

 private:
  std::string text_;
};

}  // namespace bloometry
