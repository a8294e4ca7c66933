#include "experiments/report/labels.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <set>
#include <span>
#include <utility>

#include "core/text.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/report/churn_axes.hpp"
#include "experiments/report/stream_axes.hpp"
#include "experiments/report/window_axes.hpp"
#include "experiments/verdict/row_names.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry::report {
namespace {

/// Sort key of a label. Numbers are sorted by value and precede texts.
using SortKey = std::vector<std::pair<double, std::string>>;

/// Returns the position of a variant in every legend, which is its position in the registry.
/// Unknown variants are last.
std::size_t place_of(std::string_view variant) {
  const std::span<const VariantInfo> infos = all_variant_infos();
  const auto found = std::find_if(infos.begin(), infos.end(),
                                  [&](const VariantInfo& info) { return info.name == variant; });
  return static_cast<std::size_t>(found - infos.begin());
}

/// Returns the requested bits per key. The actual bits per key would give a wrong order, because
/// blocks round 12 to 12.03.
double requested_bits_per_key(const SummaryRow& row) {
  return row.requested_bits_per_key.value_or(bits_per_key(row).value_or(-1));
}

double sort_number(const Axis& part, const SummaryRow& row) {
  if (part.name == "variant") return static_cast<double>(place_of(row.variant));
  if (part.name == "size" && grows(row)) return -*row.target_false_positive_rate;
  if (part.name == "size" || part.name == "bits_per_key") return requested_bits_per_key(row);
  return part.value != nullptr ? part.value(row).value_or(-1) : 0;
}

/// Returns the variants of a run in legend order.
std::vector<std::string> variants_of(std::span<const SummaryRow> run) {
  std::set<std::pair<std::size_t, std::string>> places;
  for (const SummaryRow& row : run) places.emplace(place_of(row.variant), row.variant);
  std::vector<std::string> variants;
  for (const auto& [place, variant] : places) variants.push_back(variant);
  return variants;
}

SortKey sort_key(const std::vector<const Axis*>& axes, const SummaryRow& row,
                 const Wording& wording) {
  SortKey key;
  for (const Axis* part : axes) {
    if (part->name == "params") {
      for (auto& value : param_order(row.params)) key.push_back(std::move(value));
    }
    if (part->name == "churn") {
      for (const std::string_view name : kChurnAxes) key.emplace_back(*axis(name).value(row), "");
    }
    if (part->name == "window") {
      for (const std::string_view name : kWindowAxes) key.emplace_back(*axis(name).value(row), "");
    }
    if (part->name == "stream") {
      for (const std::string_view name : kStreamAxes) {
        key.emplace_back(sort_number(axis(name), row), axis(name).label(row, wording));
      }
    }
    key.emplace_back(sort_number(*part, row), part->label(row, wording));
  }
  return key;
}

/// Returns at most `limit` of the texts, evenly spaced from the first to the last.
std::vector<std::string> evenly_chosen(const std::vector<std::string>& texts, std::size_t limit) {
  if (texts.size() <= limit) return texts;
  std::vector<std::string> chosen;
  const std::size_t last = std::max<std::size_t>(limit, 2) - 1;
  for (std::size_t i = 0; i < limit; ++i) chosen.push_back(texts[i * (texts.size() - 1) / last]);
  return chosen;
}

}  // namespace

std::string quoted(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
    text += fmt::format("“{}”", names[i]);
  }
  return text;
}

std::vector<const Axis*> series_axes(std::span<const std::string_view> names, const Rows& rows,
                                     const Wording& wording) {
  std::vector<const Axis*> axes = varying(names, rows, wording);
  const auto params = std::find(axes.begin(), axes.end(), &axis("params"));
  const bool has_variant = std::find(axes.begin(), axes.end(), &axis("variant")) != axes.end();
  if (params != axes.end() && !has_variant) axes.insert(params, &axis("variant"));
  return axes;
}

void distinguish(std::vector<const Axis*>& axes, const Rows& rows, const Wording& wording,
                 const std::function<std::string(const SummaryRow&)>& place_of) {
  for (const std::string_view name :
       with_workload_axes({"variant", "params", "probes", "hash", "keys", "capacity",
                           "num_inserted", "num_bits", "target_false_positive_rate"})) {
    std::map<std::string, std::set<std::string>> labels;  // on this axis, of rows that look alike
    for (const SummaryRow* row : rows) {
      labels[fmt::format("{}\n{}", place_of(*row), joined_label(axes, *row, wording))].insert(
          axis(name).label(*row, wording));
    }
    if (labels.size() == rows.size()) return;
    if (std::any_of(labels.begin(), labels.end(),
                    [](const auto& entry) { return entry.second.size() > 1; })) {
      axes.push_back(&axis(name));
    }
  }
}

Labels::Labels(std::vector<const Axis*> axes, const Rows& rows, const Wording& wording)
    : axes_(std::move(axes)), wording_(&wording) {
  title_ = joined(axes_, [&](const Axis* part) { return title_of(*part, rows); });
  std::map<SortKey, std::string> sorted;
  for (const SummaryRow* row : rows) {
    const std::string label = of(*row);
    sorted.try_emplace(sort_key(axes_, *row, wording), label);
    variants_.try_emplace(label, row->variant);
    sizes_.try_emplace(label, wording.size(*row));
  }
  for (const auto& [key, label] : sorted) {
    if (kept_.insert(label).second) ordered_.push_back(label);
  }
}

