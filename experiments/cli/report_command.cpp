#include <iostream>

#include "experiments/cli/commands.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/report/chart_runtime.hpp"
#include "experiments/report/write_report.hpp"
#include "experiments/verdict/summary.hpp"
#include "experiments/verdict/theory_cache.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry {

int report_command(const ReportOptions& options) {
  const RunData run = read_run(options.folder);
  TheoryCache cache;  // the summary and the verdict ask for the same theory
  const std::vector<SummaryRow> rows = summarise(run, cache);
  const Verdict verdict = judge(run, VerifyOptions{}.false_alarm, cache);
  const report::WrittenReport written = report::write_report(run, rows, verdict, options.formats);
  if (!written.drawn) {
    std::cerr << "bloometry: report.html has no charts, because what draws them is not installed; "
                 "run: "
              << report::install_command(report::assets_folder()) << '\n';
  }
  std::cout << written.page.string() << '\n';
  return kDone;
}

}  // namespace bloometry
