#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/plan/problem_list.hpp"

namespace bloometry {

/// One value of a config, with its position and the list of problems. A ConfigField is a view, so
/// the value and the list must outlive it. A function that reads a ConfigField reports a problem
/// and returns nullopt instead of throwing. One pass over a config therefore finds all problems of
/// the file.
class ConfigField {
 public:
  ConfigField(const nlohmann::json& value, std::string pointer, ProblemList& problems)
      : value_(&value), pointer_(std::move(pointer)), problems_(&problems) {}

  [[nodiscard]] const nlohmann::json& value() const noexcept { return *value_; }

  [[nodiscard]] const std::string& pointer() const noexcept { return pointer_; }

  /// Returns the member of an object, or nullopt if the value is not an object or does not have the
  /// member.
  [[nodiscard]] std::optional<ConfigField> member(std::string_view name) const;

  /// Returns the elements of a list.
  [[nodiscard]] std::vector<ConfigField> elements() const;

  /// Returns the number of problems found so far in the whole config.
  [[nodiscard]] std::size_t num_problems() const noexcept { return problems_->size(); }

  /// Records the problem `<pointer>: <text>`.
  void complain(const std::string& text) const;

  /// Records the problem `<pointer>: must be <allowed>, got <value>`.
  void complain_must_be(std::string_view allowed) const;

  /// Records the problem `<pointer>/<name>: <text>`. The field may lack a member of this name.
  void complain_of(std::string_view name, const std::string& text) const;

 private:
  const nlohmann::json* value_;
  std::string pointer_;
  ProblemList* problems_;
};

/// An interval of real numbers. Each end of the interval is closed or open.
struct Interval {
  double min;
  double max;
  bool has_min = true;
  bool has_max = true;

  [[nodiscard]] bool contains(double x) const noexcept {
    return (has_min ? x >= min : x > min) && (has_max ? x <= max : x < max);
  }

  [[nodiscard]] std::string text() const;
};

/// Reports every member of an object that is not in `allowed`, and returns true. If the value is
/// not an object, the function reports this problem and returns false.
bool check_members(const ConfigField& field, const std::vector<std::string_view>& allowed);

// The following functions read single values. Each function reports an invalid value and then
// returns nullopt.

/// Reads a whole number. The value 1e6 is a whole number, but 1.5 is not.
/// @param who text such as " for NAME" in error messages, if the range applies only to NAME
[[nodiscard]] std::optional<std::uint64_t> read_integer(const ConfigField& field, std::uint64_t min,
                                                        std::uint64_t max,
                                                        std::string_view who = {});
[[nodiscard]] std::optional<double> read_number(const ConfigField& field, const Interval& range);
[[nodiscard]] std::optional<std::string> read_text(const ConfigField& field);

}  // namespace bloometry
