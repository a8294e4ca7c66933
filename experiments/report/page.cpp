#include "experiments/report/page.hpp"

#include <fmt/core.h>

#include "core/text.hpp"
#include "experiments/files/data_folder.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/report/html_text.hpp"
#include "experiments/report/page_data.hpp"
#include "experiments/report/page_tables.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/verdict/conclusion.hpp"

#ifndef BLOOMETRY_REPORT_DIR
#define BLOOMETRY_REPORT_DIR "experiments/report"
#endif

namespace bloometry::report {
namespace {

using chart::Chart;
using nlohmann::json;

constexpr std::size_t kLongQuestion = 110;  // in letters; a longer question has a smaller font

std::uint64_t num_exempt(const Verdict& verdict) {
  std::uint64_t count = 0;
  for (const auto& [reason, rows] : verdict.exempt) count += rows;
  return count;
}

/// Returns a sentence about the certainty of the verdict.
std::string evidence_of(const Verdict& verdict) {
  if (verdict.num_tests == 0) {
    return fmt::format(
        "No row could be tested: {} cannot be compared with theory, so the tests were not run.",
        plural(num_exempt(verdict), "row"));
  }
  std::string text = fmt::format(
      "{} over {}, a row for each trial of a point; a run that follows theory would be rejected "
      "with probability at most {} over all of them (each test at p < {}).",
      plural(verdict.num_tests, "exact test"), plural(verdict.num_tested_rows, "row"),
      rounded(verdict.false_alarm, 4), rounded(verdict.threshold, 3));
  if (num_exempt(verdict) > 0) {
    text += fmt::format(" {} {} exempt from the tests.", plural(num_exempt(verdict), "further row"),
                        num_exempt(verdict) == 1 ? "is" : "are");
  }
  return text;
}

std::string faulty_names(std::span<const CheckedFile> files) {
  constexpr std::size_t kMostNames = 5;
  std::vector<std::string> names;
  for (const CheckedFile& file : files) {
    if (is_fault(file.state)) names.push_back(file.name);
  }
  if (names.size() <= kMostNames) return joined(names);
  return fmt::format("{} and {} more", joined(std::span(names).first(kMostNames)),
                     grouped(names.size() - kMostNames));
}

std::string deviation_sentence(const Verdict& verdict) {
  return fmt::format("{} {} from theory by more than chance can explain{}.",
                     plural(verdict.num_deviations, "row"),
                     verdict.num_deviations == 1 ? "deviates" : "deviate",
                     verdict.num_false_negatives == 0
                         ? ""
                         : fmt::format(", with {} among them: inserted keys that tested negative",
                                       plural(verdict.num_false_negatives, "false negative")));
}

std::string chart_section(const Chart& chart) {
  return fmt::format(
      R"(<section class="figure" id="{0}"><h2>{1}</h2><p class="caption">{2}</p>)"
      R"(<div class="chart" data-chart="{0}" tabindex="0" role="group" aria-label="{1}; arrow keys )"
      R"(step through the points"></div><div class="detail" aria-live="polite"></div></section>)",
      escape_html(chart.name), escape_html(chart.title), escape_html(chart.caption));
}

std::string chart_sections(const PageInput& input) {
  std::string html;
  for (const Chart& chart : input.charts.charts) html += chart_section(chart);
  return html;
}

std::string contents(const PageInput& input) {
  std::string html;
  for (const Chart& chart : input.charts.charts) {
    html += fmt::format(R"(<li><a href="#{}">{}</a></li>)", escape_html(chart.name),
                        escape_html(chart.title));
  }
  return html.empty() ? "" : fmt::format(R"(<nav aria-label="Charts"><ul>{}</ul></nav>)", html);
}

std::string omitted_list(const ChartSet& charts) {
  if (charts.omitted.empty()) return "";
  std::string html;
  for (const OmittedChart& chart : charts.omitted) {
    html += fmt::format("<li><code>{}</code>: {}</li>", escape_html(chart.name),
                        escape_html(chart.reason));
  }
  return fmt::format(
      "<details><summary>Charts for which this run does not have data ({})</summary>"
      "<ul>{}</ul></details>",
      charts.omitted.size(), html);
}

/// Returns the HTML of the notice on a page that cannot show charts.
std::string notice(const PageInput& input, bool has_runtime) {
  if (input.rows.empty()) {
    return "<p class=\"notice\">This run does not have rows yet, so it does not have charts. Run "
           "<code>bloometry sweep run</code> on its config to fill it, then <code>bloometry "
           "report</code> again.</p>";
  }
  if (has_runtime) return "";
  return fmt::format(
      "<p class=\"notice\">The charts are in <code>charts/*.vl.json</code>, but the chart runtime "
      "is not installed. Run <code>{}</code>, then <code>bloometry report</code> again.</p>",
      escape_html(chart::install_command(chart::assets_folder())));
}

