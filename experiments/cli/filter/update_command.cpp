#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fmt/core.h>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/contract/generation_counts.hpp"
#include "core/error.hpp"
#include "core/rates/cardinality.hpp"
#include "core/text.hpp"
#include "experiments/cli/filter/capacity_warning.hpp"
#include "experiments/cli/filter/facts_text.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/cli/filter/filter_options.hpp"
#include "experiments/cli/filter/insert_keys.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/keys/batch_pipeline.hpp"
#include "experiments/keys/split_records.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/text/printable.hpp"

namespace bloometry {
namespace {

/// A filter file that a command reads, changes and replaces. The file is locked for the lifetime of
/// the object.
class UpdatedFile {
 public:
  /// @throws ConfigError if the file is not a filter that can be replaced, or is one of the inputs
  /// @param inputs the other files that the command reads, which must not be the filter
  /// @param wait_s most seconds to wait for the lock; absent: no limit
  UpdatedFile(const FilterInput& filter, std::span<const std::filesystem::path> inputs,
              std::optional<std::uint64_t> wait_s)
      : output_((require_readable(filter.path), filter.path), "FILTER") {
    output_.require_other_than(inputs, filter.secret);
    std::optional<std::chrono::seconds> limit;
    if (wait_s) limit = std::chrono::seconds(*wait_s);
    output_.lock(limit);
    FilterInput input = filter;
    input.path = output_.path();
    input.is_updated = true;
    filter_ = open_filter(input);
    print_unchecked_sizes(input.path, *filter_);
  }

  [[nodiscard]] FileFilter& filter() noexcept { return *filter_; }

  void write() { output_.write(*filter_); }

 private:
  FilterOutput output_;
  std::unique_ptr<FileFilter> filter_;
};

/// The keys that `filter erase` did not find.
class AbsentKeys {
 public:
  void add(std::string_view key, bool is_text) {
    if (num_keys_++ >= kMostNamed) return;
    named_.push_back(is_text ? fmt::format("'{}'", printable(key, kMaxShownValue)) : hex_text(key));
  }

  [[nodiscard]] std::uint64_t num_keys() const noexcept { return num_keys_; }

  /// Returns the number of keys and the first of them.
  [[nodiscard]] std::string text() const {
    return fmt::format("{} absent: {}{}", plural(num_keys_, "key"), joined(named_),
                       num_keys_ > kMostNamed ? ", ..." : "");
  }

 private:
  static constexpr std::size_t kMostNamed = 5;

  /// Returns the bytes of an integer key in hexadecimal digits.
  static std::string hex_text(std::string_view key) {
    std::string text;
    for (const char byte : key) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return text;
  }

  std::uint64_t num_keys_ = 0;
  std::vector<std::string> named_;
};

/// Erases all keys of the input. Returns their number.
std::uint64_t erase_all(KeyInput& input, const KeyOptions& options, FileFilter& filter,
                        AbsentKeys& absent) {
  Reading reading(input, options.is_quiet);
  const bool is_text = !input.format().is_binary();
  std::uint64_t num_keys = 0;
  for_each_batch(
      input, num_splitting_workers(options.num_threads),
      [&](KeyBatch& batch) { split_records(input.format(), batch, true); },
      [&](KeyBatch& batch) {
        filter.erase(batch.all_keys(), batch.room_for_answers());
        for (std::size_t i = 0; i < batch.num_keys; ++i) {
          if (batch.answers[i]) continue;
          std::string_view record = batch.records[i];
          while (is_text && (record.ends_with('\n') || record.ends_with('\r'))) {
            record.remove_suffix(1);
          }
          absent.add(record, is_text);
        }
        num_keys += batch.num_keys;
        reading.show("erasing keys");
      });
  return num_keys;
}

KeyInput key_input(const KeyOptions& options) {
  return {options.files, key_format_of(options),
          key_input_options(options, EmptySources::kNone, !options.is_quiet)};
}

std::string state_text(const FilterFacts& facts) {
  return fmt::format("{}, rate about {}", size_text(facts), rounded(facts.rate(), 4));
}

/// Returns the number of decrements that the filter has not made because of saturated counters.
std::uint64_t num_skipped_decrements(const FileFilter& filter) {
  return filter.description().state.num_skipped_decrements.value_or(0);
}

/// Prints a warning if an erase left counters unchanged.
void warn_of_saturation(std::uint64_t num_skipped) {
  if (num_skipped == 0) return;
  print_message(
      fmt::format("warning: {} omitted, because the counters are at their maximum; erased keys may "
                  "still be found. A filter with more counter_bits avoids this",
                  num_skipped == 1 ? "1 decrement was"
                                   : fmt::format("{} decrements were", grouped(num_skipped))));
}

/// Returns the most distinct keys that a filter can contain after inserts, if the number before is
/// known.
/// @param before the facts before the inserts
/// @param rate the rate after the inserts, the most false positives among new keys
std::optional<std::uint64_t> most_keys(const FilterFacts& before, const InsertTally& tally,
                                       double rate) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  if (!before.estimated_num_keys) return std::nullopt;
  const std::uint64_t held =
      clipped_count(*before.estimated_num_keys, 0, before.notes.num_inserted.value_or(kMost));
  const double num_new = static_cast<double>(tally.num_new) / (1 - rate);
  return held + std::min(kMost - held, clipped_count(num_new, tally.num_new, tally.num_inserted));
}

}  // namespace

