#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/filter/capacity_warning.hpp"
#include "experiments/cli/filter/facts_text.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/cli/filter/filter_options.hpp"
#include "experiments/cli/filter/insert_keys.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/cli/theory/foreign_theory.hpp"
#include "experiments/cli/theory/prediction_output.hpp"
#include "experiments/cli/theory/requested_filter.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/filter_files/foldable_size.hpp"
#include "experiments/filter_files/foreign_filters.hpp"
#include "experiments/keys/key_count.hpp"

namespace bloometry {
namespace {

constexpr double kDefaultRate = 0.01;

/// The options of `filter build` that determine the size.
constexpr std::array<std::string_view, 4> kFilterSizeOptions = {"-m", "--num-blocks",
                                                                "--bits-per-key", "-p"};

bool is_own_format(const FilterBuildOptions& options) {
  return options.to == BloometryFilter::kFormat;
}

/// Returns whether the options determine the size of the filter without the number of keys.
bool is_sized_without_keys(const FilterBuildOptions& options) {
  const SizeRequest& request = options.point.request;
  if (!is_own_format(options)) return size_in_bits(request).has_value();
  const VariantInfo& variant = find_variant(options.point.variant);
  if (variant.can(Operation::kGrow)) return true;
  const bool has_fixed_k = request.num_hashes || variant.min_num_hashes == variant.max_num_hashes;
  return has_fixed_k && !request.rate && !request.bits_per_key && has_size(request);
}

/// Returns the number of keys of the input, but at least 1. The keys of a pipe are stored in a
/// temporary file.
std::uint64_t count_input(KeyInput& input, bool is_quiet) {
  if (!input.can_rewind()) {
    if (!is_quiet) {
      print_message(
          fmt::format("storing the keys of {} in a temporary file until they are counted; give -n "
                      "to avoid this",
                      input.name()));
    }
    Reading reading(input, is_quiet);
    input.spool([&](std::uint64_t) { reading.show("storing keys"); });
  }
  Reading reading(input, is_quiet);
  return std::max<std::uint64_t>(1, count_keys(input, [&] { reading.show("counting keys"); }));
}

SizeRequest for_keys(SizeRequest request, std::uint64_t num_keys) {
  request.num_keys = num_keys;
  return request;
}

PointOptions point_with_defaults(const FilterBuildOptions& options, std::uint64_t num_keys) {
  PointOptions point = options.point;
  point.request = for_keys(point.request, num_keys);
  if (!has_size(point.request) && !point.request.rate) point.request.rate = kDefaultRate;
  return point;
}

FileNotes notes_of(const FilterBuildOptions& options, const PointOptions& point,
                   const FilterSpec& spec) {
  const SizeRequest& request = point.request;
  FileNotes notes;
  if (request.rate || request.bits_per_key) notes.capacity = request.num_keys;
  if (const auto max_capacity = max_capacity_of(spec.params)) notes.capacity = max_capacity;
  notes.target_false_positive_rate = request.rate;
  // A filter that grows does not have a final number of keys, so its capacity is the given n.
  if (find_variant(point.variant).can(Operation::kGrow)) {
    notes.capacity = options.point.request.num_keys;
  }
  return notes;
}

/// A filter of this library, before its memory is allocated.
struct OwnPlan {
  const SchemeInfo& scheme;
  FilterSpec spec;
  FilterHash hash;
  FileHeader header;
  std::string remark{};  ///< the cost of --foldable, or empty
};

/// Returns the cost of a foldable size.
std::string cost_text(const FoldableSize& size) {
  const auto before = static_cast<double>(size.num_bits - size.num_more_bits);
  return fmt::format("--foldable adds {} (+{}); the size can be folded by {}",
                     plural(size.num_more_bits, "bit"),
                     percent(static_cast<double>(size.num_more_bits) / before),
                     plural(size.num_divisors - 1, "divisor"));
}

OwnPlan own_plan_of(const FilterBuildOptions& options, std::uint64_t num_keys) {
  PointOptions point = point_with_defaults(options, num_keys);
  const VariantInfo& variant = find_variant(point.variant);
  const SchemeInfo& scheme = scheme_of(variant, point.request.probes);
  point.request.probes = scheme.name;
  FilterSpec spec = requested_filter(point, kFilterSizeOptions).spec;
  if (variant.can(Operation::kGrow)) spec.capacity = options.point.request.num_keys;
  std::string remark;
  if (options.is_foldable) {
    const FoldableSize size = foldable_size(variant, scheme, spec);
    spec = size.spec;
    remark = cost_text(size);
  }
  std::optional<SipHashKey> secret;
  if (options.secret) secret = read_secret(*options.secret);
  OwnPlan plan{scheme, spec, FilterHash(options.hash, options.seed, secret), {}, remark};
  plan.header.notes = notes_of(options, point, plan.spec);
  return plan;
}

/// Returns the result of make(). Throws ConfigError if the memory cannot be allocated.
template <class Make>
auto in_memory(Make make) {
  try {
    return make();
  } catch (const MemoryError& error) {
    throw ConfigError(fmt::format("the filter must fit in memory: {}", error.what()));
  }
}

/// A planned filter. The memory of a filter of this library is allocated by make().
class FilterPlan {
 public:
  /// @throws ConfigError if a filter with these options is not possible
  FilterPlan(const FilterBuildOptions& options, std::uint64_t num_keys) {
    if (is_own_format(options)) {
      own_.emplace(own_plan_of(options, num_keys));
    } else {
      foreign_ = in_memory([&] {
        return make_foreign_filter(options.to, for_keys(options.point.request, num_keys));
      });
    }
  }

