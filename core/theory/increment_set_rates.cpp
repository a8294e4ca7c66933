#include "core/theory/increment_set_rates.hpp"

#include "core/theory/independent_rates.hpp"
#include "core/theory/occupancy_chain.hpp"

namespace bloometry::theory {

double increment_set_exact_rate(std::uint64_t n, std::uint64_t m, unsigned k,
                                const IncrementSet& set) {
  return occupancy_chain_rate(n, m, increment_set_pass_table(k, set));
}

double bh_exact_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned ell, unsigned h) {
  return occupancy_chain_rate(n, m, bh_pass_table(k, ell, h));
}

double bh_paper_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned ell, unsigned h) {
  return independent_rate(bh_pass_table(1, ell, h), n, m, k);
}

}  // namespace bloometry::theory
