#include "core/theory/occupancy_chain.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "core/theory/binomial_mixture.hpp"
#include "core/theory/geometry_check.hpp"

namespace bloometry::theory {
namespace {

using Kernel = std::vector<std::vector<double>>;  // [r - 1][s]

// Rows are built for s = 0..max_throws; beyond this many a query passes for certain (a rate of 1 is
// recognised first), so a longer kernel would mean a mistake.
constexpr std::size_t kMaxKernelLength = std::size_t{1} << 16;

/// P(k independent probes fall on exactly r distinct cells), r = 0..k.
std::vector<double> distinct_cells_law(double num_cells, unsigned num_hashes) {
  std::vector<double> law(num_hashes + 1, 0.0);
  law[0] = 1.0;
  for (unsigned probe = 0; probe < num_hashes; ++probe) {
    for (unsigned r = probe + 1; r > 0; --r) {
      const double fresh = std::max(0.0, num_cells - (r - 1.0)) / num_cells;
      law[r] = law[r] * (r / num_cells) + law[r - 1] * fresh;
    }
    law[0] = 0.0;
  }
  return law;
}

/// Upper bound of P(Bin(N, 1/m) < undecided): a cell on which a probe may still fail.
double undecided_cell_bound(double num_throws, double num_cells, std::size_t undecided) {
  if (num_cells == 1.0) return num_throws < static_cast<double>(undecided) ? 1.0 : 0.0;
  double term = std::exp(num_throws * std::log1p(-1.0 / num_cells));
  double sum = 0.0;
  for (std::size_t t = 0; t < undecided; ++t) {
    sum += term;
    const double real = static_cast<double>(t);
    term *= std::max(0.0, num_throws - real) / ((real + 1.0) * (num_cells - 1.0));
  }
  return sum;
}

/// sum_r occ(r) E[K(r, s)], s ~ Bin(N, r/m); absent if the kernel rows are too short.
std::optional<double> mix_kernel(double num_throws, double num_cells, const Kernel& kernel) {
  const auto law = distinct_cells_law(num_cells, static_cast<unsigned>(kernel.size()));
  double rate = 0.0;
  for (std::size_t r = 1; r <= kernel.size() && static_cast<double>(r) <= num_cells; ++r) {
    const double cells = static_cast<double>(r);
    std::optional<double> passes;
    if (cells < num_cells) {
      passes = mix_over_binomial(num_throws, cells / (num_cells - cells), kernel[r - 1]);
    } else if (num_throws < static_cast<double>(kernel[r - 1].size())) {
      passes =
          kernel[r - 1][static_cast<std::size_t>(num_throws)];  // every throw is in the r cells
    }
    if (!passes) return std::nullopt;
    rate += law[r] * *passes;
  }
  return rate;
}

/// K(r, s) for "every cell was hit": surj(s+1, r) = surj(s, r) + surj(s, r-1) ((r-1)/r)^s, the
/// probability that s throws on r cells leave none empty.
Kernel any_hit_kernel(unsigned num_hashes, std::size_t max_throws) {
  Kernel kernel(num_hashes, std::vector<double>(max_throws + 1, 0.0));
  std::fill(kernel[0].begin() + 1, kernel[0].end(), 1.0);
  for (unsigned r = 2; r <= num_hashes; ++r) {
    const auto& fewer = kernel[r - 2];
    auto& row = kernel[r - 1];
    const double shrink = (r - 1.0) / r;
    double power = 1.0;
    for (std::size_t s = 0; s < max_throws; ++s) {
      // Started afresh now and then: the rounding of `shrink` would grow with s.
      power = s % 8 == 0 ? std::exp(static_cast<double>(s) * std::log1p(-1.0 / r)) : power * shrink;
      row[s + 1] = row[s] + fewer[s] * power;
    }
  }
  return kernel;
}

/// Asks build(max_throws) for longer kernels until the mixture is complete.
template <class Build>
double rate_with_growing_kernel(double num_throws, double num_cells, std::size_t length,
                                Build&& build) {
  for (; length <= kMaxKernelLength; length *= 2) {
    if (const auto rate = mix_kernel(num_throws, num_cells, build(length))) {
      return std::min(1.0, *rate);
    }
  }
  throw std::domain_error("occupancy chain: more throws per cell than its kernel can hold");
}

std::size_t first_length(double num_throws, double num_cells, unsigned num_hashes) {
  const double cells = std::min<double>(num_hashes, num_cells);
  return mixture_length(cells * (num_throws / num_cells));
}

// ---- general pass tables ----

/// Binomial coefficients C(n, .) and Stirling numbers S2(n, .) for n = 0..k, by positive
/// recurrences.
struct PartitionCounts {
  explicit PartitionCounts(unsigned k)
      : binomial(Eigen::MatrixXd::Zero(k + 1, k + 1)), stirling(binomial) {
    binomial(0, 0) = stirling(0, 0) = 1.0;
    for (Eigen::Index n = 1; n <= k; ++n) {
      binomial(n, 0) = 1.0;
      for (Eigen::Index j = 1; j <= n; ++j) {
        binomial(n, j) = binomial(n - 1, j - 1) + binomial(n - 1, j);
        stirling(n, j) = stirling(n - 1, j - 1) + static_cast<double>(j) * stirling(n - 1, j);
      }
    }
  }

