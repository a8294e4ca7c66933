#pragma once

#include <nlohmann/json_fwd.hpp>
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

/// Reports every member of an object that is not in `allowed`, and returns true. If the value is
/// not an object, the function reports this problem and returns false.
bool check_members(const ConfigField& field, const std::vector<std::string_view>& allowed);

}  // namespace bloometry
