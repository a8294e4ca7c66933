#pragma once

#include <utility>

#include "core/hash/digest.hpp"

namespace bloometry {

/// Tag of the constructor that makes a filter over the cells of another filter.
struct ViewOfCells {};

/// Object that inserts keys into a filter. An Inserter contains copies of the members of the filter
/// that an insert needs. In a loop, the copies stay in registers, whereas the members of the filter
/// would be loaded again after every insert. An Inserter is valid until the filter is destroyed,
/// moved or assigned.
template <class View>
class Inserter {
 public:
  explicit Inserter(View view) noexcept : view_(std::move(view)) {}

  /// Inserts a key as the filter's function `insert` does.
  bool insert(const Digest& digest) noexcept { return view_.insert(digest); }

 private:
  View view_;
};

/// A filter with the function inserter(), which returns an Inserter.
template <class F>
concept HasInserter = requires(F& filter) {
  filter.inserter();
};

}  // namespace bloometry
