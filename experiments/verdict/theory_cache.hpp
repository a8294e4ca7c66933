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

/// A filter and the number of distinct keys in it: the input of the theory of a row.
struct TheoryPoint {
  std::string variant{};
  FilterSpec spec{};  ///< point_spec of a unit
  ProbeModel model = ProbeModel::kWithReplacement;
  std::uint64_t num_keys = 0;

  /// Orders by the fields that point_spec sets, so that laws of one m follow each other in the
  /// order in which they are cheap (core/theory/fill_law.hpp): by their throws in model W, else by
  /// k and n.
  friend bool operator<(const TheoryPoint& a, const TheoryPoint& b);
};

/// Theory of points that many rows share (trials, key sources): each distinct point is computed
/// once. Not safe for concurrent use.
class TheoryCache {
 public:
  /// The reference stays valid as long as the cache.
  const Prediction& prediction(const TheoryPoint& point);

  /// Absent where no law is known.
  const std::optional<theory::FillLaw>& fill_law(const TheoryPoint& point);

 private:
  struct Entry {
    std::optional<Prediction> prediction;
    std::optional<std::optional<theory::FillLaw>> fill_law;
  };

  std::map<TheoryPoint, Entry> entries_;
};

}  // namespace bloometry
