#include "experiments/plan/config_field.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <span>

#include "core/text.hpp"
#include "experiments/plan/json_document.hpp"
#include "experiments/text/closest.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;

std::string shown_place(const std::string& pointer) {
  return pointer.empty() ? "config" : printable(pointer, kMaxShownPointer);
}

/// A word of papers or of other programs for a field.
struct OtherWord {
  std::string_view word;
  std::string_view field;
};

constexpr std::array kOtherWords = {OtherWord{"n", "num_keys"},
                                    OtherWord{"keys", "num_keys"},
                                    OtherWord{"items", "num_keys"},
                                    OtherWord{"m", "num_bits"},
                                    OtherWord{"bits", "num_bits"},
                                    OtherWord{"size", "num_bits"},
                                    OtherWord{"memory", "num_bits"},
                                    OtherWord{"k", "num_hashes"},
                                    OtherWord{"p", "target_false_positive_rate"},
                                    OtherWord{"rate", "target_false_positive_rate"},
                                    OtherWord{"fpr", "target_false_positive_rate"},
                                    OtherWord{"fpp", "target_false_positive_rate"},
                                    OtherWord{"error_rate", "target_false_positive_rate"},
                                    OtherWord{"variants", "variant"},
                                    OtherWord{"num_trials", "trials"},
                                    OtherWord{"num_queries", "queries"},
                                    OtherWord{"charts", "report"}};

/// Returns a suggestion for an unknown field. A field of a grid may have been given outside of the
/// grids.
std::string suggested_field(std::string_view name, std::span<const std::string> allowed) {
  const auto is_allowed = [&](std::string_view field) {
    return std::ranges::find(allowed, field) != allowed.end();
  };
  for (const OtherWord& other : kOtherWords) {
    if (name != other.word && name != other.field) continue;
    if (is_allowed(other.field)) return fmt::format("; did you mean {}?", other.field);
    if (is_allowed("grids")) return fmt::format("; did you mean {} in grids?", other.field);
  }
  return suggestion(name, allowed);
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
  const std::vector<std::string> names(allowed.begin(), allowed.end());
  const std::string unknown = "unknown field, allowed: " + joined(names);
  for (const auto& [name, value] : field.value().items()) {
    if (std::ranges::find(names, name) != names.end()) continue;
    // A file may have a million unknown fields, of which the list of problems keeps twenty.
    const bool is_kept = field.num_problems() < ProblemList::kMaxKept;
    field.complain_of(name, is_kept ? unknown + suggested_field(name, names) : unknown);
  }
  return true;
}

}  // namespace bloometry