  /// Returns a fact about the size that a user should know, or an empty text.
  [[nodiscard]] std::string remark() const { return own_ ? own_->remark : ""; }

  std::unique_ptr<FileFilter> make() && {
    if (foreign_) return std::move(foreign_);
    return in_memory([&] {
      return std::make_unique<BloometryFilter>(own_->scheme.make(own_->spec), std::move(own_->hash),
                                               std::move(own_->header));
    });
  }

 private:
  std::optional<OwnPlan> own_;
  std::unique_ptr<FileFilter> foreign_;
};

/// Prints a warning if another program limits the size so that the rate at num_keys keys exceeds
/// the target rate.
void warn_of_limited_size(const FilterBuildOptions& options, std::uint64_t num_keys) {
  const SizeRequest& request = options.point.request;
  if (options.keys.is_quiet || is_own_format(options) || size_in_bits(request)) return;
  if (const ForeignFormat* format = find_foreign_format(options.to)) {
    warn_of_limited_size(*format, num_keys, request.rate.value_or(kDefaultRate));
  }
}

/// Throws ConfigError for options that do not apply to another program's format.
void require_fitting_options(const FilterBuildOptions& options) {
  if (is_own_format(options)) return;
  require_file_format(options.to);
  if (!options.own_only.empty()) {
    throw ConfigError(fmt::format(
        "{} must be left out with --to {}, because this format determines the variant and the hash",
        joined(options.own_only), options.to));
  }
}

/// Returns the number of keys for sizing the filter if it is known before the keys are counted.
/// Returns 1 if the size does not depend on this number.
std::optional<std::uint64_t> known_num_keys(const FilterBuildOptions& options) {
  const SizeRequest& request = options.point.request;
  if (request.num_keys) return request.num_keys;
  return is_sized_without_keys(options) ? std::optional<std::uint64_t>(1) : std::nullopt;
}

/// Returns the plan of the filter. If the number of keys is not yet known, the result is nullopt,
/// and the function only checks that a filter with the options is possible for one key, which has
/// the lowest rate. This check cannot decide whether the bits per key are enough.
std::optional<FilterPlan> plan_before_counting(const FilterBuildOptions& options) {
  if (const auto num_keys = known_num_keys(options)) return FilterPlan(options, *num_keys);
  const bool is_checkable = !is_own_format(options) || !options.point.request.bits_per_key;
  if (is_checkable) static_cast<void>(FilterPlan(options, 1));
  return std::nullopt;
}

/// Prints a note if the input repeats keys and the filter is sized for all of them.
void note_repeated_keys(const FilterBuildOptions& options, std::uint64_t num_inserted,
                        std::uint64_t num_distinct) {
  const bool is_sized_by_input = !options.point.request.num_keys && !is_sized_without_keys(options);
  if (!is_sized_by_input || num_distinct == num_inserted) return;
  print_message(fmt::format(
      "the filter is sized for {}, about {} of them distinct; -n {} gives a smaller filter",
      plural(num_inserted, "key"), grouped(num_distinct), num_distinct));
}

/// Warns if the rate is above the target, although not more keys were inserted than planned. The
/// sizes of other programs may exceed the target by a few percent.
void warn_of_rate(const FilterBuildOptions& options, const FilterFacts& facts,
                  std::uint64_t num_inserted) {
  constexpr double kUsualExcess = 1.1;
  const SizeRequest& request = options.point.request;
  const std::optional<double>& target = request.rate;
  const bool is_overfilled = request.num_keys && num_inserted > *request.num_keys;
  if (!target || !facts.expected || is_overfilled) return;
  if (facts.expected->rate <= kUsualExcess * *target) return;
  const std::optional<RateFloor>& floor = facts.expected->floor;
  if (!floor || floor->rate <= *target) {
    return print_message(
        fmt::format("warning: the expected rate is {}, above the target rate of {}",
                    rounded(facts.expected->rate, 4), rounded(*target, 4)));
  }
  print_message(
      fmt::format("warning: the rate of this filter cannot be {}; its floor is {}, lowered by {}",
                  rounded(*target, 4), rounded(floor->rate, 4), floor->lowered_by));
}

void print_done(const FilterBuildOptions& options, const FilterFacts& facts,
                std::uint64_t num_inserted, std::uint64_t num_distinct) {
  const bool has_repeats = num_distinct < num_inserted;
  std::cout << options.out.string() << ": " << plural(num_inserted, "key")
            << (has_repeats ? fmt::format(" (about {} distinct)", grouped(num_distinct)) : "")
            << " in " << size_text(facts);
  if (facts.expected && !has_repeats) {
    const bool is_exact = facts.expected->kind == RateKind::kExact;
    std::cout << ", expected rate " << rounded(facts.expected->rate, 4)
              << (is_exact ? "" : fmt::format(" ({})", label_of(*facts.expected)));
  } else {
    std::cout << ", rate about " << rounded(facts.rate(), 4);
  }
  std::cout << '\n';
}

}  // namespace

int filter_build_command(const FilterBuildOptions& options) {
  const InterruptWatch watch(FilterOutput::kept_text(options.out));
  std::optional<FilterOutput> output;
  std::optional<KeyInput> input;
  ProblemCollector problems;
  problems.collect([&] { output.emplace(options.out); });
  problems.collect([&] {
    input.emplace(options.keys.files, key_format_of(options.keys),
                  key_input_options(options.keys, EmptySources::kNone, !options.keys.is_quiet));
  });
  problems.collect([&] {
    if (output) output->require_other_than(key_files(options.keys), options.secret);
  });
  std::optional<FilterPlan> plan;
  problems.collect([&] {
    require_fitting_options(options);
    if (auto known = plan_before_counting(options)) plan.emplace(*std::move(known));
  });
  problems.throw_if_any();
  const std::uint64_t num_keys =
      plan ? *known_num_keys(options) : count_input(*input, options.keys.is_quiet);
  if (!plan) plan.emplace(options, num_keys);
  const std::string remark = plan->remark();
  const std::unique_ptr<FileFilter> filter = std::move(*plan).make();
  warn_of_limited_size(options, num_keys);
  const InsertTally tally = insert_all(*input, options.keys, *filter, true);
  require_keys(options.keys, *input, tally.num_inserted);
  FileNotes notes = filter->notes();
  notes.num_inserted = tally.num_inserted;
  filter->set_notes(notes);
  output->write(*filter);
  if (options.keys.is_quiet) return kDone;
  FilterFacts facts = filter->facts(tally.num_inserted);
  if (!facts.notes.capacity) facts.notes.capacity = options.point.request.num_keys;
  const std::uint64_t num_distinct = num_distinct_keys(facts, tally.num_inserted, tally.num_new);
  if (!remark.empty()) print_message(remark);
  warn_of_overfill(facts, num_distinct, plural(num_distinct, "key") + " were inserted into");
  warn_of_rate(options, facts, tally.num_inserted);
  note_repeated_keys(options, tally.num_inserted, num_distinct);
  print_done(options, facts, tally.num_inserted, num_distinct);
  return kDone;
}

}  // namespace bloometry
