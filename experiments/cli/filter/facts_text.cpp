#include "experiments/cli/filter/facts_text.hpp"

#include <cmath>
#include <fmt/core.h>
#include <optional>
#include <sstream>

#include "core/any_filter/variant_info.hpp"
#include "core/contract/generation_counts.hpp"
#include "core/contract/window.hpp"
#include "core/text.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/cli/terminal/window_text.hpp"
#include "experiments/cli/theory/prediction_output.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

constexpr int kDigits = 6;

std::string value_text(const ExpectedRate& rate, const FilterFacts& facts) {
  const bool is_empty = facts.state.num_ones == 0;
  return rate.standard_error ? value_text(rate, is_empty) : rate_text(rate.rate, is_empty, kDigits);
}

/// Returns the number of keys for which the expected rate holds.
std::string keys_text(const FilterFacts& facts) {
  const std::string number = grouped(*facts.num_keys);
  const bool is_one = *facts.num_keys == 1;
  if (facts.is_num_keys_estimated) {
    return fmt::format("for about {} distinct {}", number, is_one ? "key" : "keys");
  }
  if (facts.counts_new_keys) {
    return fmt::format("for {} new {}, as the file counts", number, is_one ? "key" : "keys");
  }
  return is_one ? "for 1 insert" : fmt::format("for {} inserts, if all keys are distinct", number);
}

/// Adds the mean rate over filters and the rate given the cells, with the reasons why they are not
/// exact and with their floor.
void add_rates(const FilterFacts& facts, TextTable& table) {
  if (facts.expected) {
    table.add({"expected rate, " + label_of(*facts.expected),
               fmt::format("{} {}", value_text(*facts.expected, facts), keys_text(facts))});
  } else {
    table.add({"expected rate", "unknown: " + facts.why_no_expected_rate});
  }
  if (facts.given_state) {
    table.add({"rate of these cells, " + label_of(*facts.given_state),
               value_text(*facts.given_state, facts)});
  } else if (facts.rate_if_independent) {
    table.add({"rate of these cells",
               rate_text(*facts.rate_if_independent, facts.state.num_ones == 0, kDigits) +
                   " if the probes were independent, which they are not"});
  }
  const std::optional<ExpectedRate>& noted = facts.expected ? facts.expected : facts.given_state;
  if (!noted) return;
  if (!noted->why_not_exact.empty()) table.add({"not exact because", noted->why_not_exact});
  if (!has_visible_floor(*noted)) return;
  table.add(
      {"floor of the rate", fmt::format("{}, lowered by {}", rounded(noted->floor->rate, kDigits),
                                        noted->floor->lowered_by)});
}

std::string cells_text(const FilterFacts& facts) {
  return fmt::format("m = {} ({})", counted_cells(facts.num_cells, facts.cell_bits, facts.is_table),
                     memory_text(facts.state.num_bits));
}

void add_kind(const FilterFacts& facts, TextTable& table) {
  table.add({"format", facts.format});
  if (!facts.variant.empty()) {
    table.add({"variant", fmt::format("{}, probes {}", facts.variant, facts.probes)});
  }
  table.add({"hash", facts.hash.empty() ? "unknown" : facts.hash});
  if (facts.seed) table.add({"seed", std::to_string(*facts.seed)});
  if (facts.key_id) table.add({"secret's id", fmt::format("{:x}", *facts.key_id)});
  for (const auto& [name, value] : facts.details) table.add({name, value});
  for (const auto& [name, value] : facts.params) {
    const bool has_own_row = name == "initial_capacity" || name == "max_capacity";
    if (!has_own_row) table.add({name, to_string(value)});
  }
}

void add_size(const FilterFacts& facts, TextTable& table) {
  table.add({"size", cells_text(facts)});
  table.add({"k", facts.num_hashes > 0 ? std::to_string(facts.num_hashes) : "by stage"});
  if (facts.sizes_check) table.add({"check of m and k", text_of(*facts.sizes_check)});
  if (facts.state.num_stages) table.add({"stages", std::to_string(*facts.state.num_stages)});
}

