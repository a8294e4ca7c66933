#include "experiments/output/unit_line.hpp"

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
  require_type(json.is_array() && !json.empty(), name, "a list of at least one number", json);
  for (const Json& value : json) take_value(value, name, values.emplace_back());
}

/// A reader of the columns of one record. A ColumnReader counts the columns that it reads, to
/// detect unknown columns.
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
    ++num_read_;
  }

  /// Reads a list, which may be absent from the record.
  void read_list(const char* name, std::vector<std::uint64_t>& values) {
    const auto found = json_.find(name);
    if (found == json_.end()) return;
    take_value(*found, name, values);
    ++num_read_;
  }

  void require_all_read() const {
    if (num_read_ == json_.size()) return;
    throw ConfigError(std::string(record_) + " must have only the " + std::to_string(num_read_) +
                      " columns of this version, got " + std::to_string(json_.size()));
  }

 private:
  const char* record_;
  const Json& json_;
  std::size_t num_read_ = 0;
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
  if (!json.is_object() || !json.contains("rows") || !json.contains("timing") ||
      !json.at("rows").is_array() || json.at("rows").empty() || json.size() != 2) {
    throw ConfigError("a unit must have rows and a timing");
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
    throw ConfigError("column " + std::to_string(error.byte) +
                      ": must be JSON: " + reason_of(error));
  } catch (const Json::exception& error) {
    throw ConfigError("must be JSON: " + reason_of(error));
  }
}

}  // namespace bloometry
