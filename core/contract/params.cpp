#include "core/contract/params.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"

namespace bloometry {
namespace {

bool is_choice(std::string_view choices, std::string_view word) {
  while (!choices.empty()) {
    const std::size_t bar = choices.find('|');
    if (choices.substr(0, bar) == word) return true;
    choices.remove_prefix(bar == std::string_view::npos ? choices.size() : bar + 1);
  }
  return false;
}

/// Returns the choices for an error message, such as "256 or 512" for 256|512.
std::string alternatives(std::string_view choices) {
  std::string text;
  for (const char c : choices) c == '|' ? text.append(" or ") : text.append(1, c);
  return text;
}

std::string allowed_text(const ParamInfo& info) {
  switch (info.kind) {
    case ParamKind::kInteger:
      if (!info.choices.empty()) return alternatives(info.choices);
      return "a whole number in [" + shortest_text(info.min) + ", " + shortest_text(info.max) + "]";
    case ParamKind::kReal:
      return "a number in [" + shortest_text(info.min) + ", " + shortest_text(info.max) + "]";
    case ParamKind::kText:
      return alternatives(info.choices);
    case ParamKind::kIntegerList:
      return "a list of whole numbers in [" + shortest_text(info.min) + ", " +
             shortest_text(info.max) + "]";
  }
  return {};
}

bool in_range(const ParamInfo& info, double value) {
  return std::isfinite(value) && value >= info.min && value <= info.max;
}

bool is_allowed(const ParamInfo& info, const ParamValue& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    if (info.kind == ParamKind::kInteger) {
      return in_range(info, *number) && *number == std::floor(*number) &&
             (info.choices.empty() || is_choice(info.choices, shortest_text(*number)));
    }
    return info.kind == ParamKind::kReal && in_range(info, *number);
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    return info.kind == ParamKind::kText && is_choice(info.choices, *text);
  }
  const auto& list = std::get<std::vector<std::int64_t>>(value);
  if (info.kind != ParamKind::kIntegerList || list.empty()) return false;
  for (const std::int64_t item : list) {
    if (!in_range(info, static_cast<double>(item))) return false;
  }
  return true;
}

std::string unknown_name(std::string_view variant, std::span<const ParamInfo> infos,
                         std::string_view name) {
  const std::string given = ", got '" + std::string(name) + "'";
  if (infos.empty()) {
    return "params must be left out for " + std::string(variant) +
           ", which does not have parameters" + given;
  }
  std::vector<std::string_view> names;
  for (const ParamInfo& info : infos) names.push_back(info.name);
  return "params of " + std::string(variant) + " must be " + one_of_text(names) + given;
}

/// Returns the value for an error message. Long values are shortened, because a file may contain a
/// list or string of megabytes.
std::string shown(const ParamValue& value) {
  constexpr std::size_t kMostItems = 10;
  constexpr std::size_t kMostLetters = 80;
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
    if (list->size() > kMostItems) {
      return "a list of " + std::to_string(list->size()) + " numbers";
    }
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (text->size() > kMostLetters) return text->substr(0, kMostLetters) + "...";
  }
  return to_string(value);
}

}  // namespace

const ParamInfo* find_param(std::span<const ParamInfo> infos, std::string_view name) noexcept {
  for (const ParamInfo& info : infos) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

std::string to_string(const ParamValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return shortest_text(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  std::string list = "[";
  for (const std::int64_t item : std::get<std::vector<std::int64_t>>(value)) {
    list.append(list.size() > 1 ? "," : "").append(std::to_string(item));
  }
  return list + "]";
}

std::string check_param(const ParamInfo& info, const ParamValue& value) {
  if (is_allowed(info, value)) return {};
  return "must be " + allowed_text(info) + ", got " + shown(value);
}

Params resolve_params(std::string_view variant, std::span<const ParamInfo> infos,
                      const Params& given) {
  std::vector<Problem> problems;
  Params resolved = given;
  for (const auto& [name, value] : given) {
    if (const ParamInfo* info = find_param(infos, name)) {
      const std::string complaint = check_param(*info, value);
      if (!complaint.empty()) problems.push_back({.field = name, .text = complaint});
    } else {
      problems.push_back({.text = unknown_name(variant, infos, name)});
    }
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
  for (const ParamInfo& info : infos) {
    if (!info.has_default || resolved.contains(info.name)) continue;
    if (info.kind == ParamKind::kText) {
      resolved.emplace(info.name, std::string(info.default_text));
    } else {
      resolved.emplace(info.name, info.default_number);
    }
  }
  return resolved;
}

double number_param(const Params& resolved, std::string_view name) {
  return std::get<double>(resolved.find(name)->second);
}

const std::string& text_param(const Params& resolved, std::string_view name) {
  return std::get<std::string>(resolved.find(name)->second);
}

}  // namespace bloometry
