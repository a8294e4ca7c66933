#include "experiments/plan/config_field.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "experiments/plan/json_document.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;

constexpr double kMaxExactInteger = 0x1p53;

std::string shown_place(const std::string& pointer) {
  return pointer.empty() ? "config" : printable(pointer, kMaxShownPointer);
}

bool is_whole(double value) {
  return value == std::floor(value) && value <= kMaxExactInteger;
}

std::optional<std::uint64_t> whole_number_in(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number_integer() && value.get<std::int64_t>() >= 0) {
    return value.get<std::uint64_t>();
  }
  if (!value.is_number_float()) return std::nullopt;
  const auto number = value.get<double>();
  if (!(number >= 0) || !is_whole(number)) return std::nullopt;
  return static_cast<std::uint64_t>(number);
}

/// Returns whether the value is a whole number, even if the number is out of range. The caller
/// reports whole numbers out of range with another message.
bool looks_whole(const Json& value) {
  return value.is_number_integer() ||
         (value.is_number_float() && std::floor(value.get<double>()) == value.get<double>());
}

}  // namespace

std::optional<ConfigField> ConfigField::member(std::string_view name) const {
  if (!value_->is_object()) return std::nullopt;
  const auto found = value_->find(std::string(name));
  if (found == value_->end()) return std::nullopt;
  return ConfigField(*found, pointer_to(pointer_, name), *problems_);
}

std::vector<ConfigField> ConfigField::elements() const {
  std::vector<ConfigField> fields;
  if (!value_->is_array()) return fields;
  for (std::size_t i = 0; i < value_->size(); ++i) {
    fields.emplace_back((*value_)[i], pointer_to(pointer_, std::to_string(i)), *problems_);
  }
  return fields;
}

void ConfigField::complain(const std::string& text) const {
  problems_->add([&] { return shown_place(pointer_) + ": " + text; });
}

void ConfigField::complain_must_be(std::string_view allowed) const {
  problems_->add([&] {
    return shown_place(pointer_) + ": must be " + std::string(allowed) + ", got " +
           shown_json(*value_);
  });
}

void ConfigField::complain_of(std::string_view name, const std::string& text) const {
  problems_->add([&] { return shown_place(pointer_to(pointer_, name)) + ": " + text; });
}

std::string Interval::text() const {
  return (has_min ? "[" : "(") + number_text(min) + ", " + number_text(max) + (has_max ? "]" : ")");
}

bool check_members(const ConfigField& field, const std::vector<std::string_view>& allowed) {
  if (!field.value().is_object()) {
    field.complain_must_be("an object");
    return false;
  }
  std::string text;
  for (const auto& [name, value] : field.value().items()) {
    if (std::find(allowed.begin(), allowed.end(), name) != allowed.end()) continue;
    if (text.empty()) text = "unknown field, allowed: " + joined({allowed.begin(), allowed.end()});
    field.complain_of(name, text);
  }
  return true;
}

std::optional<std::uint64_t> read_integer(const ConfigField& field, std::uint64_t min,
                                          std::uint64_t max, std::string_view who) {
  const std::optional<std::uint64_t> number = whole_number_in(field.value());
  if (number && *number >= min && *number <= max) return number;
  const std::string range =
      "in [" + std::to_string(min) + ", " + std::to_string(max) + "]" + std::string(who);
  if (min == max) {
    field.complain_must_be(std::to_string(min) + std::string(who));
  } else {
    field.complain_must_be(looks_whole(field.value()) ? range : "a whole number " + range);
  }
  return std::nullopt;
}

std::optional<double> read_number(const ConfigField& field, const Interval& range) {
  if (field.value().is_number() && range.contains(field.value().get<double>())) {
    return field.value().get<double>();
  }
  field.complain_must_be((field.value().is_number() ? "in " : "a number in ") + range.text());
  return std::nullopt;
}

std::optional<std::string> read_text(const ConfigField& field) {
  if (field.value().is_string()) return field.value().get<std::string>();
  field.complain_must_be("a string");
  return std::nullopt;
}

}  // namespace bloometry
