#include "experiments/report/page_tables.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <tuple>

#include "experiments/report/html_text.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/verdict/row_names.hpp"

namespace bloometry::report {
namespace {

std::string cell(const std::string& text, bool is_number = false) {
  return fmt::format("<td{}>{}</td>", is_number ? " class=\"number\"" : "", escape_html(text));
}

std::string number_cell(const std::string& text) {
  return cell(text, true);
}

std::string rate_cell(const std::optional<double>& rate) {
  return number_cell(rate ? rounded(*rate, 5) : "–");
}

std::string header(std::initializer_list<const char*> titles) {
  std::string row;
  for (const char* title : titles) row += fmt::format(R"(<th scope="col">{}</th>)", title);
  return fmt::format("<thead><tr>{}</tr></thead>", row);
}

std::string table(const std::string& head, const std::string& body, const char* attributes = "") {
  return fmt::format(
      R"(<div class="scroll" tabindex="0"><table{}>{}<tbody>{}</tbody></table></div>)", attributes,
      head, body);
}

std::string k_text(const std::optional<std::uint64_t>& num_hashes) {
  return num_hashes ? std::to_string(*num_hashes) : "own";
}

std::string size_text(std::uint64_t num_bits, const std::optional<std::uint64_t>& num_counters) {
  return num_counters ? plural(*num_counters, "counter") : plural(num_bits, "bit");
}

/// The columns whose values differ between rows.
struct Varying {
  explicit Varying(std::span<const SummaryRow> rows) {
    std::map<std::string, std::string> params_of;
    std::map<std::string, std::string> probes_of;
    for (const SummaryRow& row : rows) {
      params |= params_of.emplace(row.variant, row.params).first->second != row.params;
      probes |= probes_of.emplace(row.variant, row.probes).first->second != row.probes;
      churn |= row.churn != rows.front().churn;
      window |= row.window != rows.front().window;
      stream |= row.stream != rows.front().stream;
      hash |= row.hash != rows.front().hash;
      keys |= row.keys != rows.front().keys;
    }
  }

  bool params = false;  ///< whether parameters differ within a variant
  bool probes = false;  ///< whether probe schemes differ within a variant
  bool churn = false;
  bool window = false;
  bool stream = false;
  bool hash = false;
  bool keys = false;
};

/// Returns a name that distinguishes filters of equal size and k. The name contains the variant,
/// the initial capacity of a filter that grows, and the columns that differ between the rows.
std::string filter_text(const SummaryRow& row, const Varying& varying, const KeyLabels& labels) {
  std::string text = row.variant;
  const bool is_in_params =
      varying.params && row.params.find("\"initial_capacity\"") != std::string::npos;
  if (row.initial_capacity && !is_in_params) {
    text += fmt::format(", initial capacity {}", grouped(*row.initial_capacity));
  }
  if (varying.params && row.params != "{}") text += ", " + params_text(row.params);
  if (varying.probes) text += ", " + row.probes;
  if (varying.churn) text += ", " + churn_text(row.churn);
  if (varying.window) text += ", " + window_text(row.window);
  if (varying.stream) text += ", " + stream_text(row.stream);
  if (varying.hash) text += ", " + row.hash;
  const auto label = labels.find(row.keys);
  if (varying.keys)
    text += fmt::format(", {} keys", label == labels.end() ? row.keys : label->second);
  return text;
}

std::string sorted_cell(const std::string& text, const std::string& key) {
  return fmt::format(R"(<td class="number" data-sort="{}">{}</td>)", escape_html(key),
                     escape_html(text));
}

std::string p_value_cell(const std::optional<double>& p_value) {
  return p_value ? sorted_cell(rounded(*p_value, 2), number_text(*p_value)) : number_cell("–");
}

std::string count_cell(std::uint64_t count) {
  return sorted_cell(grouped(count), std::to_string(count));
}

/// Returns a text about the keys of a window, or an empty string without a window.
std::string window_status_text(const SummaryRow& row) {
  if (!row.num_window_queries) return "";
  std::string text = fmt::format("; {}", plural(*row.num_window_violations, "window violation"));
  const std::uint64_t num_gone = *row.num_expired_queries - *row.num_expired_retained;
  if (num_gone == 0) return text;
  text += fmt::format("; {} of {} present", grouped(*row.num_expired_present),
                      plural(num_gone, "expired key"));
  if (!row.min_expired_p_value) return text;
  return text + fmt::format(", p = {}", rounded(*row.min_expired_p_value, 2));
}

/// Returns a text about the items of a stream, or an empty string without a stream.
std::string stream_status_text(const SummaryRow& row) {
  if (!row.num_originals) return "";
  std::string text =
      fmt::format("; {} of {} stopped; {} of {} passed", grouped(*row.num_originals_stopped),
                  plural(*row.num_originals, "original"), grouped(*row.num_duplicates_passed),
                  plural(*row.num_duplicates, "duplicate"));
  if (*row.num_lost_duplicates == 0) return text;
  return text + fmt::format(", {} lost", grouped(*row.num_lost_duplicates));
}

/// Returns whether the point is tested, its keys outside and inside a window, the items of its
/// stream, and how many inserts its filters refused.
std::string status_text(const SummaryRow& row) {
  std::string text = row.tested ? "tested" : "exempt: " + row.exemption_reason;
  text += window_status_text(row);
  text += stream_status_text(row);
  if (row.num_refused_inserts.value_or(0) == 0) return text;
  text += fmt::format("; {} refused", plural(*row.num_refused_inserts, "insert"));
  if (!row.min_refused_inserts_p_value) return text;
  return text + fmt::format(", p = {}", rounded(*row.min_refused_inserts_p_value, 2));
}

std::string point_row(const SummaryRow& row, const Varying& varying, const KeyLabels& labels) {
  return fmt::format(
      "<tr>{}{}{}{}{}{}{}{}{}{}</tr>", p_value_cell(row.min_false_positives_p_value),
      p_value_cell(row.min_fill_p_value), cell(filter_text(row, varying, labels)),
      count_cell(row.num_inserted),
      sorted_cell(size_text(row.num_bits, row.num_counters), std::to_string(row.num_bits)),
      number_cell(k_text(row.num_hashes)),
      sorted_cell(rounded(row.observed_false_positive_rate, 4),
                  number_text(row.observed_false_positive_rate)),
      sorted_cell(
          fmt::format("{} – {}", rounded(row.interval_lower, 3), rounded(row.interval_upper, 3)),
          number_text(row.interval_lower)),
      rate_cell(row.expected_false_positive_rate), cell(status_text(row)));
}

std::vector<const SummaryRow*> worst_first(std::span<const SummaryRow> rows) {
  std::vector<const SummaryRow*> sorted;
  for (const SummaryRow& row : rows) sorted.push_back(&row);
  const auto rank = [](const SummaryRow* row) {
    return std::make_tuple(
        row->num_false_negatives == 0 && row->num_window_violations.value_or(0) == 0 &&
            row->num_lost_duplicates.value_or(0) == 0,
        !row->tested,
        std::min({row->min_false_positives_p_value, row->min_fill_p_value.value_or(1),
                  row->min_refused_inserts_p_value.value_or(1),
                  row->min_expired_p_value.value_or(1)}));
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const SummaryRow* a, const SummaryRow* b) { return rank(a) < rank(b); });
  return sorted;
}

void add_settings(const std::string& prefix, const nlohmann::json& value, std::string& body) {
  if (value.is_object() && !value.empty()) {
    for (const auto& [name, member] : value.items()) {
      add_settings(prefix.empty() ? name : fmt::format("{}.{}", prefix, name), member, body);
    }
    return;
  }
  const std::string text = value.is_string() ? value.get<std::string>() : chart::to_text(value);
  body += fmt::format(R"(<tr><th scope="row">{}</th>{}</tr>)", escape_html(prefix), cell(text));
}

}  // namespace

