#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "experiments/cli/filter/filter_check.hpp"

namespace bloometry {

/// Returns the check as a human-readable table.
[[nodiscard]] std::string text_of(const FilterCheck& check, const FilterFacts& facts,
                                  const QueryCounters& counters, const CheckHistory& history);

[[nodiscard]] nlohmann::ordered_json to_json(const FilterCheck& check, const FilterFacts& facts,
                                             const QueryCounters& counters,
                                             const CheckHistory& history);

/// Returns gauges in the text format of Prometheus, with the label `file`.
[[nodiscard]] std::string prometheus_text(const FilterCheck& check, const FilterFacts& facts,
                                          std::string_view file);

}  // namespace bloometry