std::string scripts(const PageInput& input, const std::filesystem::path& folder,
                    const std::optional<chart::ChartRuntime>& runtime) {
  const auto element = [](const std::string& source) {
    return fmt::format("<script>{}</script>\n", escape_script(source));
  };
  if (input.rows.empty()) return "";
  const std::string table = element(read_file(folder / "table.js"));
  if (!runtime || input.charts.charts.empty()) return table;
  return fmt::format("{}<script type=\"application/json\" id=\"data\">{}</script>\n{}{}{}{}", table,
                     escape_json(page_data(input)), element(runtime->vega),
                     element(runtime->vega_lite), element(runtime->vega_embed),
                     element(read_file(folder / "page.js")));
}

std::string figures(const PageInput& input, bool has_runtime) {
  return has_runtime ? contents(input) + chart_sections(input) : "";
}

/// Returns the path of a key file, with the spelling of the config.
std::string path_of(const KeySource& keys) {
  constexpr std::string_view kPrefix = "file:";
  return keys.name.substr(kPrefix.size());
}

/// Returns the commands that reproduce the run. The commands use the copy of the config in the run
/// folder, because this copy contains all defaults. The name of the user's own config file is
/// unknown.
std::string reproduce(const RunData& run) {
  const auto manifest = [&](const char* name) {
    return run.manifest.contains(name) ? run.manifest.at(name).get<std::string>() : "unknown";
  };
  std::vector<std::string> key_files;
  for (const KeySource& keys : run.config.keys) {
    if (keys.kind != KeySource::Kind::kFile) continue;
    key_files.push_back(fmt::format("<code>{}</code>", escape_html(path_of(keys))));
  }
  return fmt::format(
      "<p>bloometry {}, revision <code>{}</code>, with <code>config.json</code> of this folder, "
      "makes the same <code>trials.csv</code> on any machine, byte for byte{}.</p>"
      "<pre>bloometry sweep run config.json --out again\n"
      "bloometry report again\n"
      "bloometry verify again\n"
      "cmp trials.csv again/trials.csv</pre>",
      escape_html(manifest("version")), escape_html(manifest("git_revision")),
      key_files.empty()
          ? ""
          : "; the paths of its key files are relative to the folder of config.json, so copy "
            "config.json to a folder from which these paths are valid: " +
                joined(key_files));
}

}  // namespace

std::filesystem::path page_folder() {
  return data_folder("BLOOMETRY_REPORT_DIR", "report", BLOOMETRY_REPORT_DIR);
}

VerdictText describe(const Verdict& verdict, const RunData& run,
                     std::span<const CheckedFile> files) {
  const Conclusion conclusion = conclude(verdict, files);
  if (conclusion == Conclusion::kAltered) {
    return {"altered", "Altered",
            fmt::format("Files of this run were changed since they were written: {}. These "
                        "measurements cannot be trusted.",
                        faulty_names(files)),
            "bloometry verify prints the fault of each file."};
  }
  if (verdict.rows.empty() && verdict.num_missing_units == 0) {
    return {"empty", "No data", "The run does not have rows, so it cannot be tested.", ""};
  }
  if (verdict.num_deviations > 0) {
    return {"deviates", "Rejected", deviation_sentence(verdict), evidence_of(verdict)};
  }
  if (verdict.num_missing_units > 0) {
    return {"incomplete", "Incomplete",
            fmt::format("{} of {} of work {} missing, so this is not a verdict yet.",
                        grouped(verdict.num_missing_units), plural(run.num_units, "unit"),
                        verdict.num_missing_units == 1 ? "is" : "are"),
            "The finished units do not deviate. Run the sweep again to complete it."};
  }
  if (verdict.num_tests == 0) {
    return {"empty", "Nothing tested",
            "The run is complete, but theory could not test any of its rows.",
            evidence_of(verdict)};
  }
  return {"accepted", "Accepted",
          "Measurement agrees with theory: no row deviates by more than chance explains, and no "
          "inserted key tested negative.",
          evidence_of(verdict)};
}

std::string make_page(const PageInput& input, const std::filesystem::path& folder,
                      const std::optional<chart::ChartRuntime>& runtime) {
  const VerdictText verdict = describe(input.verdict, input.run, input.files);
  const Config& config = input.run.config;
  const KeyLabels labels = key_labels(config);
  const std::string& question = config.question.empty() ? config.name : config.question;
  return fill_template(read_file(folder / "template.html"),
                       {{"name", escape_html(config.name)},
                        {"question", escape_html(question)},
                        {"question_class", question.size() > kLongQuestion ? "long" : "short"},
                        {"css", read_file(folder / "page.css")},
                        {"verdict_kind", verdict.kind},
                        {"verdict_headline", verdict.headline},
                        {"verdict_sentence", escape_html(verdict.sentence)},
                        {"verdict_evidence", escape_html(verdict.evidence)},
                        {"notice", notice(input, runtime.has_value())},
                        {"figures", figures(input, runtime.has_value())},
                        {"omitted", omitted_list(input.charts)},
                        {"deviations", deviations_table(input.verdict, labels)},
                        {"exempt", exempt_table(input.verdict)},
                        {"points", points_table(input.rows, labels)},
                        {"reproduce", reproduce(input.run)},
                        {"config", escape_html(chart::to_text(to_json(config), 2))},
                        {"machine", settings_table(input.run.manifest)},
                        {"scripts", scripts(input, folder, runtime)}});
}

}  // namespace bloometry::report
