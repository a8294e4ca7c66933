#include "experiments/plan/grid_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/probe/limits.hpp"
#include "core/text.hpp"
#include "experiments/plan/axis_values.hpp"
#include "experiments/plan/plan_limits.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

using VariantInfos = std::vector<const VariantInfo*>;

std::vector<std::string> variant_names() {
  std::vector<std::string> names;
  for (const VariantInfo& info : all_variant_infos()) names.emplace_back(info.name);
  return names;
}

VariantInfos infos_of(const std::vector<std::string>& names) {
  VariantInfos infos;
  for (const std::string& name : names) infos.push_back(&find_variant(name));
  return infos;
}

std::vector<std::string> read_variants(const ConfigField& field) {
  if (const auto member = field.member("variant")) return read_names(*member, variant_names());
  field.complain_of("variant", "must be given: one of " + joined(variant_names()));
  return {};
}

std::vector<std::uint64_t> read_num_keys(const ConfigField& field) {
  if (const auto member = field.member("num_keys")) return read_integer_axis(*member, 0, kMaxKeys);
  field.complain_of("num_keys", "must be given: a number, a list or a range of numbers");
  return {};
}

template <class Axes>
std::vector<std::string> names_of_axes(const Axes& axes) {
  std::vector<std::string> names;
  for (const SizeAxis axis : axes) names.emplace_back(name_of(axis));
  return names;
}

/// Returns the size axis of the grid. read_size_axis() reports a problem unless the grid has
/// exactly one size axis.
std::optional<SizeAxis> read_size_axis(const ConfigField& field) {
  std::vector<SizeAxis> all;
  std::vector<SizeAxis> given;
  for (const SizeAxisInfo& info : kSizeAxes) {
    all.push_back(info.axis);
    if (field.member(info.name)) given.push_back(info.axis);
  }
  if (given.size() == 1) return given.front();
  field.complain("must have exactly one of " + joined(names_of_axes(all)) + ", got " +
                 (given.empty() ? "none" : joined(names_of_axes(given))));
  return std::nullopt;
}

std::vector<double> read_sizes(const ConfigField& field, SizeAxis axis) {
  if (info_of(axis).is_integer()) {
    const std::vector<std::uint64_t> sizes = read_integer_axis(field, 1, kMaxSize);
    return {sizes.begin(), sizes.end()};
  }
  const bool is_rate = axis == SizeAxis::kRate;
  return read_real_axis(
      field,
      {.min = 0, .max = is_rate ? 1 : kMaxBitsPerKey, .has_min = false, .has_max = !is_rate});
}

void read_size(const ConfigField& field, const VariantInfos& infos, Grid& grid) {
  const std::optional<SizeAxis> axis = read_size_axis(field);
  if (!axis) return;
  grid.size_axis = name_of(*axis);
  const ConfigField sizes = *field.member(grid.size_axis);
  grid.sizes = read_sizes(sizes, *axis);
  for (const VariantInfo* info : infos) {
    if (info->has_size_axis(*axis)) continue;
    sizes.complain("must be left out for " + std::string(info->name) + "; use " +
                   one_of_text(names_of_axes(info->size_axes)));
  }
}

/// The range of k that every variant of the grid accepts.
struct HashRange {
  explicit HashRange(const VariantInfos& infos) {
    for (const VariantInfo* info : infos) {
      if (info->can(Operation::kGrow)) continue;
      min = std::max(min, info->min_num_hashes);
      max = std::min(max, info->max_num_hashes);
    }
  }

  /// Returns a phrase such as " for blocked" with the variants whose own limits set a bound of the
  /// range. The phrase is empty if the bounds are the general limits.
  [[nodiscard]] std::string whose(const VariantInfos& infos) const {
    std::vector<std::string_view> names;
    for (const VariantInfo* info : infos) {
      const bool sets_min = info->min_num_hashes > 1 && info->min_num_hashes == min;
      const bool sets_max = info->max_num_hashes < kMaxNumHashes && info->max_num_hashes == max;
      if (sets_min || sets_max) names.push_back(info->name);
    }
    return names.empty() ? "" : " for " + joined(names);
  }

