#include "experiments/cli/filter/insert_keys.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <thread>

#include "core/error.hpp"
#include "experiments/cli/filter/full_filter.hpp"
#include "experiments/keys/batch_pipeline.hpp"
#include "experiments/keys/split_records.hpp"

namespace bloometry {

Reading::Reading(const KeyInput& input, bool is_quiet)
    : input_(input), is_quiet_(is_quiet), line_(std::cerr, ::isatty(STDERR_FILENO) != 0) {}

void Reading::show(const char* what) {
  if (!is_quiet_) line_.show(what, input_.num_bytes_read(), input_.num_bytes());
}

InsertTally insert_all(KeyInput& input, const KeyOptions& options, FileFilter& filter,
                       bool is_new) {
  Reading reading(input, options.is_quiet);
  InsertTally tally;
  for_each_batch(
      input, num_splitting_workers(options.num_threads),
      [&](KeyBatch& batch) { split_records(input.format(), batch, false); },
      [&](KeyBatch& batch) {
        try {
          tally.num_new += filter.insert(batch.all_keys());
        } catch (const FullError& error) {
          const KeyView refused = batch.all_keys()[error.num_inserted()];
          throw IoError(
              full_filter_text(filter, refused, tally.num_inserted + error.num_inserted(), is_new));
        }
        tally.num_inserted += batch.num_keys;
        reading.show("inserting keys");
      });
  return tally;
}

void require_keys(const KeyOptions& options, const KeyInput& input, std::uint64_t num_keys) {
  if (num_keys > 0 || options.allows_empty) return;
  throw ConfigError(input.name() +
                    " must contain at least one key, got 0 keys; --allow-empty "
                    "accepts it");
}

unsigned num_splitting_workers(unsigned num_threads) noexcept {
  if (num_threads > 0) return num_threads - 1;
  return std::clamp(std::thread::hardware_concurrency(), 1U, 4U) - 1;
}

}  // namespace bloometry
