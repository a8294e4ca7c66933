#pragma once

#include <utility>

#include "core/hash/digest.hpp"

namespace bloometry {

/// Marks the constructor of a filter over the cells of another.
struct ViewOfCells {};

/// Inserts into a filter, with all that an insert needs of it by value: in a loop it stays in
/// registers, where members of the filter are loaded again after every insert. Valid as long as the
/// filter, until that is moved or assigned.
template <class View>
class Inserter {
 public:
  explicit Inserter(View view) noexcept : view_(std::move(view)) {}

  /// As the filter's insert.
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
