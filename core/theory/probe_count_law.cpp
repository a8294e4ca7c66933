#include "core/theory/probe_count_law.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/require_domain.hpp"
#include "core/theory/geometry_check.hpp"

namespace bloometry::theory {
namespace {

/// Updates the law for one more probe. If s earlier probes fell on non-zero cells, share_of(s)
/// returns the probabilities of a non-zero cell (hit) and of a zero cell (miss).
template <class ShareOf>
void draw_probe(std::vector<double>& law, ShareOf share_of) {
  law.push_back(0.0);
  for (std::size_t s = law.size() - 1; s-- > 0;) {
    const auto [hit, miss] = share_of(s);
    law[s + 1] += law[s] * hit;
    law[s] *= miss;
  }
}

struct Shares {
  double hit;
  double miss;
};

}  // namespace

std::vector<double> probe_count_law(ProbeModel model, std::uint64_t num_ones,
                                    std::uint64_t num_cells, unsigned num_hashes) {
  if (model == ProbeModel::kPartitioned) {
    throw std::domain_error("model must be W or D, got P; give the fill of each slice instead");
  }
  const bool is_distinct = model == ProbeModel::kDistinct;
  require_geometry(model, num_cells, num_hashes);
  require_at_most("num_ones", num_ones, "m", num_cells);
  std::vector<double> law = {1.0};
  for (unsigned i = 0; i < num_hashes; ++i) {
    draw_probe(law, [&](std::uint64_t s) {
      // In model D, earlier probes used s ones and i - s zeros. Larger numbers of ones have
      // probability 0 already.
      const std::uint64_t ones = num_ones - (is_distinct ? std::min(s, num_ones) : 0);
      const std::uint64_t zeros = num_cells - num_ones;
      const std::uint64_t zeros_left = zeros - (is_distinct ? std::min(i - s, zeros) : 0);
      const auto left = static_cast<double>(is_distinct ? num_cells - i : num_cells);
      return Shares{static_cast<double>(ones) / left, static_cast<double>(zeros_left) / left};
    });
  }
  return law;
}

std::vector<double> probe_count_law(const std::vector<double>& fills) {
  require_domain(!fills.empty(), "number of slices", "at least 1", fills.size());
  std::vector<double> law = {1.0};
  for (const double fill : fills) {
    require_domain(fill >= 0.0 && fill <= 1.0, "fill of a slice", "in [0, 1]", fill);
    draw_probe(law, [fill](std::size_t) { return Shares{fill, 1.0 - fill}; });
  }
  return law;
}

}  // namespace bloometry::theory
