#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/theory/prediction.hpp"

namespace bloometry {

/// Prints what theory expects as a table, and what its formulas are, to standard output.
void print_prediction(const Prediction& prediction);

/// Adds expected_false_positive_rate, an object of `exact` and the named rates,
/// expected_fill_ratio and expected_rate_stddev; null is what is not known.
void add_prediction(nlohmann::ordered_json& json, const Prediction& prediction);

}  // namespace bloometry
