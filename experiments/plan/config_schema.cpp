#include "experiments/plan/config_schema.hpp"

#include "experiments/plan/config_fields.hpp"
#include "experiments/plan/grid_checks.hpp"
#include "experiments/plan/grid_fields.hpp"

namespace bloometry {

std::string config_schema() {
  nlohmann::ordered_json schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "bloometry sweep"},
      {"description",
       "A sweep of Bloom filters over n, m and k, for completion in editors. Numbers may also be "
       "texts such as \"1M\", \"0.1 %\" and \"1/1000\". `bloometry sweep schema` prints this "
       "schema; `bloometry sweep validate` checks further conditions."}};
  schema.update(schema_of(config_fields({})));
  schema["$defs"] = {{"variant", one_of(variant_names()).schema()},
                     {"hash_family", one_of(hash_names()).schema()},
                     {"probe_scheme", one_of(all_scheme_names()).schema()},
                     {"key_source", key_source_value({}).schema()},
                     {"grid", grid_value().schema()},
                     {"chart", chart_value().schema()},
                     {"chart_axis", one_of_all(kChartAxisNames).schema()}};
  return schema.dump(2) + "\n";
}

}  // namespace bloometry