int filter_add_command(const FilterUpdateOptions& options) {
  const InterruptWatch watch(FilterOutput::kept_text(options.filter.path));
  KeyInput input = key_input(options.keys);
  UpdatedFile file(options.filter, key_files(options.keys), options.wait_s);
  FileFilter& filter = file.filter();
  const FilterFacts before = filter.description();
  const InsertTally tally = insert_all(input, options.keys, filter, false);
  require_keys(options.keys, input, tally.num_inserted);
  FileNotes notes = filter.notes();
  notes.num_inserted = sum_of(notes.num_inserted, tally.num_inserted);
  filter.set_notes(notes);
  file.write();
  if (options.keys.is_quiet) return kDone;
  const FilterFacts facts = filter.facts();
  warn_of_held_keys(facts, most_keys(before, tally, facts.rate()));
  std::cout << options.filter.path.string() << ": " << plural(tally.num_inserted, "key")
            << " added, " << grouped(tally.num_new) << " of them new; " << state_text(facts)
            << '\n';
  return kDone;
}

int filter_grow_command(const FilterChangeOptions& options) {
  const InterruptWatch watch(FilterOutput::kept_text(options.filter.path));
  UpdatedFile file(options.filter, {}, options.wait_s);
  const std::uint64_t num_bits = file.filter().description().state.num_bits;
  file.filter().grow();
  file.write();
  if (options.is_quiet) return kDone;
  std::cout << options.filter.path.string() << ": " << memory_text(num_bits) << " before, now "
            << state_text(file.filter().facts()) << '\n';
  return kDone;
}

int filter_tick_command(const FilterChangeOptions& options) {
  const InterruptWatch watch(FilterOutput::kept_text(options.filter.path));
  UpdatedFile file(options.filter, {}, options.wait_s);
  const std::optional<GenerationCounts> before = file.filter().description().generations;
  file.filter().tick();
  file.write();
  if (options.is_quiet) return kDone;
  const FilterFacts facts = file.filter().facts();
  std::cout << options.filter.path.string() << ": forgot the oldest generation, with "
            << plural(before->num_inserted.back(), "insert") << "; "
            << plural(facts.generations->num_ticks, "tick") << " so far; " << state_text(facts)
            << '\n';
  return kDone;
}

int filter_erase_command(const FilterUpdateOptions& options) {
  const InterruptWatch watch(FilterOutput::kept_text(options.filter.path));
  KeyInput input = key_input(options.keys);
  UpdatedFile file(options.filter, key_files(options.keys), options.wait_s);
  FileFilter& filter = file.filter();
  filter.require_erasable();
  AbsentKeys absent;
  const std::uint64_t num_skipped = num_skipped_decrements(filter);
  const std::uint64_t num_keys = erase_all(input, options.keys, filter, absent);
  require_keys(options.keys, input, num_keys);
  const std::uint64_t num_erased = num_keys - absent.num_keys();
  if (num_erased > 0) {
    // The keys that remain are unknown if an erased key was a false positive.
    FileNotes notes = filter.notes();
    notes.num_inserted.reset();
    filter.set_notes(notes);
    file.write();
  }
  const ExitCode code = absent.num_keys() > 0 ? kAnswerIsNo : kDone;
  if (options.keys.is_quiet) return code;
  if (code == kAnswerIsNo) print_message(absent.text());
  warn_of_saturation(num_skipped_decrements(filter) - num_skipped);
  std::cout << options.filter.path.string() << ": " << plural(num_erased, "key") << " erased; "
            << state_text(filter.facts()) << '\n';
  return code;
}

}  // namespace bloometry
