#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "experiments/subject/line_process.hpp"
#include "experiments/subject/subject_keys.hpp"

namespace bloometry {

/// A filter of another program, reached through the line protocol of README.md. Items represent
/// keys.
///
/// Every call throws IoError, in one line, if the subject dies, stalls, replies outside the
/// protocol, or replies `error`. It throws SubjectInterrupted if the stop flag is set meanwhile.
class Subject {
 public:
  /// Maximum number of keys per request: small enough for frequent replies, large enough that
  /// waiting for them does not take noticeable time.
  static constexpr std::size_t kMaxBatch = 4096;

  Subject(const LineProcess::Settings& process, const SubjectKeys& keys)
      : process_(process), keys_(keys) {}

  /// Starts an empty filter for num_keys keys of num_cells cells and num_hashes hashes, and
  /// discards the previous one. Returns whether the subject reports its fill.
  bool begin(std::uint64_t num_keys, std::uint64_t num_cells, unsigned num_hashes);

  /// Inserts at most kMaxBatch items. Returns false if the filter is full; the number of inserted
  /// items is then unknown.
  [[nodiscard]] bool insert(std::span<const std::uint64_t> items);
  /// Puts any number of items into a second filter of the same sizes and merges it into the first.
  /// Returns as insert does.
  [[nodiscard]] bool merge(std::span<const std::uint64_t> items);

  /// Returns '0' or '1' for each item; at most kMaxBatch of them.
  std::string query(std::span<const std::uint64_t> items);
  /// Returns '1' for each erased item, '0' for each refused one; at most kMaxBatch of them.
  std::string erase(std::span<const std::uint64_t> items);
  /// Returns the number of set bits, or of non-zero counters.
  std::uint64_t fill();

  /// Closes the subject's input and waits for its exit. It must be the last call.
  void finish() { process_.finish(); }

 private:
  /// Returns the reply, which must be `ok` or `other`.
  std::string ok_or(std::string_view other, const std::string& request);
  std::string answers(std::string_view verb, std::span<const std::uint64_t> items);
  std::string request(std::string_view verb, std::span<const std::uint64_t> items) const;

  LineProcess process_;
  SubjectKeys keys_;
};

}  // namespace bloometry