std::vector<std::string> Labels::thin_out(std::size_t limit) {
  if (ordered_.size() <= limit) return {};
  std::map<std::string, std::vector<std::string>> of_variant;
  for (const std::string& label : ordered_) of_variant[variants_.at(label)].push_back(label);
  std::vector<std::string> variants;  // in legend order
  for (const std::string& label : ordered_) {
    const std::string& variant = variants_.at(label);
    if (of_variant[variant].front() == label) variants.push_back(variant);
  }
  variants = evenly_chosen(variants, limit);
  std::map<std::string, std::size_t> num_kept;
  for (std::size_t left = limit, i = 0; left > 0; ++i) {
    const std::string& variant = variants[i % variants.size()];
    if (num_kept[variant] == of_variant[variant].size()) continue;
    ++num_kept[variant];
    --left;
  }
  kept_.clear();
  for (const auto& [variant, count] : num_kept) {
    const std::vector<std::string> chosen = evenly_chosen(of_variant[variant], count);
    kept_.insert(chosen.begin(), chosen.end());
  }
  std::vector<std::string> removed;
  for (const std::string& label : ordered_) {
    if (!kept_.contains(label)) removed.push_back(label);
  }
  std::erase_if(ordered_, [&](const std::string& label) { return !kept_.contains(label); });
  return removed;
}

void Labels::append(const std::map<std::string, std::string>& text_of_label,
                    std::string_view title) {
  kept_.clear();
  appended_title_ = title;
  for (std::string& label : ordered_) {
    const auto text = text_of_label.find(label);
    if (text != text_of_label.end()) {
      std::string longer =
          label.empty() ? text->second : fmt::format("{}, {}", label, text->second);
      variants_[longer] = variants_.at(label);
      sizes_[longer] = sizes_.at(label);
      appended_[label] = longer;
      label = std::move(longer);
    }
    kept_.insert(label);
  }
}

std::vector<std::string> Labels::short_names(std::vector<std::string> labels) const {
  for (std::string& label : labels) {
    const auto found = std::find_if(appended_.begin(), appended_.end(),
                                    [&](const auto& entry) { return entry.second == label; });
    if (found != appended_.end() && !found->first.empty()) label = found->first;
  }
  return labels;
}

bool Labels::contains(const SummaryRow& row) const {
  return kept_.contains(of(row));
}

std::string Labels::of(const SummaryRow& row) const {
  std::string label = joined_label(axes_, row, *wording_);
  if (label.empty() && !axes_.empty()) label = "no parameters";
  const auto longer = appended_.find(label);
  return longer == appended_.end() ? label : longer->second;
}

bool Labels::has(const Axis& axis) const {
  return std::find(axes_.begin(), axes_.end(), &axis) != axes_.end();
}

std::vector<std::string> Labels::hues(std::span<const SummaryRow> run) const {
  const std::vector<std::string> variants = variants_of(run);
  std::set<std::string> shown;
  for (const std::string& label : ordered_) shown.insert(variants_.at(label));
  const bool by_variant =
      has(axis("variant")) && variants.size() > 1 && (shown.size() > 1 || ordered_.size() == 1);
  std::vector<std::string> groups;  // groups of all labels
  for (const std::string& label : ordered_) {
    groups.push_back(by_variant          ? variants_.at(label)
                     : has(axis("size")) ? sizes_.at(label)
                                         : label);
  }
  std::vector<std::string> order = variants;  // order of the groups
  if (!by_variant) {
    order.clear();
    for (const std::string& group : groups) {
      if (std::find(order.begin(), order.end(), group) == order.end()) order.push_back(group);
    }
  }
  const bool are_sizes = !by_variant && has(axis("size")) && variants.size() > 1;
  const std::vector<std::string> palette =
      are_sizes ? chart::ordered_colours(order.size())
                : chart::series_colours().get<std::vector<std::string>>();
  std::vector<std::string> found;
  for (const std::string& group : groups) {
    const auto number =
        static_cast<std::size_t>(std::find(order.begin(), order.end(), group) - order.begin());
    found.push_back(palette[number % palette.size()]);
  }
  return found;
}

std::vector<std::string> Labels::colours(std::span<const SummaryRow> run) const {
  constexpr double kLightest = 0.6;  // largest share of white for a visible colour on white
  const std::vector<std::string> hues_of_labels = hues(run);
  std::map<std::string_view, std::size_t> num_series;
  for (const std::string& hue : hues_of_labels) ++num_series[hue];
  std::map<std::string_view, std::size_t> num_before;
  std::vector<std::string> colours;
  for (const std::string& hue : hues_of_labels) {
    const double share = static_cast<double>(num_before[hue]++) /
                         static_cast<double>(std::max<std::size_t>(num_series[hue] - 1, 1));
    colours.push_back(chart::lightened(hue, kLightest * share));
  }
  return colours;
}

std::string Labels::title() const {
  if (title_.empty() || appended_title_.empty()) return title_ + appended_title_;
  return fmt::format("{}, {}", title_, appended_title_);
}

}  // namespace bloometry::report
