#include "experiments/report/row_marks.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <optional>
#include <set>

#include "experiments/chart/chart_style.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/report/theory_lines.hpp"
#include "experiments/report/untested.hpp"
#include "experiments/report/window_axes.hpp"
#include "experiments/unit/row_columns.hpp"

namespace bloometry::report {
namespace {

using nlohmann::json;

// Ratios of the largest and the smallest value from which an axis is logarithmic.
constexpr double kLogSpan = 100;
constexpr double kSpreadLogSpan = 30;  // if the values spread over powers of ten

template <class T>
void add(json& record, const char* name, const std::optional<T>& value) {
  if (value) record[name] = *value;
}

/// Adds the window of a row with its counts.
void add_window(json& record, const SummaryRow& row) {
  for_each_window_column(row.window, [&](const char* name, auto value) { record[name] = value; });
  for_each_window_count(row,
                        [&](const char* name, const auto& value) { add(record, name, value); });
  add(record, "min_expired_p_value", row.min_expired_p_value);
}

/// Adds the stream of a row with its counts.
void add_stream(json& record, const SummaryRow& row) {
  for_each_stream_column(row.stream, [&](const char* name, auto value) { record[name] = value; });
  for_each_stream_count(row,
                        [&](const char* name, const auto& value) { add(record, name, value); });
}

json distinct_values(const Axis& x, const Rows& rows) {
  std::set<double> values;
  for (const SummaryRow* row : rows) values.insert(x.value(*row).value_or(0));
  return values;
}

bool is_rate(const Axis& x) {
  return x.name == "target_false_positive_rate" || x.name == "expected_false_positive_rate";
}

/// Returns whether the steps between successive values are equal.
bool has_even_steps(const std::vector<double>& values) {
  constexpr double kTolerance = 0.1;  // as a share of a step; n is rounded to whole keys
  const double step = (values.back() - values.front()) / static_cast<double>(values.size() - 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double even = values.front() + static_cast<double>(i) * step;
    if (std::abs(values[i] - even) > kTolerance * step) return false;
  }
  return true;
}

/// Returns whether the ratio of successive values is constant, as with `"scale": "log"` in a
/// config's grid.
bool has_even_ratios(const std::vector<double>& values) {
  constexpr std::size_t kLeastValues = 4;  // fewer values, such as 1, 2, 4, may be a coincidence
  if (values.size() < kLeastValues) return false;
  std::vector<double> logarithms;
  for (const double value : values) logarithms.push_back(std::log(value));
  return has_even_steps(logarithms);
}

/// Returns whether the values spread over powers of ten. The median of an even spread from 1 to 100
/// is 50, and the median of a logarithmic spread is 10.
bool spreads_over_powers(const std::vector<double>& values) {
  if (values.size() < 3 || values.back() / values.front() < kSpreadLogSpan) return false;
  const double geometric = std::sqrt(values.front() * values.back());
  const double arithmetic = (values.front() + values.back()) / 2;
  const double middle = values[values.size() / 2];
  return middle / geometric < arithmetic / middle;
}

/// Returns the value of a row at which the axis has a tick. The tick for filters of 12 bits per key
/// is at 12, although blocks round 12 to 12.03.
double tick_of(const Axis& x, const SummaryRow& row) {
  if (x.name == "bits_per_key" && row.requested_bits_per_key) return *row.requested_bits_per_key;
  return x.value(row).value_or(0);
}

/// Puts the ticks of the axis at the measured values of x if these are few. Values that are closer
/// than a label's height share a tick. A label without room beside the label before it is dropped.
void tick_measured(json& channel, const Axis& x, const Rows& rows) {
  constexpr std::size_t kMostTicks = 12;
  constexpr double kLeastGap = 0.02;  // as a share of the axis
  std::set<double> values;
  for (const SummaryRow* row : rows) values.insert(tick_of(x, *row));
  json ticks = json::array();
  double last = -1;
  for (const double value : values) {
    const double place = chart::share_of(channel["scale"], value);
    if (!(place >= 0 && place <= 1) || (!ticks.empty() && place - last < kLeastGap)) continue;
    ticks.push_back(value);
    last = place;
  }
  if (ticks.empty() || ticks.size() > kMostTicks) return;
  // One format for the whole axis would give all labels the same precision and SI prefix.
  channel["axis"] = {{"values", ticks},
                     {"labelOverlap", "greedy"},
                     {"labelFlush", false},
                     {"labelExpr",
                      "datum.value < 1000 ? format(datum.value, '~g') : datum.value % 100 == 0 || "
                      "datum.value >= 1e5 ? format(datum.value, '~s') : format(datum.value, ',')"}};
}

/// Returns whether the values have a range that a linear scale would compress at its lower end.
bool spans_powers(const std::vector<double>& values) {
  if (values.size() < 2 || values.back() / values.front() < kLogSpan) return false;
  return values.size() == 2 || !has_even_steps(values);
}

json log_scale(double low, double high) {
  const double margin = std::pow(high / low, 0.04);
  return {{"type", "log"}, {"nice", false}, {"domain", {low / margin, high * margin}}};
}

/// Returns a linear scale with an explicit domain. A domain derived from the data would be
/// undefined for an empty view.
json linear_scale(double low, double high) {
  return {{"nice", false}, {"zero", false}, {"domain", {low, high}}};
}

json nominal_x(const Axis& x) {
  return {{"field", "x"},
          {"type", "nominal"},
          {"title", x.title},
          {"axis", {{"labelAngle", -30}, {"labelLimit", 0}}}};
}

/// Returns whether the lower end of a drawn interval is beyond the edge of the scale.
bool has_cut_interval(const Rows& rows, const json& scale) {
  const auto edge = scale["domain"][0].get<double>();
  return std::any_of(rows.begin(), rows.end(), [&](const SummaryRow* row) {
    return row->num_false_positives > 0 && row->interval_lower < edge;
  });
}

}  // namespace

json row_record(const SummaryRow& row) {
  json record = {{"variant", row.variant},
                 {"keys", row.keys},
                 {"hash", row.hash},
                 {"probes", row.probes},
                 {"params", row.params},
                 {"num_inserted", row.num_inserted},
                 {"num_bits", row.num_bits},
                 {"num_trials", row.num_trials},
                 {"num_queries", row.num_queries},
                 {"num_false_positives", row.num_false_positives},
                 {"num_false_negatives", row.num_false_negatives},
                 {"observed_false_positive_rate", row.observed_false_positive_rate},
                 {"interval_lower", row.interval_lower},
                 {"interval_upper", row.interval_upper},
                 {"expected_false_positive_rate", row.expected_false_positive_rate},
                 {"expected_by", row.expected_by},
                 {"theory_name", theory_name(row.expected_by)},
                 {"conditional_false_positive_rate", row.conditional_false_positive_rate},
                 {"observed_fill_ratio", row.observed_fill_ratio},
                 {"min_false_positives_p_value", row.min_false_positives_p_value}};
  for_each_churn_column(row.churn, [&](const char* name, auto value) { record[name] = value; });
  if (row.window) add_window(record, row);
  if (row.stream) add_stream(record, row);
  add(record, "num_counters", row.num_counters);
  add(record, "num_hashes", row.num_hashes);
  add(record, "target_false_positive_rate", row.target_false_positive_rate);
  add(record, "capacity", row.capacity);
  add(record, "initial_capacity", row.initial_capacity);
  add(record, "bits_per_key", row.bits_per_key());
  add(record, "requested_bits_per_key", row.requested_bits_per_key);
  add(record, "exact_false_positive_rate", row.exact_false_positive_rate);
  add(record, "classic_false_positive_rate", row.classic_false_positive_rate);
  add(record, "expected_fill_ratio", row.expected_fill_ratio);
  add(record, "min_fill_p_value", row.min_fill_p_value);
  add(record, "num_refused_inserts", row.num_refused_inserts);
  add(record, "min_refused_inserts_p_value", row.min_refused_inserts_p_value);
  if (!row.tested) record["exemption_reason"] = row.exemption_reason;
  return record;
}

chart::RowRecord row_records(std::span<const SummaryRow> rows) {
  return [rows](std::size_t row) { return row_record(rows[row]); };
}

json x_channel(const Axis& x, const Rows& rows) {
  if (x.value == nullptr) return nominal_x(x);
  const json values = distinct_values(x, rows);
  const double low = values.empty() ? 0 : values.front().get<double>();
  const double high = values.empty() ? 1 : values.back().get<double>();
  if (is_rate(x) && low > 0) return chart::rate_channel("x", std::string(x.title), low, high);
  json channel = {{"field", "x"}, {"type", "quantitative"}, {"title", title_of(x, rows)}};
  if (x.name == "num_hashes") {
    channel["scale"] = linear_scale(low - 0.5, high + 0.5);
    channel["axis"] = {{"format", "d"}, {"grid", false}, {"tickMinStep", 1}};
    if (values.size() <= 20) channel["axis"]["values"] = values;
  } else if (has_log_scale(x, rows)) {
    channel["scale"] = log_scale(low, high);
    channel["axis"] = chart::log_number_axis(channel["scale"]);
  } else if (x.name == "n_over_capacity") {
    channel["scale"] = linear_scale(0, high * 1.04);
    channel["axis"] = {{"format", "~f"}, {"tickCount", 6}};
  } else {
    const double margin = high > low ? 0.05 * (high - low) : std::max(1.0, 0.1 * high);
    channel["scale"] = linear_scale(std::max(0.0, low - margin), high + margin);
    channel["axis"] = chart::number_axis(high);
  }
  if (x.name != "num_hashes") tick_measured(channel, x, rows);
  return channel;
}

bool has_log_scale(const Axis& axis, const Rows& rows) {
  if (axis.value == nullptr || axis.name == "num_hashes") return false;
  std::set<double> distinct;
  for (const SummaryRow* row : rows) distinct.insert(axis.value(*row).value_or(0));
  const std::vector<std::string_view> parts = with_workload_axes({});
  const bool is_part = std::find(parts.begin(), parts.end(), axis.name) != parts.end();
  if (is_part && distinct.contains(0)) return false;
  distinct.erase(0);
  const std::vector<double> values(distinct.begin(), distinct.end());
  return has_even_ratios(values) || spreads_over_powers(values) || spans_powers(values);
}

json row_texts() {
  return json::parse(R"j([
    {"calculate": "isValid(datum.num_hashes) ? format(datum.num_hashes, 'd') : 'chosen by the filter'", "as": "k_text"},
    {"calculate": "format(datum.num_false_positives, ',') + ' of ' + format(datum.num_queries, ',') + ' queries, ' + format(datum.num_trials, ',') + (datum.num_trials == 1 ? ' trial' : ' trials')", "as": "false_positives_text"},
    {"calculate": "format(datum.interval_lower, '.4~g') + ' to ' + format(datum.interval_upper, '.4~g')", "as": "interval_text"},
    {"calculate": "format(datum.expected_false_positive_rate, '.6~g') + ' (' + datum.theory_name + ')'", "as": "theory_text"},
    {"calculate": "isValid(datum.classic_false_positive_rate) ? format(datum.classic_false_positive_rate, '.6~g') : 'none'", "as": "classic_text"}
  ])j");
}

