#include <unistd.h>

#include <fmt/core.h>
#include <iostream>
#include <memory>
#include <string>

#include "core/error.hpp"
#include "experiments/cli/filter/facts_text.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/cli/redis/redis_pull.hpp"
#include "experiments/cli/redis/redis_target.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/progress_line.hpp"
#include "experiments/filter_files/foreign_filters.hpp"
#include "variants/redis/redis_load.hpp"
#include "variants/redis/redisbloom_transfer.hpp"

namespace bloometry {
namespace {

using redis_cli::PullOptions;

void require_known_format(const PullOptions& options) {
  if (options.from == "bloometry") return;
  if (options.from != RedisBloomFilter::kName) {
    throw ConfigError(
        "from",
        fmt::format(
            "must be bloometry or redisbloom, got '{}'; for a bitmap, give --scheme instead",
            options.from));
  }
  const auto refuse = [](const char* field) {
    throw ConfigError(field, "must be left out with --from redisbloom");
  };
  if (!options.target.scheme.empty()) refuse("scheme");
  if (options.target.sizes.num_bits) refuse("num_bits");
  if (options.target.sizes.num_hashes) refuse("num_hashes");
}

/// Writes the filter to the file and returns a message about the filter.
std::string pull(const PullOptions& options, const FilterOutput& output) {
  InputLine line(std::cerr, ::isatty(STDERR_FILENO) != 0);
  const redis_cli::OnProgress show = [&](std::uint64_t num_done, std::uint64_t num_all) {
    if (!options.is_quiet) line.show("reading", num_done, num_all);
  };
  const std::shared_ptr<RedisClient> client = redis_cli::connect(options.target.server);
  if (options.from == RedisBloomFilter::kName) {
    const auto filter = foreign_filter_of(pull_redisbloom(*client, options.target.key, show));
    output.write(*filter);
    return size_text(filter->description());
  }
  const RedisLocation location = redis_cli::find_filter(*client, options.target);
  require_kept_bits(*client, location);
  const RedisParameters& parameters = location.parameters;
  if (!parameters.scheme) {
    redis_cli::pull_to_file(client, location, output.path(), show);
    return fmt::format("{}; {}", parameters.variant, redis_cli::storage_text(location));
  }
  if (!options.is_quiet) {
    print_unchecked_sizes(options.target.key, redis_cli::check_sizes(*client, location));
  }
  output.write(*redis_cli::pulled_filter(client, location));
  return fmt::format("{}, -m {} -k {}; {}", parameters.scheme_name(), parameters.num_bits,
                     parameters.num_hashes, redis_cli::storage_text(location));
}

}  // namespace

int redis_pull_command(const PullOptions& options) {
  const InterruptWatch watch(FilterOutput::kept_text(options.out));
  require_known_format(options);
  redis_cli::require_valid(options.target);
  const FilterOutput output(options.out);
  const std::string text = pull(options, output);
  if (!options.is_quiet) std::cout << options.out.string() << ": " << text << '\n';
  return kDone;
}

}  // namespace bloometry
