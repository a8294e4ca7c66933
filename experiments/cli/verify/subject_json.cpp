#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "core/statistics/binomial_interval.hpp"
#include "experiments/cli/terminal/optional_json.hpp"
#include "experiments/cli/verify/subject_output.hpp"
#include "experiments/unit/spec_text.hpp"

namespace bloometry {
namespace {

using OrderedJson = nlohmann::ordered_json;

double rate(std::uint64_t num_false_positives, std::uint64_t num_queries) {
  return static_cast<double>(num_false_positives) /
         static_cast<double>(std::max<std::uint64_t>(1, num_queries));
}

OrderedJson claim_json(const Claim& claim) {
  OrderedJson json = {{"variant", claim.variant},
                      {"probe_model", std::string(1, static_cast<char>(claim.model))},
                      {"num_keys", claim.num_keys},
                      {"num_cells", claim.num_cells},
                      {"num_hashes", claim.num_hashes},
                      {"expected_false_positive_rate", claim.law.expected_rate}};
  if (claim.has_blocks()) json["block_cells"] = claim.block_cells;
  if (claim.is_table) json["params"] = OrderedJson::parse(params_text(claim.params));
  return json;
}

OrderedJson fill_json(const LoadVerdict& load) {
  if (load.num_fills == 0) return nullptr;
  return {{"num_filters", load.num_fills},         {"mean_ones", load.mean_ones},
          {"expected_ones", load.expected_ones},   {"expected_ones_stddev", load.ones_stddev},
          {"p_value", or_null(load.fill_p_value)}, {"rejected", load.fill_rejected}};
}

OrderedJson load_json(const SubjectReport& report, const LoadVerdict& load) {
  const auto interval = statistics::clopper_pearson(
      load.num_false_positives, std::max<std::uint64_t>(1, load.num_queries), 0.05);
  return {{"num_keys", load.num_keys},
          {"num_filters", load.num_filters},
          {"num_queries", load.num_queries},
          {"num_false_positives", load.num_false_positives},
          {"expected_false_positives", load.expected_false_positives},
          {"observed_false_positive_rate", rate(load.num_false_positives, load.num_queries)},
          {"expected_false_positive_rate", load.expected_rate},
          {"expected_rate_stddev", load.rate_stddev},
          {"binomial_interval", {interval.lower, interval.upper}},
          {"p_value", or_null(load.p_value)},
          {"fill", fill_json(load)},
          {"left_out", load.left_out},
          {"outcome", outcome_text(report, load)}};
}

OrderedJson report_json(const SubjectReport& report) {
  const auto& [options, claim, verdict] = report;
  OrderedJson loads = OrderedJson::array();
  for (const LoadVerdict& load : verdict.loads) loads.push_back(load_json(report, load));
  return {{"accepted", verdict.accepted()},
          {"undecided", verdict.undecided},
          {"subject", options.command},
          {"claim", claim_json(claim)},
          {"sequential", options.settings.sequential},
          {"keys", options.keys.front()},
          {"encoding", options.encoding},
          {"seed", options.seed},
          {"num_filters", verdict.num_filters},
          {"num_queries", verdict.num_queries},
          {"num_false_positives", verdict.num_false_positives},
          {"num_member_queries", verdict.num_member_queries},
          {"num_false_negatives", verdict.num_false_negatives},
          {"num_repeated_queries", verdict.num_repeats},
          {"num_changed_answers", verdict.num_changed_answers},
          {"num_refused_erases", verdict.num_refused_erases},
          {"num_wrongful_erases", verdict.num_wrongful_erases},
          {"p_value", or_null(verdict.p_value)},
          {"fill_ignored", verdict.ignores_fill},
          {"false_alarm", options.settings.goal.false_alarm},
          {"loads", loads},
          {"why", verdict.why()}};
}

}  // namespace

void print_subject_json(const SubjectReports& reports, std::ostream& out) {
  OrderedJson list = OrderedJson::array();
  for (const SubjectReport& report : reports) list.push_back(report_json(report));
  const OrderedJson& json = list.size() == 1 ? list.front() : list;
  out << json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) << '\n';
}

}  // namespace bloometry
