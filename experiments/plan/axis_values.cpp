#include "experiments/plan/axis_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <type_traits>

#include "experiments/plan/field_table.hpp"

namespace bloometry {
namespace {

double rounded_to_9_digits(double value) {
  std::array<char, 32> text{};
  const char* end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, 8)
          .ptr;
  double rounded = value;
  std::from_chars(text.data(), end, rounded);
  return rounded;
}

template <class T>
T axis_value(double value) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(std::llround(value));
  } else {
    return rounded_to_9_digits(value);
  }
}

/// Returns `steps` values from `from` to `to`. The first value is exactly `from`, and the last
/// value is exactly `to`.
template <class T>
std::vector<T> range_values(T from, T to, std::uint64_t steps, bool is_log) {
  std::vector<T> values = {from};
  const auto first = static_cast<double>(from);
  const auto last = static_cast<double>(to);
  for (std::uint64_t i = 1; i + 1 < steps; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(steps - 1);
    values.push_back(axis_value<T>(is_log ? first * std::pow(last / first, share)
                                          : first + (last - first) * share));
  }
  if (steps > 1) values.push_back(to);
  return values;
}

constexpr const char* kLog = "log";

/// A range as given in a config.
template <class T>
struct AxisRange {
  std::optional<T> from{};
  std::optional<T> to{};
  std::optional<std::uint64_t> steps{};
  std::string scale = "linear";
};

template <class T>
FieldTable<AxisRange<T>> range_fields(ConfigValue<T> value) {
  ConfigValue<std::uint64_t> steps = whole_number(1, kMaxAxisValues);
  value.allowed = steps.allowed = "a range has from, to and steps";
  return {required_field("from", &AxisRange<T>::from, value),
          required_field("to", &AxisRange<T>::to, value),
          required_field("steps", &AxisRange<T>::steps, steps),
          default_field("scale", &AxisRange<T>::scale,
                        one_of({"linear", kLog}, "\"linear\" or \"log\""))};
}

template <class T>
std::vector<T> read_range(const ConfigField& field, const ConfigValue<T>& value) {
  const FieldTable<AxisRange<T>> fields = range_fields(value);
  check_names(field, fields);
  const std::size_t num_problems = field.num_problems();
  const auto [from, to, steps, scale] = read_fields(field, fields);
  if (field.num_problems() > num_problems) return {};
  const bool is_log = scale == kLog;
  if (*from > *to) {
    field.complain("from must be at most to");
  } else if (is_log && *from == 0) {
    field.complain_of("from", "must be above 0 on a log scale, got 0");
  } else if (*steps == 1 && *from != *to) {
    field.complain_of("steps", "must be at least 2 to include both ends, got 1");
  } else {
    return range_values(*from, *to, *steps, is_log);
  }
  return {};
}

template <class T>
std::vector<T> read_list(const ConfigField& field, const ConfigValue<T>& value) {
  const std::size_t size = field.value().size();
  if (size == 0 || size > kMaxAxisValues) {
    field.complain(fmt::format("must have 1 to {} values, got {}", kMaxAxisValues, size));
    return {};
  }
  std::vector<T> values;
  for (const ConfigField& element : field.elements()) {
    if (const auto read = value.read(element)) values.push_back(*read);
  }
  return values;
}

template <class T>
std::vector<T> read_axis(const ConfigField& field, const ConfigValue<T>& value) {
  std::vector<T> values;
  if (field.value().is_object()) {
    values = read_range(field, value);
  } else if (field.value().is_array()) {
    values = read_list(field, value);
  } else if (const auto read = value.read(field)) {
    values = {*read};
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

template <class T>
nlohmann::ordered_json axis_schema(const ConfigValue<T>& value) {
  const nlohmann::ordered_json number = value.schema();
  return {{"oneOf",
           {number,
            {{"type", "array"}, {"minItems", 1}, {"maxItems", kMaxAxisValues}, {"items", number}},
            schema_of(range_fields(value))}}};
}

template <class T>
ConfigValue<std::vector<T>> axis_of(const ConfigValue<T>& value) {
  ConfigValue<std::vector<T>> axis = list_of(value, "a number, a list or a range of numbers", 1);
  axis.read = [value](const ConfigField& field) { return std::optional(read_axis(field, value)); };
  axis.schema = [value] { return axis_schema(value); };
  return axis;
}

}  // namespace

ConfigValue<std::vector<std::uint64_t>> integer_axis(std::uint64_t min, std::uint64_t max,
                                                     std::string_view who) {
  return axis_of(whole_number(min, max, who));
}

ConfigValue<std::vector<std::uint64_t>> bits_axis(std::uint64_t min, std::uint64_t max) {
  return axis_of(number_of_bits(min, max));
}

ConfigValue<std::vector<double>> real_axis(const Interval& range) {
  return axis_of(real_number(range));
}

}  // namespace bloometry
