#include "experiments/report/chart.hpp"

namespace bloometry::report {
namespace {

template <class T>
void add(nlohmann::json& record, const char* name, const std::optional<T>& value) {
  if (value) record[name] = *value;
}

}  // namespace

nlohmann::json row_record(const SummaryRow& row) {
  nlohmann::json record = {{"variant", row.variant},
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
                           {"conditional_false_positive_rate", row.conditional_false_positive_rate},
                           {"observed_fill_ratio", row.observed_fill_ratio},
                           {"min_hits_p_value", row.min_hits_p_value}};
  add(record, "num_counters", row.num_counters);
  add(record, "num_hashes", row.num_hashes);
  add(record, "target_false_positive_rate", row.target_false_positive_rate);
  add(record, "capacity", row.capacity);
  add(record, "exact_false_positive_rate", row.exact_false_positive_rate);
  add(record, "classic_false_positive_rate", row.classic_false_positive_rate);
  add(record, "expected_fill_ratio", row.expected_fill_ratio);
  add(record, "min_fill_p_value", row.min_fill_p_value);
  if (!row.tested) record["studied_because"] = row.studied_because;
  return record;
}

nlohmann::json with_data(const Chart& chart, std::span<const SummaryRow> rows) {
  nlohmann::json values = nlohmann::json::array();
  for (const PlottedPoint& point : chart.points) {
    nlohmann::json record = point.row ? row_record(rows[*point.row]) : nlohmann::json::object();
    record.update(point.fields);
    record["id"] = values.size();
    values.push_back(std::move(record));
  }
  nlohmann::json spec = chart.spec;
  spec["data"]["values"] = std::move(values);
  return spec;
}

std::string to_text(const nlohmann::json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace bloometry::report
