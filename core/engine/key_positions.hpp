#pragma once

#include <cstdint>
#include <utility>

#include "core/engine/design.hpp"
#include "core/hash/digest.hpp"

namespace bloometry {
namespace engine {

/// Iterator over the results of next().
template <class Positions>
class PositionIterator {
 public:
  explicit PositionIterator(Positions& positions) noexcept : positions_(&positions) {}

  [[gnu::always_inline]] inline std::uint64_t operator*() const noexcept {
    return positions_->next();
  }

  PositionIterator& operator++() noexcept {
    ++i_;
    return *this;
  }

  friend bool operator==(const PositionIterator& it, unsigned num_hashes) noexcept {
    return it.i_ == num_hashes;
  }

 private:
  Positions* positions_;
  unsigned i_ = 0;
};

}  // namespace engine

/// Range of the positions of one key in the order of the probes. A position is computed when the
/// iterator is dereferenced, and the range can be iterated only once.
template <class Design, class Probes>
class KeyPositions {
 public:
  [[gnu::always_inline]] inline KeyPositions(const Design& /*design*/, const Digest& digest,
                                             std::uint64_t num_cells, unsigned num_hashes) noexcept
      : probes_(digest, num_cells), num_cells_(num_cells), num_hashes_(num_hashes) {}

  [[gnu::always_inline]] inline std::uint64_t next() noexcept { return probes_.next(num_cells_); }

  [[nodiscard]] auto begin() noexcept { return engine::PositionIterator(*this); }

  [[nodiscard]] unsigned end() const noexcept { return num_hashes_; }

 private:
  Probes probes_;
  std::uint64_t num_cells_;
  unsigned num_hashes_;
};

/// Range of the positions of one key for a design that maps words of the scheme to positions
/// (PlacesWords).
template <PlacesWords Design, class Probes>
class KeyPositions<Design, Probes> {
 public:
  KeyPositions(const Design& design, const Digest& digest, std::uint64_t num_cells,
               unsigned num_hashes) noexcept
      : probes_(digest, num_cells), in_order_(design.in_order()), num_hashes_(num_hashes) {}

  std::uint64_t next() noexcept { return in_order_.next(probes_.next_word()); }

  [[nodiscard]] auto begin() noexcept { return engine::PositionIterator(*this); }

  [[nodiscard]] unsigned end() const noexcept { return num_hashes_; }

 private:
  Probes probes_;
  decltype(std::declval<const Design&>().in_order()) in_order_;
  unsigned num_hashes_;
};

}  // namespace bloometry
