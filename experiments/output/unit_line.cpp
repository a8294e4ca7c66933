#include "experiments/output/unit_line.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

#include "core/error.hpp"
#include "experiments/plan/json_document.hpp"
#include "experiments/rows/row_columns.hpp"
#include "experiments/text/printable.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;

template <class T>
struct IsOptional : std::false_type {};

template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
void put(Json& json, const char* name, const T& value) {
  if constexpr (IsOptional<T>::value) {
    if (value) json[name] = *value;
  } else {
    json[name] = value;
  }
}

void require_type(bool holds, const char* name, const char* allowed, const Json& json) {
  if (holds) return;
  throw ConfigError("column " + std::string(name) + " must be " + allowed + ", got " +
                    shown_json(json));
}

void take_value(const Json& json, const char* name, std::string& value) {
  require_type(json.is_string(), name, "a string", json);
  value = json.get<std::string>();
}

void take_value(const Json& json, const char* name, std::uint64_t& value) {
  require_type(json.is_number_unsigned(), name, "a whole number in [0, 2^64 - 1]", json);
  value = json.get<std::uint64_t>();
}

void take_value(const Json& json, const char* name, double& value) {
  require_type(json.is_number(), name, "a number", json);
  value = json.get<double>();
}

void take_value(const Json& json, const char* name, std::vector<std::uint64_t>& values) {
  const bool is_list = json.is_array() && !json.empty() &&
                       std::all_of(json.begin(), json.end(),
                                   [](const Json& item) { return item.is_number_unsigned(); });
  require_type(is_list, name, "a list of at least one whole number in [0, 2^64 - 1]", json);
  values = json.get<std::vector<std::uint64_t>>();
}

/// A reader of the columns of one record. A ColumnReader stores the names of the columns that it
/// reads, to detect unknown columns.
class ColumnReader {
 public:
  /// @param record name of the record for error messages.
  ColumnReader(const char* record, const Json& json) : record_(record), json_(json) {
    if (!json.is_object()) {
      throw ConfigError(std::string(record) + " must be an object, got " + shown_json(json));
    }
  }

  template <class T>
  void operator()(const char* name, T& value) {
    const auto found = json_.find(name);
    if constexpr (IsOptional<T>::value) {
      if (found == json_.end()) return;
      take_value(*found, name, value.emplace());
    } else {
      if (found == json_.end()) throw ConfigError("column " + std::string(name) + " is missing");
      take_value(*found, name, value);
    }
    read_.emplace_back(name);
  }

  /// Reads a list, which may be absent from the record.
  void read_list(const char* name, std::vector<std::uint64_t>& values) {
    const auto found = json_.find(name);
    if (found == json_.end()) return;
    take_value(*found, name, values);
    read_.emplace_back(name);
  }

  void require_all_read() const {
    if (read_.size() == json_.size()) return;
    for (const auto& [name, value] : json_.items()) {
      if (std::find(read_.begin(), read_.end(), name) != read_.end()) continue;
      throw ConfigError(std::string(record_) + " has the unknown column " +
                        printable(name, kMaxShownValue));
    }
  }

 private:
  const char* record_;
  const Json& json_;
  std::vector<std::string_view> read_;
};

constexpr const char* kHistogram = "set_probe_counts";

TrialRow row_of(const Json& json) {
  TrialRow row;
  ColumnReader reader("a row", json);
  for_each_row_column(row, reader);
  reader.read_list(kHistogram, row.set_probe_counts);
  reader.require_all_read();
  return row;
}

UnitTiming timing_of(const Json& json) {
  UnitTiming timing;
  ColumnReader reader("the timing", json);
  for_each_timing_column(timing, reader);
  reader.require_all_read();
  return timing;
}

UnitResult result_of(const Json& json) {
  if (!json.is_object() || json.size() != 2 || !json.contains("rows") || !json.contains("timing")) {
    throw ConfigError("a unit must be an object with the members rows and timing, got " +
                      shown_json(json));
  }
  if (!json.at("rows").is_array() || json.at("rows").empty()) {
    throw ConfigError("rows must be a list of at least one row, got " +
                      shown_json(json.at("rows")));
  }
  UnitResult result;
  result.timing = timing_of(json.at("timing"));
  for (const Json& row : json.at("rows")) {
    result.rows.push_back(row_of(row));
    if (result.rows.back().unit != result.timing.unit) {
      throw ConfigError("rows and timing must be of one unit, got units " +
                        printable(result.rows.back().unit, kMaxShownValue) + " and " +
                        printable(result.timing.unit, kMaxShownValue));
    }
  }
  return result;
}

}  // namespace

std::string to_line(const UnitResult& result) {
  Json json = {{"rows", Json::array()}, {"timing", Json::object()}};
  for (const TrialRow& row : result.rows) {
    Json columns = Json::object();
    for_each_row_column(row,
                        [&](const char* name, const auto& value) { put(columns, name, value); });
    if (!row.set_probe_counts.empty()) columns[kHistogram] = row.set_probe_counts;
    json["rows"].push_back(std::move(columns));
  }
  for_each_timing_column(result.timing, [&](const char* name, const auto& value) {
    put(json["timing"], name, value);
  });
  return json.dump() + "\n";
}

UnitResult from_line(std::string_view line) {
  try {
    return result_of(Json::parse(line.begin(), line.end()));
  } catch (const Json::parse_error& error) {
    throw ConfigError("must be JSON at column " + std::to_string(error.byte) + ": " +
                      reason_of(error));
  } catch (const Json::exception& error) {
    throw ConfigError("must be JSON: " + reason_of(error));
  }
}

}  // namespace bloometry