  /// P(the block of the last of q probes has b members) among partitions of q probes into r blocks.
  double block_share(Eigen::Index q, Eigen::Index r, Eigen::Index b) const {
    return binomial(q - 1, b - 1) * stirling(q - b, r - 1) / stirling(q, r);
  }

  Eigen::MatrixXd binomial;
  Eigen::MatrixXd stirling;
};

/// Bin(s, 1/r)(s - u) at index u = 0..s: how many of s throws on r cells miss a given one. From the
/// mode outwards, then normalised, so that the far tails keep their digits.
Eigen::VectorXd missing_throws_law(Eigen::Index s, double r) {
  Eigen::VectorXd law = Eigen::VectorXd::Zero(s + 1);
  if (r == 1.0) {
    law(0) = 1.0;
    return law;
  }
  const double odds = r - 1.0;
  const auto mode =
      std::min(s, static_cast<Eigen::Index>((static_cast<double>(s) + 1.0) * odds / r));
  law(mode) = 1.0;
  for (Eigen::Index u = mode; u < s; ++u) {
    law(u + 1) = law(u) * odds * static_cast<double>(s - u) / static_cast<double>(u + 1);
  }
  for (Eigen::Index u = mode; u > 0; --u) {
    law(u - 1) = law(u) * static_cast<double>(u) / (odds * static_cast<double>(s - u + 1));
  }
  return law / law.sum();
}

/// Builds K(q, r, s) for all q <= k by taking away the cell of the last probe: b probes and t
/// throws.
///
///     K(q, r, s) = sum_b share(q, r, b) sum_t Bin(s, 1/r)(t) pass(b, t) K(q-b, r-1, s-t)
class KernelBuilder {
 public:
  KernelBuilder(const PassTable& table, std::size_t max_throws)
      : table_(table),
        counts_(table.num_hashes()),
        k_(table.num_hashes()),
        length_(static_cast<Eigen::Index>(max_throws) + 1) {}

  Kernel build() {
    // previous(q, s) = K(q, r-1, s); no cell and no probe left over: only s = 0.
    Eigen::MatrixXd previous = Eigen::MatrixXd::Zero(k_ + 1, length_);
    previous(0, 0) = 1.0;
    Kernel kernel;
    for (Eigen::Index r = 1; r <= k_; ++r) {
      previous = next_level(previous, r);
      kernel.emplace_back(static_cast<std::size_t>(length_));
      for (Eigen::Index s = 0; s < length_; ++s) {
        kernel.back()[static_cast<std::size_t>(s)] = previous(k_, s);
      }
    }
    return kernel;
  }

