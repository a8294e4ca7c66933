#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/theory/prediction.hpp"

namespace bloometry {

/// Prints a prediction as a table, followed by its formulas, to standard output.
void print_prediction(const Prediction& prediction);

/// Adds expected_false_positive_rate, expected_fill_ratio and expected_rate_stddev to the JSON
/// object. The field expected_false_positive_rate is an object of `exact` and the named rates.
/// Unknown values are null.
void add_prediction(nlohmann::ordered_json& json, const Prediction& prediction);

}  // namespace bloometry
