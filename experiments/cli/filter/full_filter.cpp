#include "experiments/cli/filter/full_filter.hpp"

#include <fmt/core.h>
#include <string_view>
#include <vector>

#include "core/contract/params.hpp"
#include "core/text.hpp"
#include "experiments/filter_files/filter_facts.hpp"
#include "experiments/text/number_text.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

/// Returns the number of cells of two buckets, which is the most copies of a key.
std::uint64_t most_copies(const FilterFacts& facts) {
  return 2 * static_cast<std::uint64_t>(number_param(facts.params, "bucket_cells"));
}

/// Returns whether all cells of the key's buckets have its fingerprint. Erases them.
bool has_all_copies(FileFilter& filter, const KeyView& key, std::uint64_t most) {
  for (std::uint64_t i = 0; i < most; ++i) {
    bool is_erased = false;
    filter.erase({&key, 1}, {&is_erased, 1});
    if (!is_erased) return false;
  }
  return true;
}

/// Returns the variants that can erase and that have room for any number of copies of a key.
std::vector<std::string_view> variants_that_count() {
  std::vector<std::string_view> names;
  for (const VariantInfo& variant : all_variant_infos()) {
    if (variant.can(Operation::kErase) && !variant.stores_copies) names.push_back(variant.name);
  }
  return names;
}

std::string more_room_text(const FilterFacts& facts, bool is_new) {
  const bool can_be_grown = find_variant(facts.variant).can_be_grown;
  if (can_be_grown && !is_new) return "`bloometry filter grow` doubles its room";
  if (max_capacity_of(facts.params)) return "build a filter with a larger max_capacity";
  return std::string("build a filter for more keys (-n)") +
         (can_be_grown ? ", or one that doubles on its own (--param max_capacity=N)" : "");
}

}  // namespace

std::string full_filter_text(FileFilter& filter, const KeyView& refused, std::uint64_t num_inserted,
                             bool is_new) {
  const FilterFacts facts = filter.description();
  const std::string place = fmt::format("after {} of the keys; no file was written", num_inserted);
  if (find_variant(facts.variant).stores_copies &&
      has_all_copies(filter, refused, most_copies(facts))) {
    return fmt::format(
        "the filter has no room for another copy of a key {}; {} has room for {} copies of a key "
        "at "
        "any size; leave out repeated keys, or use {}",
        place, facts.variant, most_copies(facts), joined_by_or(variants_that_count()));
  }
  return fmt::format("the filter has no room for another key {}; {}", place,
                     more_room_text(facts, is_new));
}

}  // namespace bloometry
