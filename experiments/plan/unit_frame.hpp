#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "experiments/plan/config.hpp"
#include "experiments/plan/planned_filters.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// A request for points: the filter of one grid with one probe scheme.
struct PointRequest {
  const VariantInfo* variant;
  const SchemeInfo* scheme;
  const Grid* grid;
  PlannedFilter filter;
};

/// A unit before its points are computed. To compute the points, expand() computes expected rates
/// and chooses the best k and the numbers of queries. For a unit that has run, the points are in
/// its rows.
struct UnitFrame {
  Unit unit{};  ///< unit without id and points
  std::vector<const PointRequest*> requests{};
};

/// The units of a config before their points are computed.
struct UnitFrames {
  std::deque<PointRequest> requests;  ///< the frames refer to these requests
  std::vector<UnitFrame> frames;      ///< sorted by unit_text_without_points

  UnitFrames() = default;
  UnitFrames(const UnitFrames&) = delete;
  UnitFrames(UnitFrames&&) = default;
  UnitFrames& operator=(const UnitFrames&) = delete;
  UnitFrames& operator=(UnitFrames&&) = default;
  ~UnitFrames() = default;
};

/// Returns the frames of a config. If several grids request one filter, their requests are in one
/// frame.
/// @param config config, which must outlive the frames
/// @throws ConfigFileError if a variant rejects the values of a grid.
[[nodiscard]] UnitFrames unit_frames(const Config& config);

/// Returns the points sorted and without duplicates. merged() merges points that differ only in the
/// requested values of their grids.
[[nodiscard]] std::vector<Point> merged(std::vector<Point> points);

/// Returns the measured points with the requested values of their grids, or nullopt if the frame
/// cannot have these points. They are possible if they contain all requested n and k, and if
/// `queries` allows their numbers of queries. If a grid requests the best k, the points must
/// contain one k at each n of that grid. The result is also nullopt if, at some n, one grid
/// requests the best k and another grid names a k. In that case, only expand() can distinguish the
/// best k from the named k.
[[nodiscard]] std::optional<std::vector<Point>> requested_points(
    const UnitFrame& frame, const QueryPlan& queries, const std::vector<Point>& measured);

}  // namespace bloometry
