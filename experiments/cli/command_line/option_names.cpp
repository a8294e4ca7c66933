#include "experiments/cli/command_line/option_names.hpp"

#include <array>
#include <string>
#include <vector>

namespace bloometry {
namespace {

constexpr std::array kPointOptions = {OptionName{"variant", "VARIANT"},
                                      OptionName{"num_keys", "-n"},
                                      OptionName{"capacity", "-n"},
                                      OptionName{"num_cells", "-m"},
                                      OptionName{"num_bits", "-m"},
                                      OptionName{"num_counters", "-m"},
                                      OptionName{"num_blocks", "--num-blocks"},
                                      OptionName{"bits_per_key", "--bits-per-key"},
                                      OptionName{"num_hashes", "-k"},
                                      OptionName{"rate", "-p"},
                                      OptionName{"target_false_positive_rate", "-p"}};

constexpr std::array kSizeOptions = {OptionName{"num_keys", "-n"},
                                     OptionName{"num_cells", "-m"},
                                     OptionName{"num_bits", "--memory"},
                                     OptionName{"num_hashes", "-k"},
                                     OptionName{"rate", "-p"},
                                     OptionName{"capacity", "-n"},
                                     OptionName{"target_false_positive_rate", "-p"},
                                     OptionName{"variant", "--variant"},
                                     OptionName{"probes", "--probes"},
                                     OptionName{"needs", "--needs"}};

constexpr std::array kSweepOptions = {OptionName{"max_memory", "--max-memory"}};

constexpr std::array kSubjectOptions = {
    OptionName{"variant", "--claim"},     OptionName{"claim", "--claim"},
    OptionName{"loads", "--loads"},       OptionName{"keys", "--keys"},
    OptionName{"encoding", "--encoding"}, OptionName{"max_memory", "the memory of the run"}};

constexpr std::array kBenchOptions = {OptionName{"num_keys", "-n"},
                                      OptionName{"rate", "-p"},
                                      OptionName{"variants", "--variants"},
                                      OptionName{"ops", "--ops"},
                                      OptionName{"keys", "--keys"},
                                      OptionName{"hash", "--hash"},
                                      OptionName{"num_queries", "--queries"},
                                      OptionName{"num_repetitions", "--repetitions"},
                                      OptionName{"initial_capacity", "--initial-capacity"},
                                      OptionName{"threads", "--threads"}};

constexpr std::array kFilterOptions = {
    OptionName{"format", "--format"},    OptionName{"text_encoding", "--text-encoding"},
    OptionName{"from", "--from"},        OptionName{"to", "--to"},
    OptionName{"variant", "--variant"},  OptionName{"hash", "--hash"},
    OptionName{"seed", "--seed"},        OptionName{"secret", "--secret"},
    OptionName{"foldable", "--foldable"}};

constexpr std::array kRedisOptions = {
    OptionName{"url", "--url"},       OptionName{"key", "--key"},
    OptionName{"ttl", "--ttl"},       OptionName{"num_shards", "--shards"},
    OptionName{"scheme", "--scheme"}, OptionName{"batch_keys", "--batch"},
    OptionName{"method", "--method"}, OptionName{"variant", "--variant"},
    OptionName{"hash", "--hash"},     OptionName{"seed", "--seed"},
    OptionName{"secret", "--secret"}, OptionName{"window", "--window"}};

constexpr std::array kRedisFileOptions = {OptionName{"variant", "the variant of FILTER"},
                                          OptionName{"hash", "the hash of FILTER"},
                                          OptionName{"from", "--from"}};

}  // namespace

std::span<const OptionName> point_options() noexcept {
  return kPointOptions;
}

std::span<const OptionName> size_options() noexcept {
  return kSizeOptions;
}

std::span<const OptionName> sweep_options() noexcept {
  return kSweepOptions;
}

std::span<const OptionName> subject_options() noexcept {
  return kSubjectOptions;
}

std::span<const OptionName> bench_options() noexcept {
  return kBenchOptions;
}

std::span<const OptionName> filter_options() noexcept {
  return kFilterOptions;
}

std::span<const OptionName> redis_options() noexcept {
  return kRedisOptions;
}

std::span<const OptionName> redis_file_options() noexcept {
  return kRedisFileOptions;
}

std::string_view option_of(std::string_view field, std::span<const OptionName> options) noexcept {
  for (const OptionName& name : options) {
    if (name.field == field) return name.option;
  }
  return {};
}

ConfigError in_options(const ConfigError& error, std::span<const OptionName> options) {
  std::vector<Problem> problems = error.problems();
  for (Problem& problem : problems) {
    const std::string_view option = option_of(problem.field, options);
    if (!option.empty()) problem.field = option;
  }
  return ConfigError(std::move(problems));
}

}  // namespace bloometry
