#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace bloometry::test {

/// A filter as the line protocol sees it (experiments/subject/README.md).
class ZooFilter {
 public:
  virtual ~ZooFilter() = default;

  virtual void insert(const std::string& key) = 0;

  /// Refuses further keys.
  [[nodiscard]] virtual bool is_full() const { return false; }

  [[nodiscard]] virtual bool contains(const std::string& key) const = 0;
  /// False: refused. Filters that cannot erase refuse everything.
  virtual bool erase(const std::string& key) = 0;
  /// Takes up what `other`, of the same kind and sizes, holds.
  virtual void merge(const ZooFilter& other) = 0;
  /// Cells that are not zero.
  [[nodiscard]] virtual std::uint64_t num_set() const = 0;
};

struct Sizes {
  std::uint64_t num_keys = 0;
  std::uint64_t num_cells = 0;
  unsigned num_hashes = 0;
};

/// One inhabitant: an honest filter, or a published defect rebuilt from its description.
struct Inhabitant {
  std::string_view name;
  std::string_view published;  ///< its description: owner/repository#number or other source
  std::unique_ptr<ZooFilter> (*make)(const Sizes& sizes);
};

[[nodiscard]] std::span<const Inhabitant> inhabitants();

}  // namespace bloometry::test
