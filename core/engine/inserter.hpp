#pragma once

#include <utility>

#include "core/hash/digest.hpp"

namespace bloometry {

/// Tag of the constructor that makes a filter over the cells of another filter.
struct ViewOfCells {};

/// Inserts into a filter. It holds by value all members of the filter that an insert needs. In a
/// loop, these values stay in registers, whereas members of the filter are loaded again after every
/// insert. It is valid until the filter is destroyed, moved or assigned.
template <class View>
class Inserter {
 public:
  explicit Inserter(View view) noexcept : view_(std::move(view)) {}

  /// Inserts a key; same as the filter's insert.
  bool insert(const Digest& digest) noexcept { return view_.insert(digest); }

 private:
  View view_;
};

/// A filter with inserter(), which returns an Inserter.
template <class F>
concept HasInserter = requires(F& filter) {
  filter.inserter();
};

}  // namespace bloometry