/// Adds the window and the numbers of inserts of a filter that forgets.
void add_generations(const FilterFacts& facts, TextTable& table) {
  if (!facts.generations) return;
  const GenerationCounts& counts = *facts.generations;
  table.add({"window", window_text(*facts.window)});
  table.add({"inserts by generation", joined(counts.num_inserted, [](std::uint64_t num) {
                                        return std::to_string(num);
                                      }) + ", newest first"});
  table.add({"rotations", fmt::format("{}, of which {}", grouped(counts.num_rotations),
                                      plural(counts.num_ticks, "tick"))});
  if (counts.num_overfull > 0) {
    table.add({"overfull generations", grouped(counts.num_overfull)});
  }
}

/// Adds the numbers of keys that the filter is sized for and contains, as the file states them.
void add_notes(const FilterFacts& facts, TextTable& table) {
  if (facts.initial_capacity) {
    table.add({"initial capacity", plural(*facts.initial_capacity, "key")});
  }
  const std::optional<std::uint64_t> max_capacity = max_capacity_of(facts.params);
  if (max_capacity) table.add({"max capacity", plural(*max_capacity, "key")});
  if (facts.notes.capacity && facts.notes.capacity != facts.initial_capacity &&
      facts.notes.capacity != max_capacity) {
    table.add({"capacity", plural(*facts.notes.capacity, "key")});
  }
  if (facts.notes.target_false_positive_rate) {
    table.add({"target rate", rounded(*facts.notes.target_false_positive_rate, kDigits)});
  }
  if (facts.notes.num_inserted) {
    const bool is_of_new = facts.counts_new_keys;
    table.add({is_of_new ? "new keys, counted" : "inserts",
               fmt::format("{}{}", grouped(*facts.notes.num_inserted),
                           is_of_new ? "" : ", repeated keys included")});
  }
}

void add_cells(const FilterFacts& facts, TextTable& table) {
  if (facts.num_reachable_cells) {
    table.add({"reachable", grouped(*facts.num_reachable_cells) +
                                " bits; probes never reach the others, so that the fill ignores "
                                "them"});
  }
  table.add({"fill", fmt::format("{} ({} {})", rounded(facts.fill_ratio(), kDigits),
                                 grouped(facts.state.num_ones),
                                 facts.is_table         ? "cells occupied"
                                 : facts.cell_bits == 1 ? "bits set"
                                                        : "counters above 0")});
  if (facts.state.num_saturated) {
    table.add({"saturated counters", grouped(*facts.state.num_saturated)});
  }
  if (facts.state.num_skipped_decrements) {
    table.add({"omitted decrements", grouped(*facts.state.num_skipped_decrements)});
  }
}

void add_estimate(const FilterFacts& facts, TextTable& table) {
  if (facts.estimated_num_keys) {
    table.add({"distinct keys, estimated", std::isfinite(*facts.estimated_num_keys)
                                               ? grouped_real(*facts.estimated_num_keys, 7)
                                               : "all cells are set"});
  } else if (!facts.why_no_estimate.empty()) {
    table.add({"distinct keys", "unknown: " + facts.why_no_estimate});
  }
}

void add_room(const FilterFacts& facts, TextTable& table) {
  const std::optional<std::uint64_t> left = facts.num_keys_left();
  if (!left) return;
  table.add({"room", *left > 0 ? fmt::format("about {} at the target rate",
                                             plural(*left, "more distinct key"))
                               : fmt::format("none: the target rate allows {}",
                                             plural(*facts.num_keys_at_target, "key"))});
}

}  // namespace

std::string size_text(const FilterFacts& facts) {
  std::string text = fmt::format("{}, {}", facts.variant.empty() ? facts.format : facts.variant,
                                 cells_text(facts));
  if (facts.num_hashes > 0) text += fmt::format(", k = {}", facts.num_hashes);
  if (facts.initial_capacity) {
    text += fmt::format(", initial capacity {}", plural(*facts.initial_capacity, "key"));
  }
  return text;
}

std::string text_of(const FilterFacts& facts) {
  TextTable table({{"", true}, {"", true}});
  add_kind(facts, table);
  add_size(facts, table);
  add_generations(facts, table);
  add_notes(facts, table);
  add_cells(facts, table);
  add_estimate(facts, table);
  add_rates(facts, table);
  add_room(facts, table);
  if (!facts.remark.empty()) table.add({"remark", facts.remark});
  std::ostringstream text;
  table.print(text);
  return text.str();
}

}  // namespace bloometry
