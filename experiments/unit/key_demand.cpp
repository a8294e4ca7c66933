#include "experiments/unit/key_demand.hpp"

#include <algorithm>

namespace bloometry {

KeyDemand key_demand(const Unit& unit) noexcept {
  KeyDemand demand;
  for (const Point& point : unit.points) {
    demand.num_members = std::max(demand.num_members, point.num_inserted);
    demand.num_queries = std::max(demand.num_queries, point.num_queries);
  }
  if (unit.stream) demand.num_members = unit.stream->num_distinct;
  const bool has_wrongful_erases =
      unit.churn && unit.churn->rounds > 0 && unit.churn->wrongful_erases > 0;
  if (has_wrongful_erases) demand.num_candidates = demand.num_queries;
  return demand;
}

}  // namespace bloometry