json row_tooltip() {
  return json::parse(R"j([
    {"field": "variant", "title": "variant"},
    {"field": "params", "title": "parameters"},
    {"field": "keys", "title": "keys"},
    {"field": "num_inserted", "type": "quantitative", "format": ",", "title": "keys inserted n"},
    {"field": "num_bits", "type": "quantitative", "format": ",", "title": "memory (bits)"},
    {"field": "k_text", "title": "hashes k"},
    {"field": "false_positives_text", "title": "false positives"},
    {"field": "observed_false_positive_rate", "type": "quantitative", "format": ".6~g", "title": "observed rate"},
    {"field": "interval_text", "title": "95 % interval"},
    {"field": "theory_text", "title": "theory"},
    {"field": "classic_text", "title": "classic formula"},
    {"field": "min_false_positives_p_value", "type": "quantitative", "format": ".3~g", "title": "p-value of the false positives"}
  ])j");
}

json band_fields(const SummaryRow& row) {
  const std::optional<Band> band = band_of_rates(row);
  if (!band) return json::object();
  return {{"band_lower", band->lower}, {"band_upper", band->upper}};
}

json interval_transforms(const json& scale) {
  const auto edge = scale["domain"][0].get<double>();
  return {{{"filter", "datum.num_false_positives > 0"}},
          {{"calculate", fmt::format("max(datum.interval_lower, {})", edge)},
           {"as", "interval_lower"}}};
}

