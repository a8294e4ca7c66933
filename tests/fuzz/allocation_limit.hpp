#pragma once

#include <cstdint>
#include <utility>

namespace bloometry::fuzz {

/// Number of bytes that every limit includes in addition to a part that depends on the input. The
/// constant covers an error message, three copies of the message, and the rounding of a store to
/// whole cache lines.
inline constexpr std::uint64_t kConstantBytes = 2048;

/// Counts the bytes that this thread allocates by malloc, operator new and anonymous mmap during
/// the lifetime of the object. Aborts the process with a message if more memory was in use than
/// allowed. An excess of more than 1 MiB aborts the process immediately. A smaller excess aborts
/// the process in the destructor. Objects of the class must not be nested.
class AllocationLimit {
 public:
  AllocationLimit(std::uint64_t input_bytes, std::uint64_t most_bytes) noexcept;
  ~AllocationLimit();
  AllocationLimit(const AllocationLimit&) = delete;
  AllocationLimit& operator=(const AllocationLimit&) = delete;
};

/// Returns the result of read(), which may allocate at most most_bytes. The size of the input is
/// input_bytes.
template <class Read>
auto within_limit(std::uint64_t input_bytes, std::uint64_t most_bytes, Read read) {
  const AllocationLimit limit(input_bytes, most_bytes);
  return read();
}

/// The largest values over all previous calls of within_limit.
struct AllocationRecord {
  std::uint64_t largest_bytes = 0;        ///< size in bytes of the largest allocation
  std::uint64_t largest_input_bytes = 0;  ///< size of the input that caused the largest allocation
  std::uint64_t peak_bytes = 0;           ///< maximum number of bytes in use
  std::uint64_t peak_input_bytes = 0;
  std::uint64_t peak_most_bytes = 0;  ///< limit when peak_bytes were in use
};

[[nodiscard]] const AllocationRecord& allocation_record() noexcept;

/// Prints the record in one line: `largest allocation 4096 bytes = 1.0 x its input (4096); ...`.
void print_allocation_record();

}  // namespace bloometry::fuzz
