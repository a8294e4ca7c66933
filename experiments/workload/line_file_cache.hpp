#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "experiments/unit/unit.hpp"
#include "experiments/workload/file_keys.hpp"

namespace bloometry {

/// A cache of the key files of a run and their splits. The cache reads each file once and computes
/// each split once. A LineFileCache is thread-safe.
class LineFileCache {
 public:
  /// Returns the keys of a unit whose source is a file. The file has enough lines, because expand()
  /// checks the number of lines.
  /// @throws IoError if the file cannot be read or has changed since the unit was planned
  [[nodiscard]] FileKeys keys(const Unit& unit);

  /// Throws the same errors as keys(), without computing the split.
  void require(const Unit& unit);

 private:
  using Split = std::shared_ptr<const std::vector<std::uint32_t>>;

  std::shared_ptr<const LineFile> checked_file(const Unit& unit);

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const LineFile>> files_;   // files by path
  std::map<std::pair<std::string, std::uint64_t>, Split> splits_;  // splits by path and split seed
};

}  // namespace bloometry
