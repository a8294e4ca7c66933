#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "experiments/subject/line_process.hpp"
#include "experiments/subject/subject_keys.hpp"

namespace bloometry {

/// A filter of another program, used through the line protocol of README.md. Items are the numbers
/// of keys.
///
/// Every call throws IoError, in one line, if the subject exits, stalls, violates the protocol, or
/// replies `error`. It throws SubjectInterrupted if the stop flag is set during the call.
class Subject {
 public:
  /// Maximum number of keys per request. It is small enough for frequent replies, and large enough
  /// that the time of waiting for them is negligible.
  static constexpr std::size_t kMaxBatch = 4096;

  Subject(const LineProcess::Settings& process, const SubjectKeys& keys)
      : process_(process), keys_(keys) {}

  /// Starts an empty filter for num_keys keys of num_cells cells and num_hashes hashes, and
  /// discards the previous one. Returns whether the subject reports its fill.
  bool begin(std::uint64_t num_keys, std::uint64_t num_cells, unsigned num_hashes);

  /// Inserts at most kMaxBatch items. Returns false if the filter is full; the number of inserted
  /// items is then unknown.
  [[nodiscard]] bool insert(std::span<const std::uint64_t> items);
  /// Inserts any number of items into a second filter of the same sizes and merges it into the
  /// first. Returns false if the subject is full, as insert() does.
  [[nodiscard]] bool merge(std::span<const std::uint64_t> items);

  /// Returns '1' for each item reported present and '0' for the others. There may be at most
  /// kMaxBatch items.
  std::string query(std::span<const std::uint64_t> items);
  /// Returns '1' for each erased item and '0' for each refused one. There may be at most kMaxBatch
  /// items.
  std::string erase(std::span<const std::uint64_t> items);
  /// Returns the number of set bits, or of non-zero counters.
  std::uint64_t fill();

  /// Closes the subject's input and waits for its exit. It must be the last call.
  void finish() { process_.finish(); }

 private:
  /// Returns the reply, which must be `ok` or the text `other`.
  std::string ok_or(std::string_view other, const std::string& request);
  std::string answers(std::string_view verb, std::span<const std::uint64_t> items);
  std::string request(std::string_view verb, std::span<const std::uint64_t> items) const;

  LineProcess process_;
  SubjectKeys keys_;
};

}  // namespace bloometry
