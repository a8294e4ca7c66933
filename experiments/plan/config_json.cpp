#include <nlohmann/json.hpp>

#include "experiments/plan/config.hpp"
#include "experiments/plan/planned_filters.hpp"
#include "experiments/text/content_hash.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/unit/spec_text.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;

/// Returns the number as JSON. The JSON text of a whole number has no decimal point.
Json number_json(double value) {
  return Json::parse(number_text(value));
}

Json queries_json(const QueryPlan& queries) {
  if (!queries.relative_error) return queries.num_queries;
  return {{"relative_error", number_json(*queries.relative_error)},
          {"confidence", number_json(queries.confidence)},
          {"max_queries", queries.max_queries}};
}

Json keys_json(const std::vector<KeySource>& sources) {
  constexpr std::size_t kPrefix = std::string_view("file:").size();
  Json list = Json::array();
  for (const KeySource& source : sources) {
    if (source.kind == KeySource::Kind::kZipf) {
      list.push_back({{"zipf", number_json(source.zipf_exponent)}});
    } else if (source.kind != KeySource::Kind::kFile) {
      list.push_back(source.name);
    } else {
      list.push_back(
          {{"file", source.name.substr(kPrefix)}, {"content_hash", source.content_hash}});
      if (!source.label.empty()) list.back()["label"] = source.label;
    }
  }
  return list;
}

Json churn_json(const Churn& churn) {
  return {{"rounds", churn.rounds},
          {"erase", number_json(churn.erase)},
          {"reinsert", number_json(churn.reinsert)},
          {"wrongful_erases", number_json(churn.wrongful_erases)}};
}

/// Returns the JSON of a grid for one of its variants, because defaults of parameters differ
/// between variants.
Json grid_json(const Grid& grid, const VariantInfo& variant) {
  Json json = {{"variant", variant.name},
               {"num_keys", grid.num_keys},
               {"params", Json::parse(params_text(params_of(variant, grid)))}};
  if (grid.capacity) json["capacity"] = *grid.capacity;
  Json& sizes = json[grid.size_axis] = Json::array();
  for (const double size : grid.sizes) sizes.push_back(number_json(size));
  if (!variant.can(Operation::kGrow)) {
    json["num_hashes"] =
        grid.num_hashes.empty() ? Json(name_of(grid.best_num_hashes)) : Json(grid.num_hashes);
  }
  if (grid.churn) json["churn"] = churn_json(*grid.churn);
  return json;
}

Json charts_json(const std::vector<ChartRequest>& charts) {
  Json list = Json::array();
  for (const ChartRequest& request : charts) {
    Json chart = {{"chart", request.chart}};
    if (!request.x.empty()) chart["x"] = request.x;
    if (!request.facet.empty()) chart["facet"] = request.facet;
    list.push_back(std::move(chart));
  }
  return list;
}

}  // namespace

std::string_view name_of(BestNumHashes best) {
  return best == BestNumHashes::kAtCapacity ? "optimal_at_capacity" : "optimal_at_num_keys";
}

Json to_json(const Config& config) {
  Json grids = Json::array();
  for (const Grid& grid : config.grids) {
    for (const std::string& variant : grid.variants) {
      grids.push_back(grid_json(grid, find_variant(variant)));
    }
  }
  Json json = {{"name", config.name},
               {"question", config.question},
               {"seed", config.seed},
               {"trials", config.trials},
               {"queries", queries_json(config.queries)},
               {"keys", keys_json(config.keys)},
               {"hash", config.hashes},
               {"grids", std::move(grids)},
               {"report", charts_json(config.charts)}};
  if (!config.probes.empty()) json["probes"] = config.probes;
  return json;
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
