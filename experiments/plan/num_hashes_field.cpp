#include <algorithm>
#include <fmt/core.h>
#include <string>
#include <utility>

#include "core/probe/limits.hpp"
#include "core/text.hpp"
#include "experiments/plan/axis_values.hpp"
#include "experiments/plan/grid_fields.hpp"
#include "experiments/text/number_notation.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;
using VariantInfos = std::vector<const VariantInfo*>;

constexpr const char* kNumHashes = "num_hashes";
constexpr const char* kOptimal = "optimal";

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
  const Json& value = field.value();
  const bool is_at_capacity = value == name_of(BestNumHashes::kAtCapacity);
  if (value != kOptimal && value != name_of(BestNumHashes::kAtNumKeys) && !is_at_capacity) {
    return false;
  }
  if (is_at_capacity && !grid.capacity) {
    grid_field.complain_of(
        "capacity",
        fmt::format(
            "must be given with num_hashes {}: the number of keys for which filters are sized",
            value.dump()));
  }
  if (grid.capacity && value != name_of(BestNumHashes::kAtNumKeys)) {
    grid.best_num_hashes = BestNumHashes::kAtCapacity;
  }
  return true;
}

/// Reports variants that need num_hashes or do not accept it.
void check_presence(const ConfigField& field, const VariantInfos& infos) {
  const auto member = field.member(kNumHashes);
  for (const VariantInfo* info : infos) {
    const bool chooses = info->can(Operation::kGrow);
    if (member && chooses) {
      member->complain(
          fmt::format("must be left out for {}, which determines this value", info->name));
    } else if (!member && !chooses && info->min_num_hashes < info->max_num_hashes) {
      field.complain_of(kNumHashes,
                        fmt::format("must be given for {}: numbers in [{}, {}] or \"optimal\"",
                                    info->name, info->min_num_hashes, info->max_num_hashes));
    }
  }
}

void read_num_hashes(const ConfigField& field, Grid& grid) {
  const VariantInfos infos = variants_of(grid);
  check_presence(field, infos);
  const auto member = field.member(kNumHashes);
  if (!member || read_optimum(field, *member, grid)) return;
  const HashRange range(infos);
  const Json& value = member->value();
  if (value.is_string() && !read_whole(value.get_ref<const std::string&>())) {
    member->complain_must_be(
        fmt::format("\"optimal\" or numbers in [{}, {}]", range.min, range.max));
    return;
  }
  const auto axis = integer_axis(range.min, range.max, range.whose(infos)).read(*member);
  grid.num_hashes.assign(axis->begin(), axis->end());
}

void write_num_hashes(const Grid& grid, Json& json) {
  if (variants_of(grid).front()->can(Operation::kGrow)) return;
  json[kNumHashes] =
      grid.num_hashes.empty() ? Json(name_of(grid.best_num_hashes)) : Json(grid.num_hashes);
}

OrderedJson num_hashes_schema() {
  return {{"oneOf",
           {{{"enum",
              {kOptimal, name_of(BestNumHashes::kAtCapacity), name_of(BestNumHashes::kAtNumKeys)}}},
            integer_axis(1, kMaxNumHashes).schema()}}};
}

}  // namespace

std::string_view name_of(BestNumHashes best) {
  return best == BestNumHashes::kAtCapacity ? "optimal_at_capacity" : "optimal_at_num_keys";
}

FieldOf<Grid> num_hashes_field() {
  return {.name = kNumHashes,
          .description =
              "k: number of probes per key; optimal: the k with the lowest expected rate, at "
              "`capacity` if it is given, otherwise at each num_keys",
          .read = read_num_hashes,
          .write = write_num_hashes,
          .schema = num_hashes_schema};
}

}  // namespace bloometry