 private:
  Eigen::MatrixXd next_level(const Eigen::MatrixXd& previous, Eigen::Index r) const {
    const auto undecided = static_cast<Eigen::Index>(table_.num_undecided());
    // mixed[t] holds sum_b share(q, r, b) pass(b, t) K(q-b, r-1, .); the last one is for all t >=
    // T.
    std::vector<Eigen::MatrixXd> mixed;
    for (Eigen::Index t = 0; t <= undecided; ++t) mixed.push_back(mix_blocks(previous, r, t));
    Eigen::MatrixXd level = Eigen::MatrixXd::Zero(k_ + 1, length_);
    for (Eigen::Index s = 0; s < length_; ++s) {
      const Eigen::VectorXd missing = missing_throws_law(s, static_cast<double>(r));
      for (Eigen::Index t = 0; t < undecided && t <= s; ++t) {
        level.col(s) += missing(s - t) * mixed[static_cast<std::size_t>(t)].col(s - t);
      }
      const Eigen::Index rest = s - undecided + 1;  // u = s - t = 0..s-T
      if (rest > 0) level.col(s) += mixed.back().leftCols(rest) * missing.head(rest);
    }
    return level;
  }

  Eigen::MatrixXd mix_blocks(const Eigen::MatrixXd& previous, Eigen::Index r,
                             Eigen::Index t) const {
    Eigen::MatrixXd mixed = Eigen::MatrixXd::Zero(k_ + 1, length_);
    for (Eigen::Index q = r; q <= k_; ++q) {
      for (Eigen::Index b = 1; b <= q - r + 1; ++b) {
        const double pass = table_.pass(static_cast<unsigned>(b), static_cast<std::size_t>(t));
        if (pass > 0.0) mixed.row(q) += counts_.block_share(q, r, b) * pass * previous.row(q - b);
      }
    }
    return mixed;
  }

  const PassTable& table_;
  PartitionCounts counts_;
  Eigen::Index k_;
  Eigen::Index length_;
};

bool certain_to_pass(double num_throws, double num_cells, unsigned k, std::size_t undecided) {
  return k * undecided_cell_bound(num_throws, num_cells, undecided) < 0x1p-56;
}

}  // namespace

OccupancyChain::OccupancyChain(PassTable table) : table_(std::move(table)) {}

double OccupancyChain::rate(std::uint64_t num_keys, std::uint64_t num_cells) {
  return moment(static_cast<double>(num_keys) * table_.num_hashes(), num_cells);
}

double OccupancyChain::moment(double num_throws, std::uint64_t num_cells) {
  const unsigned k = table_.num_hashes();
  require_geometry(ProbeModel::kWithReplacement, num_cells, k);
  const double m = static_cast<double>(num_cells);
  if (certain_to_pass(num_throws, m, k, table_.num_undecided())) return 1.0;
  return rate_with_growing_kernel(num_throws, m, first_length(num_throws, m, k),
                                  [this](std::size_t length) -> const Kernel& {
                                    if (kernel_.empty() || kernel_.front().size() <= length) {
                                      build_kernel(length);
                                    }
                                    return kernel_;
                                  });
}

void OccupancyChain::build_kernel(std::size_t max_throws) {
  // Half as much again, so that a rising load does not rebuild at every step.
  kernel_ = KernelBuilder(table_, max_throws + max_throws / 2).build();
}

double occupancy_chain_rate(std::uint64_t num_keys, std::uint64_t num_cells,
                            const PassTable& table) {
  return OccupancyChain(table).rate(num_keys, num_cells);
}

double occupancy_any_hit_rate(std::uint64_t num_keys, std::uint64_t num_cells,
                              unsigned num_hashes) {
  return any_hit_moment(static_cast<double>(num_keys) * num_hashes, num_cells, num_hashes);
}

double any_hit_moment(double num_throws, std::uint64_t num_cells, unsigned power) {
  require_geometry(ProbeModel::kWithReplacement, num_cells, power);
  const double m = static_cast<double>(num_cells);
  if (certain_to_pass(num_throws, m, power, 1)) return 1.0;
  return rate_with_growing_kernel(
      num_throws, m, first_length(num_throws, m, power),
      [power](std::size_t length) { return any_hit_kernel(power, length); });
}

}  // namespace bloometry::theory
