#include "experiments/verdict/row_names.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "core/text.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/text/printable.hpp"

namespace bloometry {
namespace {

std::string row_text(const RowVerdict& verdict, const RowNames& names) {
  const TrialRow& row = verdict.row;
  return fmt::format("{}, trial {}: n = {}, {}{}{}", names.name(verdict), row.trial,
                     grouped(row.num_inserted),
                     row.target_false_positive_rate ? "" : "m = ", size_text(row),
                     row.num_hashes ? fmt::format(", k = {}", *row.num_hashes) : "");
}

}  // namespace

std::string params_text(const std::string& params) {
  const auto json = nlohmann::ordered_json::parse(params);
  std::vector<std::string> texts;
  for (const auto& [name, value] : json.items()) {
    texts.push_back(
        fmt::format("{} = {}", name, value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return texts.empty() ? "default parameters" : joined(texts);
}

std::string churn_text(const std::optional<Churn>& churn) {
  if (!churn) return "no churn";
  return fmt::format("churn of {} (erase {}, reinsert {}, wrongful erases {})",
                     plural(churn->rounds, "round"), number_text(churn->erase),
                     number_text(churn->reinsert), number_text(churn->wrongful_erases));
}

std::string window_text(const std::optional<StreamWindow>& window) {
  if (!window) return "no window";
  const std::string size = window->is_in_ticks()
                               ? fmt::format("{} of {}", plural(window->size, "tick"),
                                             plural(window->inserts_per_tick, "insert"))
                               : plural(window->size, "key");
  return fmt::format("window of {} (reinsert {}, erase {})", size, number_text(window->reinsert),
                     number_text(window->erase));
}

std::string stream_text(const std::optional<ItemStream>& stream) {
  if (!stream) return "no stream";
  const std::string clear =
      stream->clear_every == 0
          ? "never cleared"
          : fmt::format("cleared every {}", plural(stream->clear_every, "insert"));
  return fmt::format("Zipf({}) stream of {} (inserts {} items, {})", number_text(stream->zipf),
                     plural(stream->num_distinct, "key"), stream->insert_name(), clear);
}

RowNames::RowNames(const Verdict& verdict, std::map<std::string, std::string> key_labels)
    : key_labels_(std::move(key_labels)) {
  for (const RowVerdict& row : verdict.rows) {
    const Features features = features_of(row);
    auto& values = values_[row.row.variant];
    for (std::size_t i = 0; i < kNumFeatures; ++i) values[i].insert(features[i]);
  }
}

std::string RowNames::name(const RowVerdict& verdict) const {
  const Features features = features_of(verdict);
  const auto& values = values_.at(verdict.row.variant);
  std::string text = verdict.row.variant;
  for (std::size_t i = 0; i < kNumFeatures; ++i) {
    if (values[i].size() < 2) continue;
    text += ", " + (i == 0 ? params_text(features[i]) : features[i]);
  }
  const std::optional<std::uint64_t> initial_capacity = verdict.context.initial_capacity;
  if (initial_capacity && text.find("initial_capacity") == std::string::npos) {
    text += ", initial capacity " + plural(*initial_capacity, "key");
  }
  return text;
}

RowNames::Features RowNames::features_of(const RowVerdict& verdict) const {
  const TrialRow& row = verdict.row;
  const auto label = key_labels_.find(row.keys);
  const std::string& keys = label == key_labels_.end() ? row.keys : label->second;
  return {row.params,
          churn_text(verdict.context.churn),
          window_text(verdict.context.window),
          stream_text(verdict.context.stream),
          row.probes + " probes",
          row.hash + " hash",
          printable(keys, kMaxShownValue) + " keys"};
}

std::vector<std::pair<double, std::string>> param_order(const std::string& params) {
  constexpr double kAfterNumbers = std::numeric_limits<double>::infinity();
  const nlohmann::json json = nlohmann::json::parse(params, nullptr, false);
  std::vector<std::pair<double, std::string>> order;
  if (!json.is_object()) return order;
  for (const auto& [name, value] : json.items()) {
    if (value.is_number()) {
      order.emplace_back(value.get<double>(), "");
    } else {
      order.emplace_back(kAfterNumbers, value.dump());
    }
  }
  return order;
}

std::string size_text(const TrialRow& row) {
  if (row.target_false_positive_rate) return "p = " + rounded(*row.target_false_positive_rate, 4);
  return grouped(row.num_counters.value_or(row.num_bits));
}

bool is_listed_before(const RowVerdict& a, const RowVerdict& b) {
  const auto place = [](const RowVerdict& verdict) {
    const TrialRow& row = verdict.row;
    return std::tuple_cat(
        std::make_tuple(row.variant, param_order(row.params)),
        std::tie(row.params, row.probes, row.hash, row.keys, row.num_bits, row.num_counters,
                 row.target_false_positive_rate, row.num_inserted, row.num_hashes,
                 verdict.context.churn, verdict.context.window, verdict.context.stream, row.trial));
  };
  return place(a) < place(b);
}

std::vector<ListedDeviation> listed_deviations(const Verdict& verdict, const RowNames& names) {
  std::vector<const RowVerdict*> worst;
  for (const RowVerdict& row : verdict.rows) {
    if (!row.deviates || worst.size() == kMostListedDeviations) break;  // deviations come first
    worst.push_back(&row);
  }
  std::sort(worst.begin(), worst.end(),
            [](const RowVerdict* a, const RowVerdict* b) { return is_listed_before(*a, *b); });
  std::vector<ListedDeviation> listed;
  for (const RowVerdict* row : worst) {
    listed.push_back({.row = row_text(*row, names), .why = row->why});
  }
  return listed;
}

}  // namespace bloometry