json band_transforms(const json& scale) {
  const auto edge = scale["domain"][0].get<double>();
  return {{{"filter", fmt::format("datum.band_upper > {}", edge)}},
          {{"calculate", fmt::format("max(datum.band_lower, {})", edge)}, {"as", "band_lower"}}};
}

void add_cut_marks(const Rows& rows, const std::string& channel, json& layers) {
  json layer = layers.back();
  const json scale = layer["encoding"][channel]["scale"];
  if (!has_cut_interval(rows, scale)) return;
  layer["name"] = "interval_cut";
  const json filter = {
      {"filter", fmt::format("datum.interval_lower < {}", scale["domain"][0].get<double>())}};
  layer["transform"].insert(layer["transform"].begin(), filter);
  layer["mark"] = {{"type", "point"},
                   {"shape", channel == "x" ? "M0.8,-0.8L0,0L0.8,0.8" : "M-0.8,-0.8L0,0L0.8,-0.8"},
                   {"filled", false},
                   {"opacity", 1},
                   {"size", 60},
                   {"tooltip", nullptr}};
  layer["encoding"].erase(channel + "2");
  layers.push_back(std::move(layer));
}

std::string about_cut_intervals(const Rows& rows, const json& scale) {
  return has_cut_interval(rows, scale) ? " Intervals with an arrow at the edge continue beyond it."
                                       : "";
}

std::string band_caption(const Rows& rows) {
  return std::string(
             " 95 % of measured rates fall in the shade around theory, which adds the chance of "
             "the "
             "filters to that of the queries") +
         (num_untested(rows) > 0 ? "; points that `verify` does not test have none." : ".");
}

}  // namespace bloometry::report
