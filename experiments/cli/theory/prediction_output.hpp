#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/theory/prediction.hpp"

namespace bloometry {

/// Returns the rate as text, with its standard error if it was integrated numerically.
/// @param is_empty whether the filter has no keys, so that a rate of 0 is exact
[[nodiscard]] std::string value_text(const ExpectedRate& rate, bool is_empty);

/// Returns the rate as text. A rate above 0 that is too small for a double is `below 1e-300`.
[[nodiscard]] std::string rate_text(double rate, bool is_empty, int num_digits);

/// Returns "exact", "upper bound", or the name of the model in words (report::theory_name).
[[nodiscard]] std::string label_of(const ExpectedRate& rate);

/// Returns the lines that state why a rate is not exact and what its floor is, or an empty string.
/// A floor that does not change the printed digits is left out.
[[nodiscard]] std::string notes_of(const ExpectedRate& rate);

/// Returns whether the floor is so high that it changes the printed digits.
[[nodiscard]] bool has_visible_floor(const ExpectedRate& rate);

/// Returns the members of an ExpectedRate as an object. The kind is "exact", "model" or "bound".
/// Unknown values are null.
[[nodiscard]] nlohmann::ordered_json to_json(const ExpectedRate& rate);

/// Returns the members of a RateFloor as an object.
[[nodiscard]] nlohmann::ordered_json to_json(const RateFloor& floor);

/// Prints a prediction for num_keys keys as a table, followed by its formulas, to standard output.
void print_prediction(const Prediction& prediction, std::uint64_t num_keys);

/// Adds expected_false_positive_rate, expected, expected_fill_ratio and expected_rate_stddev to the
/// JSON object. The field expected_false_positive_rate is an object of `exact` and the named rates.
/// The field `expected` is the best known rate (to_json); `exact` equals it or is null.
/// Unknown values are null.
void add_prediction(nlohmann::ordered_json& json, const Prediction& prediction);

}  // namespace bloometry
