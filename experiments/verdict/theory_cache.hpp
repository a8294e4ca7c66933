#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/filter/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/theory/fill_law.hpp"
#include "core/theory/prediction.hpp"

namespace bloometry {

/// The input for the theory of a row: a filter and the number of distinct keys in it.
struct TheoryPoint {
  std::string variant{};
  FilterSpec spec{};  ///< point_spec of a unit
  ProbeModel model = ProbeModel::kWithReplacement;
  std::uint64_t num_keys = 0;

  /// Orders by the fields that point_spec sets. Laws of one m are then adjacent and in the order in
  /// which they are cheap (core/theory/fill_law.hpp). That is by their throws in model W, otherwise
  /// by k and n.
  friend bool operator<(const TheoryPoint& a, const TheoryPoint& b);
};

/// Caches the theory of points that many rows share (trials, key sources), so that each distinct
/// point is computed once. Not safe for concurrent use.
class TheoryCache {
 public:
  /// Returns the prediction of a point. The reference is valid as long as the cache.
  const Prediction& prediction(const TheoryPoint& point);

  /// Returns the law of the fill; nothing if it is unknown.
  const std::optional<theory::FillLaw>& fill_law(const TheoryPoint& point);

 private:
  struct Entry {
    std::optional<Prediction> prediction;
    std::optional<std::optional<theory::FillLaw>> fill_law;
  };

  std::map<TheoryPoint, Entry> entries_;
};

}  // namespace bloometry
