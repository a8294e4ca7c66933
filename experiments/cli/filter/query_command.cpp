#include <algorithm>
#include <iostream>
#include <string>
#include <thread>

#include "core/error.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/cli/filter/filter_options.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/key_output.hpp"
#include "experiments/keys/batch_pipeline.hpp"
#include "experiments/keys/split_records.hpp"

namespace bloometry {
namespace {

/// Numbers of queried keys and of printed keys.
struct Tally {
  std::uint64_t num_keys = 0;
  std::uint64_t num_chosen = 0;  ///< keys that tested positive, or negative with --invert
};

/// Returns the number of query threads, or 0 if the printing thread also queries.
unsigned num_query_workers(unsigned num_threads) {
  const unsigned wanted =
      num_threads > 0 ? num_threads : std::clamp(std::thread::hardware_concurrency(), 1U, 4U);
  return wanted == 1 ? 0 : wanted;
}

/// Thrown with --quiet after the first key that would not be printed. The remaining keys need not
/// be read.
struct Enough {};

Tally query(const FilterQueryOptions& options, const FileFilter& filter, KeyInput& input) {
  const bool prints = !options.counts && !options.keys.is_quiet;
  const bool is_text = !input.format().is_binary();
  Tally tally;
  KeyOutput output;
  for_each_batch(
      input, num_query_workers(options.keys.num_threads),
      [&](KeyBatch& batch) {
        split_records(input.format(), batch, prints);
        filter.contains(batch.all_keys(), batch.room_for_answers());
      },
      [&](KeyBatch& batch) {
        tally.num_keys += batch.num_keys;
        if (prints && !batch.names.empty()) output.add(batch.names, is_text);
        for (std::size_t i = 0; i < batch.num_keys; ++i) {
          if (batch.answers[i] == options.is_inverted) continue;
          ++tally.num_chosen;
          if (prints) output.add(batch.records[i], is_text);
        }
        output.write();
        if (options.keys.is_quiet && tally.num_chosen < tally.num_keys) throw Enough();
      });
  return tally;
}

}  // namespace

int filter_query_command(const FilterQueryOptions& options) {
  const InterruptWatch watch("the remaining keys were not queried");
  // With --quiet, an empty input would be read as "all keys are present".
  const EmptySources may_be_empty =
      options.keys.is_quiet ? EmptySources::kNone : EmptySources::kStandardInput;
  KeyInput input(options.keys.files, key_format_of(options.keys),
                 key_input_options(options.keys, may_be_empty, true));
  const std::unique_ptr<FileFilter> filter = open_filter(options.filter);
  print_unchecked_sizes(options.filter.path, *filter);
  try {
    const Tally tally = query(options, *filter, input);
    if (options.counts) std::cout << tally.num_chosen << '\n';
    return kDone;
  } catch (const Enough&) {
    return kAnswerIsNo;
  } catch (const ClosedPipe&) {
    return kDone;
  }
}

}  // namespace bloometry