  unsigned min = 1;
  unsigned max = kMaxNumHashes;
};

/// Returns whether the grid requests the best k, and sets grid.best_num_hashes. If the grid has a
/// capacity, "optimal" means the best k at the capacity.
bool read_optimum(const ConfigField& grid_field, const ConfigField& field, Grid& grid) {
  const nlohmann::json& value = field.value();
  const bool is_at_capacity = value == name_of(BestNumHashes::kAtCapacity);
  if (value != "optimal" && value != name_of(BestNumHashes::kAtNumKeys) && !is_at_capacity) {
    return false;
  }
  if (is_at_capacity && !grid.capacity) {
    grid_field.complain_of("capacity", "must be given with num_hashes " + value.dump() +
                                           ": the number of keys for which filters are sized");
  }
  if (grid.capacity && value != name_of(BestNumHashes::kAtNumKeys)) {
    grid.best_num_hashes = BestNumHashes::kAtCapacity;
  }
  return true;
}

/// Reads num_hashes. num_hashes is not allowed for filters that grow, because the variant chooses k
/// per stage. For other filters, num_hashes is required unless only one value is valid.
void read_num_hashes(const ConfigField& field, const VariantInfos& infos, Grid& grid) {
  const auto member = field.member("num_hashes");
  for (const VariantInfo* info : infos) {
    const bool chooses = info->can(Operation::kGrow);
    if (member && chooses) {
      member->complain("must be left out for " + std::string(info->name) +
                       ", which determines this value");
    } else if (!member && !chooses && info->min_num_hashes < info->max_num_hashes) {
      field.complain_of("num_hashes", "must be given for " + std::string(info->name) +
                                          ": numbers in [" + std::to_string(info->min_num_hashes) +
                                          ", " + std::to_string(info->max_num_hashes) +
                                          "] or \"optimal\"");
    }
  }
  if (!member || read_optimum(field, *member, grid)) return;
  const HashRange range(infos);
  if (member->value().is_string()) {
    member->complain_must_be("\"optimal\" or numbers in [" + std::to_string(range.min) + ", " +
                             std::to_string(range.max) + "]");
    return;
  }
  for (const std::uint64_t k :
       read_integer_axis(*member, range.min, range.max, range.whose(infos))) {
    grid.num_hashes.push_back(static_cast<unsigned>(k));
  }
}

std::optional<ParamValue> read_param_value(const ConfigField& field) {
  const nlohmann::json& value = field.value();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  const bool is_integer_list =
      value.is_array() && std::all_of(value.begin(), value.end(),
                                      [](const auto& item) { return item.is_number_integer(); });
  if (is_integer_list) return value.get<std::vector<std::int64_t>>();
  field.complain_must_be("a number, a string or a list of integers");
  return std::nullopt;
}

