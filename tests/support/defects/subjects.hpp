#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace bloometry::test {

/// Interface of a filter for the line protocol (experiments/subject/README.md).
class ZooFilter {
 public:
  virtual ~ZooFilter() = default;

  virtual void insert(const std::string& key) = 0;

  /// Returns whether the filter refuses further keys.
  [[nodiscard]] virtual bool is_full() const { return false; }

  /// Returns whether the filter refused a key of insert(), because the key found no room.
  [[nodiscard]] virtual bool has_refused() const { return false; }

  [[nodiscard]] virtual bool contains(const std::string& key) const = 0;
  /// Erases a key. Returns false if the filter refuses the erase. A filter that cannot erase
  /// refuses every erase.
  virtual bool erase(const std::string& key) = 0;
  /// Adds the contents of `other`, which must have the same kind and sizes.
  virtual void merge(const ZooFilter& other) = 0;
  /// Returns the number of non-zero cells.
  [[nodiscard]] virtual std::uint64_t num_set() const = 0;
};

struct Sizes {
  std::uint64_t num_keys = 0;
  std::uint64_t num_cells = 0;
  unsigned num_hashes = 0;
};

/// An entry of inhabitants(): a correct filter, or a filter with a defect. A published defect is
/// implemented from its description.
struct Inhabitant {
  std::string_view name;
  std::string_view published;  ///< source of the description, such as owner/repository#1, or empty
  std::unique_ptr<ZooFilter> (*make)(const Sizes& sizes);
};

[[nodiscard]] std::span<const Inhabitant> inhabitants();

}  // namespace bloometry::test
