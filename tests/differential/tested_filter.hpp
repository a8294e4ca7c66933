#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>

#include "core/contract/filter_state.hpp"
#include "core/contract/insertion.hpp"
#include "tests/differential/model.hpp"

namespace bloometry::test {

/// The exception that is thrown if a filter violates a guarantee.
class Failure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws Failure unless is_right. The message `what` is a string literal, so that a passed check
/// does not allocate.
inline void require(bool is_right, const char* what) {
  if (!is_right) throw Failure(what);
}

/// Interface to a filter of any class, for the operations of a sequence. Each operation calls the
/// filter's own function for one key or for a batch. A filter that is passed as an argument must
/// have the same class.
class TestedFilter {
 public:
  struct Abilities {
    bool erase = false;
    bool merge = false;
    bool intersect = false;
    bool fold = false;
    bool tick = false;
    bool estimate_count = false;
    bool probe_count = false;
    bool bit_answers = false;
    bool assign = false;  ///< whether copies have their own memory
  };

  TestedFilter() = default;
  TestedFilter(const TestedFilter&) = delete;
  TestedFilter& operator=(const TestedFilter&) = delete;
  virtual ~TestedFilter() = default;

  [[nodiscard]] virtual Abilities abilities() const = 0;

  virtual Insertion insert_one(Key key) = 0;
  [[nodiscard]] virtual bool contains_one(Key key) const = 0;
  virtual bool erase_one(Key key) = 0;

  /// Inserts the keys, up to the first key for which a limited filter has no room.
  virtual InsertCount insert(std::span<const Key> keys) = 0;
  virtual void contains(std::span<const Key> keys, std::span<bool> answers) const = 0;
  virtual void contains(std::span<const Key> keys, std::span<std::uint64_t> answers) const = 0;
  virtual std::uint64_t erase(std::span<const Key> keys) = 0;

  virtual void merge(const TestedFilter& other) = 0;
  virtual void intersect(const TestedFilter& other) = 0;
  [[nodiscard]] virtual std::unique_ptr<TestedFilter> fold(std::uint64_t divisor) const = 0;
  virtual void clear() = 0;
  virtual void tick() = 0;

  /// Returns a filter with the same cells in its own memory. If the filter borrows its memory, the
  /// counts of past events are not copied.
  [[nodiscard]] virtual std::unique_ptr<TestedFilter> copy() const = 0;
  /// Calls the filter's own copy assignment.
  virtual void assign(const TestedFilter& other) = 0;
  virtual void assign_itself() = 0;
  /// Moves the filter out by construction and back by assignment.
  virtual void move_there_and_back() = 0;
  virtual void swap(TestedFilter& other) = 0;

  [[nodiscard]] virtual FilterState state() const = 0;
  [[nodiscard]] virtual double estimate_count() const = 0;
  /// Returns how many of the key's probes fall on non-zero cells.
  [[nodiscard]] virtual unsigned num_set_probes(Key key, unsigned num_hashes) const = 0;
  [[nodiscard]] virtual bool equals(const TestedFilter& other) const = 0;
  /// Returns the memory of all cells, or an empty span if the memory is not accessible.
  [[nodiscard]] virtual std::span<const std::uint64_t> words() const = 0;

  /// Requires that the class refuses unsuitable borrowed memory, and that the filter did not write
  /// outside its borrowed memory.
  virtual void check_lending() const {}
};

}  // namespace bloometry::test
