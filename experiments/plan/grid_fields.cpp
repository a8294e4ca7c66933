#include "experiments/plan/grid_fields.hpp"

#include <fmt/core.h>
#include <optional>
#include <utility>

#include "core/text.hpp"
#include "experiments/plan/axis_values.hpp"
#include "experiments/plan/plan_limits.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

FieldOf<Grid> variant_field() {
  FieldOf<Grid> field = required_field("variant", &Grid::variants,
                                       one_or_more(defined_as("variant", one_of(variant_names()))),
                                       "See `bloometry variants`");
  field.write = [](const Grid& grid, Json& json) { json["variant"] = grid.variants.front(); };
  return field;
}

template <class Axes>
std::vector<std::string> names_of_axes(const Axes& axes) {
  std::vector<std::string> names;
  for (const SizeAxis axis : axes) names.emplace_back(name_of(axis));
  return names;
}

/// Sets the size axis of the grid. Reports a problem unless the grid has exactly one size axis.
void read_size_axis(const ConfigField& field, Grid& grid) {
  std::vector<SizeAxis> all;
  std::vector<SizeAxis> given;
  for (const SizeAxisInfo& info : kSizeAxes) {
    all.push_back(info.axis);
    if (field.member(info.name)) given.push_back(info.axis);
  }
  if (given.size() == 1) {
    grid.size_axis = name_of(given.front());
    return;
  }
  field.complain(fmt::format("must have exactly one of {}, got {}", joined(names_of_axes(all)),
                             given.empty() ? "none" : joined(names_of_axes(given))));
}

/// An axis of whole numbers as real numbers.
ConfigValue<std::vector<double>> real_numbers_of(
    const ConfigValue<std::vector<std::uint64_t>>& axis) {
  ConfigValue<std::vector<double>> numbers = real_axis({.min = 0, .max = 0});
  numbers.read = [axis](const ConfigField& field) {
    const std::vector<std::uint64_t> values = axis.read(field).value();
    return std::optional(std::vector<double>(values.begin(), values.end()));
  };
  numbers.schema = axis.schema;
  return numbers;
}

ConfigValue<std::vector<double>> sizes_on(const SizeAxisInfo& info) {
  if (info.axis == SizeAxis::kNumBits) return real_numbers_of(bits_axis(1, kMaxSize));
  if (info.is_integer()) return real_numbers_of(integer_axis(1, kMaxSize));
  const bool is_rate = info.axis == SizeAxis::kRate;
  return real_axis(
      {.min = 0, .max = is_rate ? 1 : kMaxBitsPerKey, .has_min = false, .has_max = !is_rate});
}

/// Reports variants that do not have the size axis.
void require_size_axis(const ConfigField& sizes, SizeAxis axis, const Grid& grid) {
  for (const VariantInfo* info : variants_of(grid)) {
    if (info->has_size_axis(axis)) continue;
    sizes.complain(fmt::format("must be left out for {}; use {}", info->name,
                               one_of_text(names_of_axes(info->size_axes))));
  }
}

/// Returns the field of one size axis. A grid with another axis does not read or write the field.
FieldOf<Grid> size_field(const SizeAxisInfo& info) {
  FieldOf<Grid> field = optional_field(std::string(info.name), &Grid::sizes, sizes_on(info),
                                       std::string(info.meaning));
  field.read = [info, read = field.read](const ConfigField& object, Grid& grid) {
    if (grid.size_axis != info.name) return;
    read(object, grid);
    require_size_axis(*object.member(info.name), info.axis, grid);
  };
  field.write = [info, write = field.write](const Grid& grid, Json& json) {
    if (grid.size_axis == info.name) write(grid, json);
  };
  return field;
}

/// A share in [0, 1].
ConfigValue<double> share() {
  return real_number({.min = 0, .max = 1});
}

FieldTable<Churn> churn_fields() {
  return {
      required_field("rounds", &Churn::rounds, whole_number(1, kMaxChurnRounds)),
      required_field("erase", &Churn::erase, share()),
      default_field("reinsert", &Churn::reinsert, share(),
                    "Share of num_keys that is inserted again; if fewer keys are removed, all of "
                    "them"),
      default_field("wrongful_erases", &Churn::wrongful_erases, share(),
                    "Share of the erases that apply to keys that test positive but were never "
                    "inserted")};
}

void require_erasing_variants(const ConfigField& field, const Grid& grid) {
  for (const VariantInfo* info : variants_of(grid)) {
    if (info->can(Operation::kErase)) continue;
    field.complain(fmt::format("must be left out for {}, which cannot erase", info->name));
  }
}

FieldOf<Grid> churn_field() {
  FieldOf<Grid> field = optional_field(
      "churn", &Grid::churn, object_of(churn_fields()),
      "Keys erased and inserted again before the measurement, as shares of num_keys per round");
  field.read = [read = field.read](const ConfigField& object, Grid& grid) {
    if (const auto churn = object.member("churn")) require_erasing_variants(*churn, grid);
    read(object, grid);
  };
  return field;
}

FieldTable<Grid> grid_fields() {
  FieldTable<Grid> fields = {
      variant_field(),
      required_field("num_keys", &Grid::num_keys, integer_axis(0, kMaxKeys),
                     "n: distinct keys inserted"),
      optional_field("capacity", &Grid::capacity, whole_number(1, kMaxKeys),
                     "Number of keys for which the filter is sized; every num_keys is a checkpoint "
                     "of one filter"),
      {.read = read_size_axis}};
  for (const SizeAxisInfo& info : kSizeAxes) fields.push_back(size_field(info));
  fields.insert(fields.end(), {num_hashes_field(), params_field(), churn_field()});
  return fields;
}

OrderedJson grid_schema(const FieldTable<Grid>& fields) {
  OrderedJson schema = schema_of(fields);
  for (const SizeAxisInfo& info : kSizeAxes) {
    schema["oneOf"].push_back({{"required", {std::string(info.name)}}});
  }
  return described(schema, "All combinations of the values of its axes, for each of its variants");
}

}  // namespace

std::vector<std::string> variant_names() {
  std::vector<std::string> names;
  for (const VariantInfo& info : all_variant_infos()) names.emplace_back(info.name);
  return names;
}

std::vector<const VariantInfo*> variants_of(const Grid& grid) {
  std::vector<const VariantInfo*> infos;
  for (const std::string& name : grid.variants) infos.push_back(&find_variant(name));
  return infos;
}

ConfigValue<Grid> grid_value() {
  ConfigValue<Grid> value = object_of(grid_fields());
  value.read = [read = value.read](const ConfigField& field) {
    const std::size_t num_problems = field.num_problems();
    std::optional<Grid> grid = read(field);
    return field.num_problems() > num_problems ? std::nullopt : std::move(grid);
  };
  value.schema = [] { return grid_schema(grid_fields()); };
  return value;
}

}  // namespace bloometry
