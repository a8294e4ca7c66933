#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "experiments/plan/config.hpp"
#include "experiments/plan/filter_life.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// What one grid asks of one filter with one probe scheme.
struct PointRequest {
  const VariantInfo* variant;
  const SchemeInfo* scheme;
  const Grid* grid;
  FilterLife life;
};

/// A unit whose points are not worked out: the best k and the numbers of queries are searches among
/// expected rates, and the points of a unit that has run are in its rows.
struct UnitFrame {
  Unit unit{};  ///< without id and points
  std::vector<const PointRequest*> requests{};
};

/// The units of a config before their points are worked out.
struct UnitFrames {
  std::deque<PointRequest> requests;  ///< the frames point into it
  std::vector<UnitFrame> frames;      ///< sorted by unit_text_without_points

  UnitFrames() = default;
  UnitFrames(const UnitFrames&) = delete;
  UnitFrames(UnitFrames&&) = default;
  UnitFrames& operator=(const UnitFrames&) = delete;
  UnitFrames& operator=(UnitFrames&&) = default;
  ~UnitFrames() = default;
};

/// What several grids ask of one filter is one frame.
/// @param config outlives the frames.
/// @throws ConfigFileError if a grid asks the impossible of its variant.
[[nodiscard]] UnitFrames unit_frames(const Config& config);

/// Returns the points sorted and distinct, one for those that differ only in what their grids asked
/// for.
[[nodiscard]] std::vector<Point> merged(std::vector<Point> points);

/// The points measured, each with what its grids asked for, if they can be those of the frame: all
/// n and k that are named, one k where the best is asked for, and numbers of queries that the plan
/// allows. Absent if not, and where a grid asks for the best k at an n at which another names some:
/// only expand() knows which is which.
[[nodiscard]] std::optional<std::vector<Point>> points_as_asked(const UnitFrame& frame,
                                                                const QueryPlan& queries,
                                                                const std::vector<Point>& measured);

}  // namespace bloometry
