#include "experiments/plan/config_field.hpp"

#include <algorithm>
#include <fmt/core.h>

#include "core/text.hpp"
#include "experiments/plan/json_document.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;

std::string shown_place(const std::string& pointer) {
  return pointer.empty() ? "config" : printable(pointer, kMaxShownPointer);
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
  problems_->add([&] { return fmt::format("{}: {}", shown_place(pointer_), text); });
}

void ConfigField::complain_must_be(std::string_view allowed) const {
  problems_->add([&] {
    return fmt::format("{}: must be {}, got {}", shown_place(pointer_), allowed,
                       shown_json(*value_));
  });
}

void ConfigField::complain_of(std::string_view name, const std::string& text) const {
  problems_->add(
      [&] { return fmt::format("{}: {}", shown_place(pointer_to(pointer_, name)), text); });
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

}  // namespace bloometry
