#include "experiments/plan/grid_fields.hpp"

#include <fmt/core.h>
#include <initializer_list>
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

constexpr const char* kInsertsPerTick = "inserts_per_tick";

ConfigValue<std::uint64_t> inserts_per_tick() {
  return whole_number(1, kMaxKeys);
}

/// Returns the field that names the unit of a window. The window stores the inserts per tick, which
/// are 0 for the unit `keys`.
FieldOf<StreamWindow> window_unit_field() {
  const ConfigValue<std::string> value = one_of({"keys", "ticks"});
  return {.name = "unit",
          .description = "Whether the size is a number of insert calls or of ticks of the filter",
          .is_required = true,
          .read =
              [value](const ConfigField& object, StreamWindow&) {
                const auto unit = object.member("unit");
                if (!unit) return object.complain_of("unit", "must be given: " + value.allowed);
                if (!value.read(*unit)) return;
                const bool is_in_ticks = unit->value() == "ticks";
                const auto inserts = object.member(kInsertsPerTick);
                if (is_in_ticks && !inserts) {
                  object.complain_of(kInsertsPerTick, "must be given with unit ticks: " +
                                                          inserts_per_tick().allowed);
                } else if (!is_in_ticks && inserts) {
                  inserts->complain("must be left out with unit keys");
                }
              },
          .write = [](const StreamWindow& window,
                      Json& json) { json["unit"] = std::string(window.unit()); },
          .schema = value.schema};
}

FieldOf<StreamWindow> inserts_per_tick_field() {
  FieldOf<StreamWindow> field =
      optional_field(kInsertsPerTick, &StreamWindow::inserts_per_tick, inserts_per_tick(),
                     "Insert calls between two ticks; required with unit ticks");
  field.write = [write = field.write](const StreamWindow& window, Json& json) {
    if (window.is_in_ticks()) write(window, json);
  };
  return field;
}

FieldTable<StreamWindow> window_fields() {
  return {required_field("size", &StreamWindow::size, whole_number(1, kMaxKeys),
                         "Number of insert calls, or of ticks, for which a key stays in the "
                         "window; a filter that forgets is sized for these insert calls"),
          window_unit_field(), inserts_per_tick_field(),
          default_field("reinsert", &StreamWindow::reinsert, share(),
                        "Share of the insert calls that insert a key of the window again"),
          default_field("erase", &StreamWindow::erase, share(),
                        "Share of the insert calls after which a key of the window is erased")};
}

/// Reports variants that cannot erase in a window with erases.
void require_no_erases(const ConfigField& window, const Grid& grid) {
  const auto erase = window.member("erase");
  if (!erase || !grid.window || grid.window->erase == 0) return;
  for (const VariantInfo* info : variants_of(grid)) {
    if (info->can(Operation::kErase)) continue;
    erase->complain(fmt::format("must be 0 for {}, which cannot erase, got {}", info->name,
                                erase->value().dump()));
  }
}

/// Reports a window with more insert calls than a stream can have.
void require_countable(const ConfigField& field, const StreamWindow& window) {
  if (!window.is_in_ticks() || window.size <= kMaxKeys / window.inserts_per_tick) return;
  field.complain(fmt::format("size * {} must be at most {}, got {} * {}", kInsertsPerTick, kMaxKeys,
                             window.size, window.inserts_per_tick));
}

/// Reports a field that is given together with one of the others.
void require_alone(const ConfigField& object, const char* name,
                   std::initializer_list<const char*> others) {
  const auto member = object.member(name);
  if (!member) return;
  for (const char* other : others) {
    if (object.member(other)) member->complain(fmt::format("must be left out with {}", other));
  }
}

FieldOf<Grid> window_field() {
  FieldOf<Grid> field = optional_field(
      "window", &Grid::window, object_of(window_fields()),
      "Stream of num_keys insert calls, after which the keys of a window must be found");
  field.read = [read = field.read](const ConfigField& object, Grid& grid) {
    const auto window = object.member("window");
    require_alone(object, "window", {"churn"});
    read(object, grid);
    if (!window || !grid.window) return;
    require_no_erases(*window, grid);
    require_countable(*window, *grid.window);
  };
  return field;
}

/// Returns the field that names the rule of inserts.
FieldOf<ItemStream> stream_insert_field() {
  const ConfigValue<std::string> value = one_of({"passed", "all"});
  return {.name = "insert",
          .description = "Whether only items that passed are inserted, or all; default: passed",
          .read =
              [value](const ConfigField& object, ItemStream& stream) {
                const auto rule = object.member("insert");
                if (!rule || !value.read(*rule)) return;
                const bool is_all = rule->value() == "all";
                stream.insert = is_all ? ItemStream::Insert::kAll : ItemStream::Insert::kPassed;
              },
          .write = [](const ItemStream& stream,
                      Json& json) { json["insert"] = std::string(stream.insert_name()); },
          .schema = value.schema};
}

FieldTable<ItemStream> stream_fields() {
  return {required_field("zipf", &ItemStream::zipf,
                         real_number({.min = 0, .max = kMaxZipfExponent, .has_min = false}),
                         "Exponent of the Zipf law of the items' keys"),
          required_field("num_distinct", &ItemStream::num_distinct, whole_number(1, kMaxZipfRanks),
                         "Number of keys of which the stream consists"),
          stream_insert_field(),
          default_field("clear_every", &ItemStream::clear_every, whole_number(0, kMaxKeys),
                        "Number of inserts after which the filter is cleared; 0 for never")};
}

/// Reports variants whose memory is not fixed, or which refuse inserts.
void require_fixed_memory(const ConfigField& field, const Grid& grid) {
  for (const VariantInfo* info : variants_of(grid)) {
    if (!info->is_limited && !info->can(Operation::kGrow)) continue;
    field.complain(fmt::format("must be left out for {}, which {}", info->name,
                               info->is_limited ? "refuses inserts" : "grows"));
  }
}

FieldOf<Grid> stream_field() {
  FieldOf<Grid> field = optional_field(
      "stream", &Grid::stream, object_of(stream_fields()),
      "Stream of num_keys items with repeated keys, of which the filter stops the duplicates");
  field.read = [read = field.read](const ConfigField& object, Grid& grid) {
    require_alone(object, "stream", {"churn", "window"});
    if (const auto stream = object.member("stream")) require_fixed_memory(*stream, grid);
    read(object, grid);
  };
  return field;
}

FieldTable<Grid> grid_fields() {
  FieldTable<Grid> fields = {
      variant_field(),
      required_field("num_keys", &Grid::num_keys, integer_axis(0, kMaxKeys),
                     "n: distinct keys inserted; insert calls with a window; items with a stream"),
      optional_field("capacity", &Grid::capacity, whole_number(1, kMaxKeys),
                     "Number of keys for which the filter is sized; every num_keys is a checkpoint "
                     "of one filter"),
      {.read = read_size_axis}};
  for (const SizeAxisInfo& info : kSizeAxes) fields.push_back(size_field(info));
  fields.insert(fields.end(), {num_hashes_field(), params_field(), churn_field(), window_field(),
                               stream_field()});
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
