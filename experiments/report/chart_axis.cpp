#include "experiments/report/chart_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>

#include "core/text.hpp"
#include "experiments/plan/chart_request.hpp"
#include "experiments/report/churn_axes.hpp"
#include "experiments/report/stream_axes.hpp"
#include "experiments/report/window_axes.hpp"
#include "experiments/text/number_text.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry::report {

std::string text_of_number(double value) {
  const bool is_count = value >= 0 && value < 0x1p53 && value == std::floor(value);
  return is_count ? grouped(static_cast<std::uint64_t>(value)) : rounded(value, 10);
}

namespace {

using Number = std::optional<double>;

Number number(const std::optional<std::uint64_t>& value) {
  return value ? Number(static_cast<double>(*value)) : std::nullopt;
}

Number num_inserted(const SummaryRow& row) {
  return static_cast<double>(row.num_inserted);
}

Number num_bits(const SummaryRow& row) {
  return static_cast<double>(row.num_bits);
}

Number num_counters(const SummaryRow& row) {
  return number(row.num_counters);
}

Number num_hashes(const SummaryRow& row) {
  return number(row.num_hashes);
}

Number capacity(const SummaryRow& row) {
  return number(row.capacity);
}

Number target(const SummaryRow& row) {
  return row.target_false_positive_rate;
}

Number expected_rate(const SummaryRow& row) {
  return row.expected_false_positive_rate;
}

Number n_over_capacity(const SummaryRow& row) {
  if (row.capacity.value_or(0) == 0) return std::nullopt;
  return static_cast<double>(row.num_inserted) / static_cast<double>(*row.capacity);
}

/// Returns the label of a value on a numeric axis: the number within words, or `absent` if the row
/// does not have a value.
template <Number (*Value)(const SummaryRow&)>
std::string label(fmt::format_string<std::string> words, const SummaryRow& row,
                  const char* absent = "") {
  const Number value = Value(row);
  return value ? fmt::format(words, text_of_number(*value)) : absent;
}

template <std::string SummaryRow::*Member>
std::string label_member(const SummaryRow& row, const Wording&) {
  return row.*Member;
}

template <std::string (Wording::*Text)(const SummaryRow&) const>
std::string label_wording(const SummaryRow& row, const Wording& wording) {
  return (wording.*Text)(row);
}

std::string label_n(const SummaryRow& row, const Wording&) {
  return label<num_inserted>("n = {}", row);
}

std::string label_bits(const SummaryRow& row, const Wording&) {
  return label<num_bits>("m = {} bits", row);
}

std::string label_counters(const SummaryRow& row, const Wording&) {
  return label<num_counters>("m = {} counters", row, "bits, no counters");
}

std::string label_hashes(const SummaryRow& row, const Wording&) {
  return label<num_hashes>("k = {}", row, "k chosen by the filter");
}

std::string label_capacity(const SummaryRow& row, const Wording&) {
  return label<capacity>("capacity {}", row, "no capacity");
}

std::string label_target(const SummaryRow& row, const Wording&) {
  return row.target_false_positive_rate ? "target " + number_text(*row.target_false_positive_rate)
                                        : "no target rate";
}

std::string label_load(const SummaryRow& row, const Wording&) {
  return label<n_over_capacity>("n / capacity = {}", row);
}

std::string label_expected(const SummaryRow& row, const Wording&) {
  return label<expected_rate>("expected {}", row);
}

std::string label_bits_per_key(const SummaryRow& row, const Wording&) {
  const Number& requested = row.requested_bits_per_key;
  const Number value = requested ? requested : bits_per_key(row);
  return value ? rounded(*value, 4) + " bits per key" : "no key";
}

/// Returns the label of the row's keys, such as "random keys" or "words.txt keys".
std::string label_keys(const SummaryRow& row, const Wording& wording) {
  return wording.has_label(row) ? wording.keys(row) : wording.keys(row) + " keys";
}

/// Returns the number of generations of a filter that forgets.
Number generations(const SummaryRow& row) {
  const nlohmann::json params = nlohmann::json::parse(row.params, nullptr, false);
  const auto found = params.find("generations");
  return found == params.end() ? Number() : Number(found->get<double>());
}

std::string label_generations(const SummaryRow& row, const Wording&) {
  return label<generations>("{} generations", row);
}

constexpr std::array kAxes = {
    Axis{"variant", "variant", nullptr, label_member<&SummaryRow::variant>},
    Axis{"params", "parameters", nullptr, label_wording<&Wording::params>},
    Axis{"keys", "keys", nullptr, label_keys},
    Axis{"hash", "hash", nullptr, label_member<&SummaryRow::hash>},
    Axis{"probes", "probe scheme", nullptr, label_member<&SummaryRow::probes>},
    Axis{"churn", "churn", nullptr, label_wording<&Wording::churn>},
    Axis{"churn_rounds", "rounds of churn", churn_part<&Churn::rounds>, label_rounds},
    Axis{"churn_erase", "keys erased per round / n", churn_part<&Churn::erase>, label_erase},
    Axis{"churn_reinsert", "keys reinserted per round / n", churn_part<&Churn::reinsert>,
         label_reinsert},
    Axis{"churn_wrongful_erases", "wrongful share of erases", churn_part<&Churn::wrongful_erases>,
         label_wrongful_erases},
    Axis{"window", "window", nullptr, label_wording<&Wording::window>},
    Axis{"window_size", "size of the window", window_part<&StreamWindow::size>, label_window_size},
    Axis{"window_inserts_per_tick", "insert calls per tick",
         window_part<&StreamWindow::inserts_per_tick>, label_window_inserts},
    Axis{"window_reinsert", "share of insert calls that repeat a key",
         window_part<&StreamWindow::reinsert>, label_window_reinsert},
    Axis{"window_erase", "erases per insert call", window_part<&StreamWindow::erase>,
         label_window_erase},
    Axis{"stream", "stream", nullptr, label_wording<&Wording::stream>},
    Axis{"stream_zipf", "exponent of the stream's Zipf law", stream_part<&ItemStream::zipf>,
         label_stream_zipf},
    Axis{"stream_num_distinct", "keys of the stream", stream_part<&ItemStream::num_distinct>,
         label_stream_num_distinct},
    Axis{"stream_insert", "inserted items", nullptr, label_stream_insert},
    Axis{"stream_clear_every", "inserts before the filter is cleared",
         stream_part<&ItemStream::clear_every>, label_stream_clear_every},
    Axis{"generations", "generations", generations, label_generations},
    Axis{"size", "size", nullptr, label_wording<&Wording::size>},
    Axis{"num_inserted", "keys inserted n", num_inserted, label_n},
    Axis{"num_keys", "keys inserted n", num_inserted, label_n},
    Axis{"n_over_capacity", "keys inserted n / capacity", n_over_capacity, label_load},
    Axis{"capacity", "capacity (keys)", capacity, label_capacity},
    Axis{"bits_per_key", "memory m/n (bits per key)", bits_per_key, label_bits_per_key},
    Axis{"num_bits", "memory (bits)", num_bits, label_bits},
    Axis{"num_counters", "counters m", num_counters, label_counters},
    Axis{"num_hashes", "hash functions k", num_hashes, label_hashes},
    Axis{"target_false_positive_rate", "target false-positive rate", target, label_target},
    Axis{"expected_false_positive_rate", "expected false-positive rate", expected_rate,
         label_expected}};

constexpr bool has_all_axes() {
  return std::equal(kAxes.begin(), kAxes.end(), kChartAxisNames.begin(), kChartAxisNames.end(),
                    [](const Axis& axis, std::string_view name) { return axis.name == name; });
}

static_assert(has_all_axes(), "kAxes must list the axes of kChartAxisNames, in their order");

static_assert(std::all_of(kAxes.begin(), kAxes.end(),
                          [](const Axis& axis) {
                            return has_numbers(axis.name) == (axis.value != nullptr);
                          }),
              "has_numbers() must be true for the axes with a value, and only for them");

/// Returns the parameters of the row. If the filter grows, they contain its initial capacity, even
/// if the config does not.
nlohmann::json params_of(const SummaryRow& row) {
  nlohmann::json params = nlohmann::json::parse(row.params, nullptr, false);
  if (!params.is_object()) params = nlohmann::json::object();
  if (row.initial_capacity) params["initial_capacity"] = *row.initial_capacity;
  return params;
}

std::string text_of(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Returns whether the parameter is the width of the fingerprints in a table, and follows from the
/// memory in all rows of the variant.
bool is_width_of_size(std::span<const SummaryRow> rows, const std::string& variant,
                      const std::string& name) {
  if (!find_variant(variant).is_limited) return false;
  if (name != "fingerprint_bits" && name != "remainder_bits") return false;
  std::map<std::uint64_t, std::string> value_of;  // by memory
  return std::all_of(rows.begin(), rows.end(), [&](const SummaryRow& row) {
    if (row.variant != variant) return true;
    const std::string value = text_of(params_of(row).value(name, nlohmann::json()));
    return value_of.try_emplace(row.num_bits, value).first->second == value;
  });
}

/// Returns the text "variant/name" for each parameter that differs between rows of the variant or
/// is missing from some of these rows. The widths that follow from the memory are not parameters.
std::set<std::string> find_varying_params(std::span<const SummaryRow> rows) {
  std::map<std::string, std::set<nlohmann::json>> distinct;  // values per variant
  std::set<std::tuple<std::string, std::string, std::optional<std::uint64_t>>> met;
  for (const SummaryRow& row : rows) {
    if (met.emplace(row.variant, row.params, row.initial_capacity).second) {
      distinct[row.variant].insert(params_of(row));
    }
  }
  std::set<std::string> varying_names;
  for (const auto& [variant, all_params] : distinct) {
    std::map<std::string, std::map<std::string, std::size_t>> values;
    for (const nlohmann::json& params : all_params) {
      for (const auto& [name, value] : params.items()) ++values[name][text_of(value)];
    }
    for (const auto& [name, counts] : values) {
      std::size_t holders = 0;
      for (const auto& [value, count] : counts) holders += count;
      if (counts.size() == 1 && holders == all_params.size()) continue;
      if (is_width_of_size(rows, variant, name)) continue;
      varying_names.insert(fmt::format("{}/{}", variant, name));
    }
  }
  return varying_names;
}

/// Returns whether several n share one filter size and filters have no capacity. In a run with
/// several n per size, the config gives m and not m/n.
bool has_fixed_size(std::span<const SummaryRow> rows) {
  std::map<std::tuple<std::string, std::uint64_t>, std::uint64_t> n_of_size;
  for (const SummaryRow& row : rows) {
    if (row.capacity || row.requested_bits_per_key || row.target_false_positive_rate) continue;
    const auto [found, is_new] =
        n_of_size.try_emplace({row.variant, row.num_bits}, row.num_inserted);
    if (!is_new && found->second != row.num_inserted) return true;
  }
  return false;
}

/// Returns the file name of a source such as `file:/some/path/words.txt`. Returns other sources
/// unchanged.
std::string file_name(const std::string& keys) {
  return keys.starts_with("file:") ? keys.substr(keys.find_last_of("/:") + 1) : keys;
}

}  // namespace

Wording::Wording(std::span<const SummaryRow> rows, std::map<std::string, std::string> key_labels)
    : fixed_size_(has_fixed_size(rows)),
      varying_params_(find_varying_params(rows)),
      key_labels_(std::move(key_labels)) {
  std::map<std::string, std::set<std::string>> sources;  // full names of sources by short name
  for (const SummaryRow& row : rows) sources[file_name(row.keys)].insert(row.keys);
  for (const auto& [name, full] : sources) {
    if (full.size() > 1) shared_file_names_.insert(name);
  }
  Rows all;
  for (const SummaryRow& row : rows) all.push_back(&row);
  churn_axes_ = varying(std::span(kChurnAxes).subspan(1), all, *this);
  churn_axes_.insert(churn_axes_.begin(), &axis("churn_rounds"));
  window_axes_ = varying(std::span(kWindowAxes).subspan(1), all, *this);
  window_axes_.insert(window_axes_.begin(), &axis("window_size"));
  stream_axes_ = varying(std::span(kStreamAxes).subspan(1), all, *this);
  stream_axes_.insert(stream_axes_.begin(), &axis("stream_zipf"));
}

bool Wording::has_label(const SummaryRow& row) const {
  return key_labels_.contains(row.keys);
}

std::string Wording::keys(const SummaryRow& row) const {
  const auto label = key_labels_.find(row.keys);
  if (label != key_labels_.end()) return label->second;
  std::string name = file_name(row.keys);
  return shared_file_names_.contains(name) ? row.keys : name;
}

std::string Wording::size(const SummaryRow& row) const {
  if (row.target_false_positive_rate) return label_target(row, *this);
  if (row.has_growing_memory()) return label_capacity(row, *this);
  if (!row.capacity && !row.requested_bits_per_key && fixed_size_) return label_bits(row, *this);
  return label_bits_per_key(row, *this);
}

std::string Wording::params(const SummaryRow& row) const {
  std::vector<std::string> texts;
  const nlohmann::json params = params_of(row);
  for (const auto& [name, value] : params.items()) {
    if (!varying_params_.contains(fmt::format("{}/{}", row.variant, name))) continue;
    const std::string text = text_of(value);
    texts.push_back(value.is_string() ? text : fmt::format("{} = {}", name, text));
  }
  return joined(texts);
}

std::string Wording::churn(const SummaryRow& row) const {
  return joined_label(churn_axes_, row, *this);
}

std::string Wording::window(const SummaryRow& row) const {
  return joined_label(window_axes_, row, *this);
}

std::string Wording::stream(const SummaryRow& row) const {
  return joined_label(stream_axes_, row, *this);
}

const Axis* find_axis(std::string_view name) {
  for (const Axis& candidate : kAxes) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

const Axis& axis(std::string_view name) {
  if (const Axis* found = find_axis(name)) return *found;
  throw std::logic_error(fmt::format("no axis {}", name));
}

std::optional<double> bits_per_key(const SummaryRow& row) {
  const std::optional<double> exact = row.bits_per_key();
  return exact ? std::optional(to_digits(*exact, 4)) : std::nullopt;
}

bool has_other_load(const Rows& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const SummaryRow* row) {
    return !row->has_growing_memory() &&
           row->capacity.value_or(row->num_inserted) != row->num_inserted;
  });
}