const ParamInfo* find_param(const VariantInfo& variant, std::string_view name) {
  for (const ParamInfo& info : variant.params) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

/// Returns the message for a parameter that is not a parameter of any variant of the grid.
std::string unknown_param_text(const VariantInfos& infos) {
  std::string allowed;
  std::vector<std::string> without;
  for (const VariantInfo* variant : infos) {
    std::vector<std::string> names;
    for (const ParamInfo& info : variant->params) names.emplace_back(info.name);
    if (names.empty()) {
      without.emplace_back(variant->name);
    } else {
      allowed += "; allowed for " + std::string(variant->name) + ": " + joined(names);
    }
  }
  if (!allowed.empty()) return "unknown parameter" + allowed;
  return "must be left out for " + joined(without) + ", which does not have parameters";
}

/// Checks that at least one variant of the grid has the parameter, and that all such variants
/// accept the value.
void check_param_of(const ConfigField& field, std::string_view name, const ParamValue& value,
                    const VariantInfos& infos) {
  bool is_known = false;
  for (const VariantInfo* variant : infos) {
    const ParamInfo* info = find_param(*variant, name);
    if (info == nullptr) continue;
    is_known = true;
    const std::string complaint = check_param(*info, value);
    if (!complaint.empty()) {
      field.complain(complaint + " (" + std::string(variant->name) + ")");
    }
  }
  if (!is_known && !infos.empty()) {
    field.complain(unknown_param_text(infos));
  }
}

void read_params(const ConfigField& field, const VariantInfos& infos, Grid& grid) {
  const auto member = field.member("params");
  if (!member) return;
  if (!member->value().is_object()) {
    member->complain_must_be("an object");
    return;
  }
  for (const auto& [name, value] : member->value().items()) {
    const ConfigField param = *member->member(name);
    const std::optional<ParamValue> read = read_param_value(param);
    if (!read) continue;
    check_param_of(param, name, *read, infos);
    grid.params.emplace(name, *read);
  }
}

/// Reads a share in [0, 1]. A missing share is 0, or is reported as a problem if the share is
/// required.
double read_share(const ConfigField& field, std::string_view name, bool is_required) {
  if (const auto member = field.member(name)) {
    return read_number(*member, {.min = 0, .max = 1}).value_or(0);
  }
  if (is_required) field.complain_of(name, "must be given: a number in [0, 1]");
  return 0;
}

std::uint64_t read_rounds(const ConfigField& field) {
  if (const auto member = field.member("rounds")) {
    return read_integer(*member, 1, kMaxChurnRounds).value_or(1);
  }
  field.complain_of(
      "rounds", "must be given: a whole number in [1, " + std::to_string(kMaxChurnRounds) + "]");
  return 1;
}

void read_churn(const ConfigField& field, const VariantInfos& infos, Grid& grid) {
  const auto member = field.member("churn");
  if (!member) return;
  for (const VariantInfo* info : infos) {
    if (info->can(Operation::kErase)) continue;
    member->complain("must be left out for " + std::string(info->name) + ", which cannot erase");
  }
  if (!check_members(*member, {"rounds", "erase", "reinsert", "wrongful_erases"})) return;
  grid.churn = Churn{.rounds = read_rounds(*member),
                     .erase = read_share(*member, "erase", true),
                     .reinsert = read_share(*member, "reinsert", false),
                     .wrongful_erases = read_share(*member, "wrongful_erases", false)};
}

}  // namespace

std::vector<std::string> read_names(const ConfigField& field,
                                    const std::vector<std::string>& allowed) {
  if (field.value().is_array() && field.value().empty()) {
    field.complain_must_be("a name or a list of at least one name");
    return {};
  }
  std::vector<std::string> names;
  const auto elements =
      field.value().is_array() ? field.elements() : std::vector<ConfigField>{field};
  for (const ConfigField& element : elements) {
    const nlohmann::json& value = element.value();
    if (!value.is_string() ||
        std::find(allowed.begin(), allowed.end(), value.get<std::string>()) == allowed.end()) {
      element.complain_must_be("one of " + joined(allowed));
    } else if (std::find(names.begin(), names.end(), value.get<std::string>()) == names.end()) {
      names.push_back(value.get<std::string>());
    }
  }
  return names;
}

std::optional<Grid> read_grid(const ConfigField& field) {
  const std::size_t num_problems = field.num_problems();
  std::vector<std::string_view> members = {"variant", "num_keys", "capacity"};
  for (const SizeAxisInfo& info : kSizeAxes) members.push_back(info.name);
  members.insert(members.end(), {"num_hashes", "params", "churn"});
  if (!check_members(field, members)) return std::nullopt;
  Grid grid;
  grid.variants = read_variants(field);
  const VariantInfos infos = infos_of(grid.variants);
  grid.num_keys = read_num_keys(field);
  if (const auto member = field.member("capacity")) {
    grid.capacity = read_integer(*member, 1, kMaxKeys);
  }
  read_size(field, infos, grid);
  read_num_hashes(field, infos, grid);
  read_params(field, infos, grid);
  read_churn(field, infos, grid);
  if (field.num_problems() > num_problems) return std::nullopt;
  return grid;
}

}  // namespace bloometry
