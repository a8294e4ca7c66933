#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/contract/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/theory/fill_law.hpp"
#include "core/theory/prediction.hpp"
#include "core/theory/refused_inserts_law.hpp"

namespace bloometry {

/// The input for a row's theory: a filter and the number of distinct keys in it.
struct TheoryPoint {
  std::string variant{};
  FilterSpec spec{};  ///< result of point_spec() for a unit
  ProbeModel model = ProbeModel::kWithReplacement;
  std::uint64_t num_keys = 0;

  /// Returns whether a precedes b in an order of the fields that point_spec() sets. Points with the
  /// same m are adjacent, in the order in which their laws are fast to compute
  /// (core/theory/fill_law.hpp). For probes with replacement, the order is by the number of throws,
  /// otherwise by k and n.
  friend bool operator<(const TheoryPoint& a, const TheoryPoint& b);
};

/// A cache of predictions and laws by point, because many rows (trials, key sources) share a point.
/// A TheoryCache is not safe for concurrent use.
class TheoryCache {
 public:
  /// Returns the prediction of a point. The reference is valid for the lifetime of the cache.
  const Prediction& prediction(const TheoryPoint& point);

  /// Returns the law of the fill at a point, or nullopt if the law is unknown.
  const std::optional<theory::FillLaw>& fill_law(const TheoryPoint& point);

  /// Returns the law of the refused inserts at a point of a limited filter, or why it is unknown.
  const theory::RefusedInserts& refused_inserts(const TheoryPoint& point);

 private:
  struct Entry {
    std::optional<Prediction> prediction;
    std::optional<std::optional<theory::FillLaw>> fill_law;
    std::optional<theory::RefusedInserts> refused_inserts;
  };

  std::map<TheoryPoint, Entry> entries_;
};

}  // namespace bloometry
