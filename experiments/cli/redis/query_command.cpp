#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/cli/redis/redis_target.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/key_output.hpp"
#include "experiments/keys/batch_pipeline.hpp"
#include "experiments/keys/split_records.hpp"

namespace bloometry {
namespace {

using redis_cli::QueryOptions;

ReadMethod method_named(const std::string& name) {
  constexpr std::array kMethods = {
      std::pair{"best", ReadMethod::kBest}, std::pair{"getbit", ReadMethod::kGetBit},
      std::pair{"bitfield", ReadMethod::kBitField}, std::pair{"getrange", ReadMethod::kGetRange}};
  for (const auto& [known, method] : kMethods) {
    if (name == known) return method;
  }
  throw ConfigError(
      fmt::format("--method must be one of best, getbit, bitfield, getrange, got '{}'", name));
}

/// Exception that ends the command at the first key that would not be printed. It is thrown with
/// --quiet, because later keys cannot change the exit code.
struct AnswerIsKnown {};

/// Queries the keys of a stream. Each batch of keys needs one round trip to the server.
class KeyStream {
 public:
  KeyStream(const QueryOptions& options, const KeyFormat& format, redis_cli::HashedFilter& filter)
      : options_(options), is_text_(!format.is_binary()), filter_(filter) {}

  void query(const KeyBatch& batch) {
    if (prints() && !batch.names.empty()) output_.add(batch.names, is_text_);
    for (std::size_t first = 0; first < batch.num_keys; first += options_.batch_keys) {
      const std::size_t size = std::min<std::size_t>(options_.batch_keys, batch.num_keys - first);
      const std::vector<Presence> answers = filter_.query(batch.all_keys().subspan(first, size));
      write_chosen(batch, first, answers);
    }
    output_.write();
  }

  [[nodiscard]] bool prints() const { return !options_.counts && !options_.keys.is_quiet; }

  [[nodiscard]] std::uint64_t num_chosen() const noexcept { return num_chosen_; }

 private:
  void write_chosen(const KeyBatch& batch, std::size_t first,
                    const std::vector<Presence>& answers) {
    const Presence wanted = options_.is_inverted ? Presence::kAbsent : Presence::kPresent;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (answers[i] != wanted) {
        if (options_.keys.is_quiet) throw AnswerIsKnown();
        continue;
      }
      ++num_chosen_;
      if (prints()) output_.add(batch.records[first + i], is_text_);
    }
    output_.write();
  }

  const QueryOptions& options_;
  bool is_text_;
  redis_cli::HashedFilter& filter_;
  KeyOutput output_;
  std::uint64_t num_chosen_ = 0;
};

}  // namespace

int redis_query_command(const QueryOptions& options) {
  const InterruptWatch watch("the remaining keys were not queried");
  const ReadMethod method = method_named(options.method);
  redis_cli::require_valid(options.target);
  // With --quiet, an empty input would be read as "all keys are present".
  const EmptySources may_be_empty =
      options.keys.is_quiet ? EmptySources::kNone : EmptySources::kStandardInput;
  KeyInput input(options.keys.files, key_format_of(options.keys),
                 key_input_options(options.keys, may_be_empty, true));
  const std::shared_ptr<RedisClient> client = redis_cli::connect(options.target.server);
  redis_cli::HashedFilter filter(client, options.target,
                                 {.method = method, .batch_keys = options.batch_keys});
  if (filter.rotates() && method != ReadMethod::kBest) {
    throw ConfigError(
        fmt::format("--method must be best for a rotating filter, got {}", options.method));
  }
  print_unchecked_sizes(options.target.key, filter.sizes_check());
  KeyStream stream(options, input.format(), filter);
  try {
    for_each_batch(
        input, 1, [&](KeyBatch& batch) { split_records(input.format(), batch, stream.prints()); },
        [&](KeyBatch& batch) { stream.query(batch); });
  } catch (const AnswerIsKnown&) {
    return kAnswerIsNo;
  } catch (const ClosedPipe&) {
    return kDone;
  }
  if (options.counts) std::cout << stream.num_chosen() << '\n';
  return kDone;
}

}  // namespace bloometry
