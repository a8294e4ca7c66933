#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>

#include "core/filter/filter_state.hpp"
#include "tests/differential/model.hpp"

namespace bloometry::test {

/// A filter broke a guarantee.
class Failure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Takes a literal: there are several checks per key.
inline void require(bool is_right, const char* what) {
  if (!is_right) throw Failure(what);
}

/// All that a life does to a filter, whatever its class. Calls for one key and calls for many are
/// the filter's own. Both filters of a call belong to one class.
class TestedFilter {
 public:
  struct Abilities {
    bool erase = false;
    bool merge = false;
    bool intersect = false;
    bool fold = false;
    bool estimate_count = false;
    bool probe_count = false;
    bool bit_answers = false;
    bool assign = false;  ///< copies have their own memory
  };

  TestedFilter() = default;
  TestedFilter(const TestedFilter&) = delete;
  TestedFilter& operator=(const TestedFilter&) = delete;
  virtual ~TestedFilter() = default;

  [[nodiscard]] virtual Abilities abilities() const = 0;

  virtual bool insert_one(Key key) = 0;
  [[nodiscard]] virtual bool contains_one(Key key) const = 0;
  virtual bool erase_one(Key key) = 0;

  virtual std::uint64_t insert(std::span<const Key> keys) = 0;
  virtual void contains(std::span<const Key> keys, std::span<bool> answers) const = 0;
  virtual void contains(std::span<const Key> keys, std::span<std::uint64_t> answers) const = 0;
  virtual std::uint64_t erase(std::span<const Key> keys) = 0;

  virtual void merge(const TestedFilter& other) = 0;
  virtual void intersect(const TestedFilter& other) = 0;
  [[nodiscard]] virtual std::unique_ptr<TestedFilter> fold(std::uint64_t divisor) const = 0;
  virtual void clear() = 0;

  /// Returns a filter of the same cells in other memory; of borrowed memory without the counts of
  /// what happened to it.
  [[nodiscard]] virtual std::unique_ptr<TestedFilter> copy() const = 0;
  /// The filter's own copy assignment.
  virtual void assign(const TestedFilter& other) = 0;
  virtual void assign_itself() = 0;
  /// Moves the filter out, by construction, and back in, by assignment.
  virtual void move_there_and_back() = 0;
  virtual void swap(TestedFilter& other) = 0;

  [[nodiscard]] virtual FilterState state() const = 0;
  [[nodiscard]] virtual double estimate_count() const = 0;
  /// Returns how many of the key's probes fall on cells above 0.
  [[nodiscard]] virtual unsigned num_set_probes(Key key, unsigned num_hashes) const = 0;
  [[nodiscard]] virtual bool equals(const TestedFilter& other) const = 0;
  /// Returns the memory of all cells; empty if it cannot be reached.
  [[nodiscard]] virtual std::span<const std::uint64_t> words() const = 0;

  /// Requires that unfit borrowed memory is refused, and that nothing wrote past what was lent.
  virtual void check_lending() const {}
};

}  // namespace bloometry::test
