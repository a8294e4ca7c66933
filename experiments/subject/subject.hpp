#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "experiments/subject/line_process.hpp"
#include "experiments/subject/subject_keys.hpp"

namespace bloometry {

/// Somebody's filter, spoken to by the line protocol of README.md. Items stand for keys.
///
/// Every call throws IoError, in one line, if the subject dies, stalls, answers what the protocol
/// does not allow, or says `error`; SubjectInterrupted if the stop flag is set meanwhile.
class Subject {
 public:
  /// Keys of one request. Small enough that a reply comes often, large enough that waiting for it
  /// costs nothing.
  static constexpr std::size_t kMaxBatch = 4096;

  Subject(const LineProcess::Settings& process, const SubjectKeys& keys)
      : process_(process), keys_(keys) {}

  /// Starts an empty filter for num_keys keys of num_cells cells and num_hashes hashes; the one
  /// before is forgotten. Returns whether the subject can be asked for the fill.
  bool begin(std::uint64_t num_keys, std::uint64_t num_cells, unsigned num_hashes);

  /// Inserts at most kMaxBatch items. Returns false if the filter is full; how many went in is not
  /// known then.
  [[nodiscard]] bool insert(std::span<const std::uint64_t> items);
  /// Puts any number of items into a second filter of the same sizes and merges that into the
  /// first. Returns as insert does.
  [[nodiscard]] bool merge(std::span<const std::uint64_t> items);

  /// '0' or '1' for each item; at most kMaxBatch of them.
  std::string query(std::span<const std::uint64_t> items);
  /// '1' for each item erased, '0' for each refused; at most kMaxBatch of them.
  std::string erase(std::span<const std::uint64_t> items);
  /// Set bits, or counters that are not zero.
  std::uint64_t fill();

  /// Closes the subject's input and waits for its end. No request may follow.
  void finish() { process_.finish(); }

 private:
  /// The answer, which must be `ok` or `other`.
  std::string ok_or(std::string_view other, const std::string& request);
  std::string answers(std::string_view verb, std::span<const std::uint64_t> items);
  std::string request(std::string_view verb, std::span<const std::uint64_t> items) const;

  LineProcess process_;
  SubjectKeys keys_;
};

}  // namespace bloometry
