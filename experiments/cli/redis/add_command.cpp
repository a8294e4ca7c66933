#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fmt/core.h>
#include <iostream>

#include "core/error.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/cli/redis/redis_create.hpp"
#include "experiments/cli/redis/redis_target.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/cli/terminal/progress_line.hpp"
#include "experiments/keys/batch_pipeline.hpp"
#include "experiments/keys/split_records.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

using redis_cli::AddOptions;
using redis_cli::HashedFilter;

struct AddTally {
  std::uint64_t num_keys = 0;
  std::uint64_t num_new = 0;
};

void add_batch(HashedFilter& filter, const KeyBatch& batch, std::uint64_t batch_keys,
               AddTally& tally) {
  for (std::size_t first = 0; first < batch.num_keys; first += batch_keys) {
    const std::size_t size = std::min<std::size_t>(batch_keys, batch.num_keys - first);
    tally.num_new += filter.insert(batch.all_keys().subspan(first, size));
    tally.num_keys += size;
  }
}

void add_all(HashedFilter& filter, KeyInput& input, const AddOptions& options, AddTally& tally) {
  InputLine line(std::cerr, ::isatty(STDERR_FILENO) != 0);
  for_each_batch(
      input, 1, [&](KeyBatch& batch) { split_records(input.format(), batch, false); },
      [&](KeyBatch& batch) {
        add_batch(filter, batch, options.batch_keys, tally);
        if (!options.keys.is_quiet) {
          line.show("adding keys", input.num_bytes_read(), input.num_bytes());
        }
      });
}

void wait_for_replicas(HashedFilter& filter, const AddOptions& options) {
  if (!options.num_replicas) return;
  filter.wait_for_replicas(static_cast<unsigned>(*options.num_replicas),
                           std::chrono::milliseconds(options.wait_timeout_ms));
}

void print_done(const AddOptions& options, const HashedFilter& filter, const AddTally& tally) {
  std::cout << options.target.key << ": " << plural(tally.num_keys, "key") << " added, ";
  if (filter.counts_new_keys()) {
    std::cout << grouped(tally.num_new) << " of them new\n";
  } else {
    std::cout << "the number of new keys is unknown for a filter of several strings\n";
  }
}

/// Returns the filter to which the command adds keys. Without --create, m and k describe a bitmap.
redis_cli::TargetOptions target_of(const AddOptions& options) {
  redis_cli::TargetOptions target = options.target;
  if (options.creates || target.scheme.empty()) return target;
  target.sizes = in_bits(options.point.request);
  return target;
}

}  // namespace

int redis_add_command(const AddOptions& options) {
  const InterruptWatch watch("the keys of completed batches are in the filter");
  redis_cli::require_fitting_options(options);
  const redis_cli::TargetOptions target = target_of(options);
  if (!options.creates) redis_cli::require_valid(target);
  std::optional<RedisParameters> created;
  if (options.creates) created = redis_cli::parameters_to_create(options);
  const EmptySources may_be_empty =
      options.creates ? EmptySources::kStandardInput : EmptySources::kNone;
  KeyInput input(options.keys.files, key_format_of(options.keys),
                 key_input_options(options.keys, may_be_empty, !options.keys.is_quiet));
  const auto patience =
      std::chrono::milliseconds(options.num_replicas ? options.wait_timeout_ms : 0);
  const auto client = redis_cli::connect(options.target.server, patience);
  if (created && !redis_cli::create_if_missing(*client, options, *created) &&
      !options.keys.is_quiet) {
    print_message(
        fmt::format("the filter '{}' already exists and is not changed", options.target.key));
  }
  HashedFilter filter(client, target, {.batch_keys = options.batch_keys});
  if (!options.keys.is_quiet) {
    print_unchecked_sizes(target.key, filter.sizes_check());
  }
  AddTally tally;
  try {
    add_all(filter, input, options, tally);
    wait_for_replicas(filter, options);
  } catch (const RedisError& error) {
    throw RedisError(error.failure(), fmt::format("{}; {} of the input {} added", error.what(),
                                                  plural(tally.num_keys, "key"),
                                                  tally.num_keys == 1 ? "is" : "are"));
  }
  if (!options.keys.is_quiet) print_done(options, filter, tally);
  return kDone;
}

}  // namespace bloometry
