#pragma once

#include <string>
#include <string_view>

namespace bloometry {

/// Thrown when the reader of the output has closed the pipe.
struct ClosedPipe {};

/// Writes records to standard output. One write contains all records added since the last write.
class KeyOutput {
 public:
  /// Adds a record. @param is_text adds a missing line end
  void add(std::string_view record, bool is_text);

  /// Writes the added records. @throws IoError; ClosedPipe
  void write();

 private:
  std::string text_;
};

}  // namespace bloometry
