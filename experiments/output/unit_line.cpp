#include "experiments/output/unit_line.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/plan/json_document.hpp"
#include "experiments/text/content_hash.hpp"
#include "experiments/text/printable.hpp"
#include "experiments/unit/row_columns.hpp"

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

// Each overload of is_value tests the type of a column's value, and kAllowed describes the type.
template <class T>
constexpr const char* kAllowed = "a whole number in [0, 2^64 - 1]";
template <>
constexpr const char* kAllowed<std::string> = "a string";
template <>
constexpr const char* kAllowed<double> = "a number";
template <>
constexpr const char* kAllowed<std::vector<std::uint64_t>> =
    "a list of at least one whole number in [0, 2^64 - 1]";

bool is_value(const Json& json, const std::string& /*value*/) {
  return json.is_string();
}

bool is_value(const Json& json, std::uint64_t /*value*/) {
  return json.is_number_unsigned();
}

bool is_value(const Json& json, double /*value*/) {
  return json.is_number();
}

bool is_value(const Json& json, const std::vector<std::uint64_t>& /*values*/) {
  return json.is_array() && !json.empty() && std::all_of(json.begin(), json.end(), [](auto& item) {
           return item.is_number_unsigned();
         });
}

/// A reader of the columns of one record. A ColumnReader stores the names of the columns that it
/// reads, to detect unknown columns.
class ColumnReader {
 public:
  /// @param pointer JSON pointer of the record for error messages.
  ColumnReader(std::string pointer, const Json& json) : pointer_(std::move(pointer)), json_(json) {
    if (json.is_object()) return;
    throw ConfigError(fmt::format("{}: must be an object, got {}", pointer_, shown_json(json)));
  }

  template <class T>
  void operator()(const char* name, T& value) {
    if constexpr (IsOptional<T>::value) {
      if (json_.contains(name)) read(name, value.emplace());
    } else {
      read(name, value);
    }
  }

  /// Reads a list, which may be absent from the record.
  void read_list(const char* name, std::vector<std::uint64_t>& values) {
    if (json_.contains(name)) read(name, values);
  }

  void require_all_read() const {
    if (read_.size() == json_.size()) return;
    for (const auto& [name, value] : json_.items()) {
      if (std::find(read_.begin(), read_.end(), name) != read_.end()) continue;
      throw ConfigError(fmt::format("{}: unknown column, allowed: {}", place(name), joined(read_)));
    }
  }

 private:
  template <class T>
  void read(const char* name, T& value) {
    const auto found = json_.find(name);
    if (found == json_.end()) {
      throw ConfigError(fmt::format("{}: must be given: {}", place(name), kAllowed<T>));
    }
    if (!is_value(*found, value)) {
      throw ConfigError(
          fmt::format("{}: must be {}, got {}", place(name), kAllowed<T>, shown_json(*found)));
    }
    value = found->get<T>();
    read_.emplace_back(name);
  }

  [[nodiscard]] std::string place(std::string_view name) const {
    return printable(pointer_to(pointer_, name), kMaxShownPointer);
  }

  std::string pointer_;
  const Json& json_;
  std::vector<std::string_view> read_;
};

constexpr const char* kHistogram = "set_probe_counts";

constexpr std::string_view kChecksumStart = R"(,"xxh3_128":")";
constexpr std::string_view kChecksumEnd = R"("})";
constexpr std::size_t kHashLength = 32;

/// Returns the length of the member xxh3_128 at the end of the line, without the final brace, or 0
/// if the line has no checksum.
std::size_t checksum_length(std::string_view line) {
  constexpr std::size_t kLength = kChecksumStart.size() + kHashLength + kChecksumEnd.size();
  if (line.size() < kLength || !line.ends_with(kChecksumEnd)) return 0;
  return line.substr(line.size() - kLength).starts_with(kChecksumStart) ? kLength - 1 : 0;
}

/// Returns the line as it was before its checksum was added.
std::string without_checksum(std::string_view line) {
  return std::string(line.substr(0, line.size() - 1 - checksum_length(line))) + "}";
}

Json parsed(std::string_view line) {
  if (checksum_length(line) > 0) return Json::parse(without_checksum(line));
  return Json::parse(line.begin(), line.end());
}

std::string with_checksum(const std::string& line) {
  return fmt::format("{}{}{}{}", std::string_view(line).substr(0, line.size() - 1), kChecksumStart,
                     content_hash(line), kChecksumEnd);
}

TrialRow row_of(const std::string& pointer, const Json& json) {
  TrialRow row;
  ColumnReader reader(pointer, json);
  for_each_count(row, reader);
  reader.read_list(kHistogram, row.set_probe_counts);
  reader.require_all_read();
  return row;
}

UnitTiming timing_of(const Json& json) {
  UnitTiming timing;
  ColumnReader reader("/timing", json);
  for_each_timing_column(timing, reader);
  reader.require_all_read();
  return timing;
}

UnitResult result_of(const Json& json) {
  if (!json.is_object() || json.size() != 2 || !json.contains("rows") || !json.contains("timing")) {
    throw ConfigError("a unit must be an object with the members rows and timing, got " +
                      shown_json(json));
  }
  const Json& rows = json.at("rows");
  if (!rows.is_array() || rows.empty()) {
    throw ConfigError("/rows: must be a list of at least one row, got " + shown_json(rows));
  }
  UnitResult result;
  result.timing = timing_of(json.at("timing"));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string pointer = fmt::format("/rows/{}", i);
    result.rows.push_back(row_of(pointer, rows[i]));
    if (result.rows.back().unit != result.timing.unit) {
      throw ConfigError(fmt::format("{}/unit: must be that of /timing, '{}', got '{}'", pointer,
                                    printable(result.timing.unit, kMaxShownValue),
                                    printable(result.rows.back().unit, kMaxShownValue)));
    }
  }
  return result;
}

}  // namespace

std::string to_line(const UnitResult& result) {
  Json json = {{"rows", Json::array()}, {"timing", Json::object()}};
  for (const TrialRow& row : result.rows) {
    Json columns = Json::object();
    for_each_count(row, [&](const char* name, const auto& value) { put(columns, name, value); });
    if (!row.set_probe_counts.empty()) columns[kHistogram] = row.set_probe_counts;
    json["rows"].push_back(std::move(columns));
  }
  for_each_timing_column(result.timing, [&](const char* name, const auto& value) {
    put(json["timing"], name, value);
  });
  return with_checksum(json.dump()) + "\n";
}

UnitResult from_line(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  try {
    return result_of(parsed(line));
  } catch (const Json::parse_error& error) {
    throw ConfigError(fmt::format("must be JSON at column {}: {}", error.byte, reason_of(error)));
  } catch (const Json::exception& error) {
    throw ConfigError("must be JSON: " + reason_of(error));
  }
}

void require_intact_line(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (checksum_length(line) == 0 || with_checksum(without_checksum(line)) == line) return;
  throw ConfigError("xxh3_128: is not the checksum of the line, so a value was changed");
}

}  // namespace bloometry
