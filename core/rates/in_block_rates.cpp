#include "core/rates/in_block_rates.hpp"

#include <cassert>
#include <numeric>

namespace bloometry {

InBlockRates::InBlockRates(ProbeModel model, unsigned block_cells, unsigned num_hashes,
                           unsigned power)
    : model_(model),
      block_cells_(block_cells),
      num_hashes_(num_hashes),
      law_(std::size_t{num_hashes} * power + 1, 0.0) {
  assert(model != ProbeModel::kPartitioned && num_hashes <= block_cells);
  law_[0] = 1;
  for (unsigned query = 0; query < power; ++query) {
    for (unsigned i = 0; i < num_hashes; ++i) add_query_probe(taken(i));
  }
  rates_.push_back(law_[0]);
}

double InBlockRates::taken(unsigned i) const noexcept {
  return model_ == ProbeModel::kDistinct ? i : 0;
}

void InBlockRates::add_query_probe(double taken) {
  const double free = block_cells_ - taken;
  for (std::size_t u = law_.size() - 1; u > 0; --u) {
    const auto cells = static_cast<double>(u);
    law_[u] = (law_[u] * (cells - taken) + law_[u - 1] * (block_cells_ - cells + 1)) / free;
  }
  law_[0] = 0;
}

double InBlockRates::operator()(std::uint64_t num_keys) {
  while (rates_.size() <= num_keys) {
    if (is_full()) return 1;
    insert_key();
    rates_.push_back(law_[0]);
  }
  return rates_[num_keys];
}

bool InBlockRates::is_full() const noexcept {
  return std::accumulate(law_.begin() + 1, law_.end(), 0.0) < 0x1p-54;
}

void InBlockRates::insert_key() {
  for (unsigned i = 0; i < num_hashes_; ++i) {
    const double free = block_cells_ - taken(i);
    for (std::size_t u = 0; u + 1 < law_.size(); ++u) {
      const auto cells = static_cast<double>(u);
      law_[u] = (law_[u] * (free - cells) + law_[u + 1] * (cells + 1)) / free;
    }
    law_.back() *= (free - static_cast<double>(law_.size() - 1)) / free;
  }
}

}  // namespace bloometry