std::string title_of(const Axis& axis, const Rows& rows) {
  if (axis.name == "bits_per_key" && has_other_load(rows)) {
    return "memory m / capacity (bits per key of the capacity)";
  }
  return std::string(axis.title);
}

bool grows(const SummaryRow& row) {
  return row.target_false_positive_rate.has_value();
}

bool has_only_initial_capacities(const Rows& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const SummaryRow* row) {
    return row->initial_capacity && row->capacity == row->initial_capacity;
  });
}

namespace {

/// Returns whether the rows of each variant have only one probe scheme, so that the name of the
/// scheme is redundant.
bool has_scheme_by_variant(const Rows& rows) {
  std::map<std::string_view, std::string_view> schemes;
  return std::all_of(rows.begin(), rows.end(), [&](const SummaryRow* row) {
    return schemes.try_emplace(row->variant, row->probes).first->second == row->probes;
  });
}

}  // namespace

namespace {

/// Returns whether the axis is a part, other than the first one, of a churn, a window or a stream.
template <class Names>
bool is_later_part(const Names& names, const Axis& axis) {
  return std::find(names.begin() + 1, names.end(), axis.name) != names.end();
}

}  // namespace

bool differ_in(Rows rows, const Axis& axis, const Wording& wording) {
  if (is_later_part(kChurnAxes, axis)) {
    std::erase_if(rows, [](const SummaryRow* row) { return !row->churn; });
  }
  if (is_later_part(kStreamAxes, axis)) {
    std::erase_if(rows, [](const SummaryRow* row) { return !row->stream; });
  }
  if (is_later_part(kWindowAxes, axis)) {
    std::erase_if(rows, [](const SummaryRow* row) { return !row->window; });
  }
  return std::any_of(rows.begin(), rows.end(), [&](const SummaryRow* row) {
    return axis.label(*row, wording) != axis.label(*rows.front(), wording);
  });
}

std::vector<const Axis*> varying(std::span<const std::string_view> names, const Rows& rows,
                                 const Wording& wording) {
  std::vector<const Axis*> found;
  for (const std::string_view name : names) {
    const Axis& candidate = axis(name);
    if (name == "probes" && names.size() > 1 && has_scheme_by_variant(rows)) continue;
    if (name == "capacity" && names.size() > 1 && has_only_initial_capacities(rows)) continue;
    if (differ_in(rows, candidate, wording)) found.push_back(&candidate);
  }
  return found;
}

std::string joined_label(std::span<const Axis* const> axes, const SummaryRow& row,
                         const Wording& wording) {
  std::vector<std::string> labels;
  for (const Axis* part : axes) {
    std::string label = part->label(row, wording);
    const bool is_new = std::find(labels.begin(), labels.end(), label) == labels.end();
    if (!label.empty() && is_new) labels.push_back(std::move(label));
  }
  return joined(labels);
}

}  // namespace bloometry::report
