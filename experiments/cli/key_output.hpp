#pragma once

#include <string>
#include <string_view>

namespace bloometry {

/// Somebody has read enough of what is written.
struct ClosedPipe {};

/// Records on standard output, as many at a time as are added before each write.
class KeyOutput {
 public:
  /// @param is_text a record ends in a line end, also the last of a file that has none
  void add(std::string_view record, bool is_text);

  /// @throws IoError; ClosedPipe
  void write();

 private:
  std::string text_;
};

}  // namespace bloometry
