#include "experiments/plan/axis_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <type_traits>

namespace bloometry {
namespace {

template <class T>
using ReadOne = std::function<std::optional<T>(const ConfigField&)>;

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

std::optional<bool> read_is_log(const ConfigField& field) {
  const auto scale = field.member("scale");
  if (!scale) return false;
  if (scale->value() == "linear") return false;
  if (scale->value() == "log") return true;
  scale->complain_must_be("\"linear\" or \"log\"");
  return std::nullopt;
}

template <class T>
std::optional<T> read_member(const ConfigField& field, std::string_view name,
                             const ReadOne<T>& read_one) {
  if (const auto member = field.member(name)) return read_one(*member);
  field.complain_of(name, "must be given: a range has from, to and steps");
  return std::nullopt;
}

template <class T>
std::vector<T> read_range(const ConfigField& field, const ReadOne<T>& read_one) {
  check_members(field, {"from", "to", "steps", "scale"});
  const std::optional<T> from = read_member<T>(field, "from", read_one);
  const std::optional<T> to = read_member<T>(field, "to", read_one);
  const auto steps = read_member<std::uint64_t>(field, "steps", [](const ConfigField& member) {
    return read_integer(member, 1, kMaxAxisValues);
  });
  const std::optional<bool> is_log = read_is_log(field);
  if (!from || !to || !steps || !is_log) return {};
  if (*from > *to) {
    field.complain("from must be at most to");
  } else if (*is_log && *from == 0) {
    field.complain_of("from", "must be above 0 on a log scale, got 0");
  } else if (*steps == 1 && *from != *to) {
    field.complain_of("steps", "must be at least 2 to include both ends, got 1");
  } else {
    return range_values(*from, *to, *steps, *is_log);
  }
  return {};
}

template <class T>
std::vector<T> read_list(const ConfigField& field, const ReadOne<T>& read_one) {
  const std::size_t size = field.value().size();
  if (size == 0 || size > kMaxAxisValues) {
    field.complain("must have 1 to " + std::to_string(kMaxAxisValues) + " values, got " +
                   std::to_string(size));
    return {};
  }
  std::vector<T> values;
  for (const ConfigField& element : field.elements()) {
    if (const auto value = read_one(element)) values.push_back(*value);
  }
  return values;
}

template <class T>
std::vector<T> read_axis(const ConfigField& field, const ReadOne<T>& read_one) {
  std::vector<T> values;
  if (field.value().is_object()) {
    values = read_range(field, read_one);
  } else if (field.value().is_array()) {
    values = read_list(field, read_one);
  } else if (const auto value = read_one(field)) {
    values = {*value};
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace

std::vector<std::uint64_t> read_integer_axis(const ConfigField& field, std::uint64_t min,
                                             std::uint64_t max, std::string_view who) {
  return read_axis<std::uint64_t>(
      field, [&](const ConfigField& value) { return read_integer(value, min, max, who); });
}

std::vector<double> read_real_axis(const ConfigField& field, const Interval& range) {
  return read_axis<double>(field,
                           [&](const ConfigField& value) { return read_number(value, range); });
}

}  // namespace bloometry
