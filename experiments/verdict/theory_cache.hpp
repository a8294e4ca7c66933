#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/theory/fill_law.hpp"
#include "core/theory/prediction.hpp"
#include "experiments/verdict/theory_point.hpp"

namespace bloometry {

/// Theory of points that many rows share (trials, key sources, the summary and the verdict): each
/// distinct (variant, spec, model, n) is worked out once. Not safe for concurrent use.
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

  Entry& entry(const TheoryPoint& point);

  std::map<std::string, std::unique_ptr<Entry>> entries_;
};

}  // namespace bloometry
