#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "experiments/subject/line_process.hpp"
#include "experiments/subject/subject_keys.hpp"

namespace bloometry {

/// A filter of another program that uses the line protocol of README.md. The items are the item
/// numbers of keys (experiments/workload/synthetic_keys.hpp).
///
/// Every call throws IoError with a message of one line if the subject exits, stalls, violates the
/// protocol, or replies `error`. A call throws SubjectInterrupted if the stop flag is set during
/// the call.
class Subject {
 public:
  /// Maximum number of keys per request. The number is small enough for frequent replies and large
  /// enough for a negligible waiting time per key.
  static constexpr std::size_t kMaxBatch = 4096;

  Subject(const LineProcess::Settings& process, const SubjectKeys& keys)
      : process_(process), keys_(keys) {}

  /// Starts an empty filter for num_keys keys with num_cells cells and num_hashes hashes. Discards
  /// the previous filter. Returns whether the subject reports its fill.
  bool begin(std::uint64_t num_keys, std::uint64_t num_cells, unsigned num_hashes);

  /// Inserts at most kMaxBatch items. Returns false if the filter is full; the number of inserted
  /// items is then unknown.
  [[nodiscard]] bool insert(std::span<const std::uint64_t> items);
  /// Inserts any number of items into a second filter of the same sizes. Merges the second filter
  /// into the first filter. Returns false if the filter is full.
  [[nodiscard]] bool merge(std::span<const std::uint64_t> items);

  /// Queries at most kMaxBatch items. Returns '1' for each item that is reported as present and '0'
  /// for each other item.
  std::string query(std::span<const std::uint64_t> items);
  /// Erases at most kMaxBatch items. Returns '1' for each erased item and '0' for each refused
  /// item.
  std::string erase(std::span<const std::uint64_t> items);
  /// Returns the number of set bits, or of non-zero counters, that the subject reports.
  std::uint64_t fill();

  /// Closes the subject's input and waits for the subject's exit. The call of finish() must be the
  /// last call.
  void finish() { process_.finish(); }

 private:
  /// Sends the request and returns the reply, which must be `ok` or the string `other`.
  std::string ok_or(std::string_view other, const std::string& request);
  std::string answers(std::string_view verb, std::span<const std::uint64_t> items);
  std::string request(std::string_view verb, std::span<const std::uint64_t> items) const;

  LineProcess process_;
  SubjectKeys keys_;
};

}  // namespace bloometry
