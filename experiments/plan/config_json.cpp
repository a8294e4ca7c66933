#include <utility>

#include "experiments/plan/config.hpp"
#include "experiments/plan/config_fields.hpp"
#include "experiments/text/content_hash.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;

/// Returns the grids divided into grids of one variant, because defaults of parameters differ
/// between variants.
std::vector<Grid> grids_of_one_variant(const std::vector<Grid>& grids) {
  std::vector<Grid> divided;
  for (const Grid& grid : grids) {
    for (const std::string& variant : grid.variants) {
      divided.push_back(grid);
      divided.back().variants = {variant};
    }
  }
  return divided;
}

}  // namespace

Json to_json(const Config& config) {
  Config resolved = config;
  resolved.grids = grids_of_one_variant(config.grids);
  return write_fields(resolved, config_fields({}));
}

std::string config_hash(const Config& config) {
  return content_hash(to_json(config).dump());
}

std::string run_id(const Config& config) {
  Json json = to_json(config);
  json.erase("question");
  json.erase("report");
  for (Json& keys : json["keys"]) {
    if (keys.is_object()) keys.erase("label");
  }
  return content_hash(json.dump()).substr(0, 12);
}

}  // namespace bloometry
