#include "experiments/filters/filter_facts.hpp"

#include "experiments/text/number_text.hpp"

namespace bloometry {

std::string contradiction_in(const FilterFacts& facts) {
  if (!facts.notes.num_inserted || facts.num_hashes == 0) return {};
  const std::uint64_t num_inserted = *facts.notes.num_inserted;
  const std::uint64_t num_ones = facts.state.num_ones;
  // An erase can only reduce the number of set cells, so the test is also valid after erases.
  if (num_inserted >= (num_ones + facts.num_hashes - 1) / facts.num_hashes) return {};
  return plural(num_inserted, "inserted key") + " with " + std::to_string(facts.num_hashes) +
         " probes each cannot set " + grouped(num_ones) + " cells";
}

}  // namespace bloometry