std::string deviations_table(const Verdict& verdict, const KeyLabels& labels) {
  const std::vector<ListedDeviation> listed = listed_deviations(verdict, RowNames(verdict, labels));
  if (listed.empty()) return "";
  std::string body;
  for (const ListedDeviation& deviation : listed) {
    body += fmt::format("<tr>{}{}</tr>", cell(deviation.row), cell(deviation.why));
  }
  std::string html = "<h2>What deviates</h2>";
  if (listed.size() < verdict.num_deviations) {
    html += fmt::format("<p>The worst {} of {} rows, point by point.</p>", listed.size(),
                        grouped(verdict.num_deviations));
  }
  return html + table(header({"row", "why"}), body);
}

std::string exempt_table(const Verdict& verdict) {
  if (verdict.exempt.empty()) return "";
  std::string body;
  for (const auto& [reason, count] : verdict.exempt) {
    body += fmt::format("<tr>{}{}</tr>", cell(reason), number_cell(grouped(count)));
  }
  return "<h2>Exempt from the tests</h2><p>The charts show these rows, but theory does not "
         "make a claim about them that could be tested.</p>" +
         table(header({"reason", "rows"}), body);
}

std::string points_table(std::span<const SummaryRow> rows, const KeyLabels& labels) {
  if (rows.empty()) return "";
  std::string body;
  const std::vector<const SummaryRow*> sorted = worst_first(rows);
  const std::size_t num_shown = std::min(sorted.size(), kMostTableRows);
  const Varying varying(rows);
  for (std::size_t i = 0; i < num_shown; ++i) body += point_row(*sorted[i], varying, labels);
  const std::string shown =
      num_shown < sorted.size() ? fmt::format("The {} least likely of {} points; all are",
                                              grouped(num_shown), grouped(sorted.size()))
      : sorted.size() == 1      ? "The run has one point; it is also"
                                : fmt::format("All {} points; also", grouped(sorted.size()));
  return fmt::format(
      "<h2>Points, least likely first</h2><p>{} in <a href=\"summary.csv\">summary.csv</a>. p is "
      "the "
      "probability that chance alone gives a result at least this far from theory, for the false "
      "positives and for the fill; the table shows the smallest over the trials. A click on a "
      "column "
      "title sorts the table.</p>{}",
      shown,
      table(header({"p, false positives", "p, fill", "filter", "n", "size", "k", "measured rate",
                    "95 % interval", "expected", "status"}),
            body, R"( class="points")"));
}

std::string settings_table(const nlohmann::json& settings) {
  std::string body;
  add_settings("", settings, body);
  return table("", body, R"( class="settings")");
}

}  // namespace bloometry::report
