#include "core/theory/occupancy_chain.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "core/rates/binomial_mixture.hpp"
#include "core/theory/geometry_check.hpp"

namespace bloometry::theory {
namespace {

using Kernel = std::vector<std::vector<double>>;  // [r - 1][s], empty if not needed

// Maximum number of values s in a kernel row. A longer kernel would indicate a bug, because a rate
// of 1 is detected earlier.
constexpr std::size_t kMaxKernelLength = std::size_t{1} << 16;

/// Returns P(k independent probes fall on exactly r distinct cells) for r = 0..k.
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

/// Returns an upper bound of P(Bin(N, 1/m) < undecided), the probability that a probe may still
/// fail on a given cell.
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

/// Returns sum_r occ(r) E[K(r, s)] over the rows r of the kernel, where s ~ Bin(N, r/m) and occ is
/// `law`. Returns std::nullopt if a row is too short.
std::optional<double> mix_kernel(double num_throws, double num_cells, const Kernel& kernel,
                                 std::span<const double> law) {
  double rate = 0.0;
  for (std::size_t r = 1; r <= kernel.size() && static_cast<double>(r) <= num_cells; ++r) {
    if (kernel[r - 1].empty()) continue;
    const double cells = static_cast<double>(r);
    std::optional<double> passes;
    if (cells < num_cells) {
      passes = mix_over_binomial(num_throws, cells / (num_cells - cells), kernel[r - 1]);
    } else if (num_throws < static_cast<double>(kernel[r - 1].size())) {
      passes =
          kernel[r - 1][static_cast<std::size_t>(num_throws)];  // all throws fall into the r cells
    }
    if (!passes) return std::nullopt;
    rate += law[r] * *passes;
  }
  return rate;
}

/// Returns K(r, s) for filters in which a probe passes if its cell was hit. K(r, s) = surj(s, r) is
/// the probability that s throws hit each of r cells. The recurrence is surj(s+1, r) = surj(s, r) +
/// surj(s, r-1) ((r-1)/r)^s.
Kernel any_hit_kernel(unsigned num_hashes, std::size_t max_throws) {
  Kernel kernel(num_hashes, std::vector<double>(max_throws + 1, 0.0));
  std::fill(kernel[0].begin() + 1, kernel[0].end(), 1.0);
  for (unsigned r = 2; r <= num_hashes; ++r) {
    const auto& fewer = kernel[r - 2];
    auto& row = kernel[r - 1];
    const double shrink = (r - 1.0) / r;
    double power = 1.0;
    for (std::size_t s = 0; s < max_throws; ++s) {
      // The power is recomputed every 8 steps, because the rounding of `shrink` would grow with s.
      power = s % 8 == 0 ? std::exp(static_cast<double>(s) * std::log1p(-1.0 / r)) : power * shrink;
      row[s + 1] = row[s] + fewer[s] * power;
    }
  }
  return kernel;
}

/// Calls build(max_throws) with increasing lengths until the kernel is long enough for the mixture.
template <class Build>
double rate_with_growing_kernel(double num_throws, double num_cells, std::span<const double> law,
                                std::size_t length, Build&& build) {
  for (; length <= kMaxKernelLength; length *= 2) {
    if (const auto rate = mix_kernel(num_throws, num_cells, build(length), law)) {
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

/// Binomial coefficients C(n, .) and Stirling numbers S2(n, .) for n = 0..k, computed by
/// recurrences with positive terms.
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

  /// Returns P(a block has b members), for any of the r blocks of a partition of q probes.
  double block_share(Eigen::Index q, Eigen::Index r, Eigen::Index b) const {
    return binomial(q, b) * stirling(q - b, r - 1) / (static_cast<double>(r) * stirling(q, r));
  }

  Eigen::MatrixXd binomial;
  Eigen::MatrixXd stirling;
};

/// Builds K(q, r, s) for q <= k probes on r cells with q - r <= max_shared, from the contribution
/// of one more throw. The throw falls on a cell with b probes and t throws, and raises pass(b, t)
/// to pass(b, t + 1).
///
///     K(q, r, s+1) = K(q, r, s) + sum_b share(q, r, b)
///                    sum_{t<T} [pass(b, t+1) - pass(b, t)] Bin(s, 1/r)(t) K(q-b, r-1, s-t)
///
/// For T throws or more, pass(b, .) is 1, so the cost of a column is O(T) per entry instead of
/// O(s).
class KernelBuilder {
 public:
  KernelBuilder(const PassTable& table, unsigned max_shared, std::size_t max_throws)
      : table_(table),
        counts_(table.num_hashes()),
        k_(table.num_hashes()),
        max_shared_(std::min<Eigen::Index>(max_shared, k_ - 1)),
        length_(static_cast<Eigen::Index>(max_throws) + 1) {}

  /// Builds the rows r from k - max_shared to max_cells, for q = k.
  Kernel build(std::size_t max_cells) {
    Kernel kernel(static_cast<std::size_t>(k_));
    const auto last = static_cast<Eigen::Index>(std::min(kernel.size(), max_cells));
    // level(s, d) = K(r + d, r, s)
    Eigen::MatrixXd level = first_level();
    for (Eigen::Index r = 1; r <= last; ++r) {
      if (r > 1) level = next_level(level, r);
      const Eigen::Index shared = k_ - r;
      if (shared > max_shared_) continue;
      const auto row = level.col(shared);
      kernel[static_cast<std::size_t>(r - 1)].assign(row.begin(), row.end());
    }
    return kernel;
  }

 private:
  [[nodiscard]] double pass(Eigen::Index b, Eigen::Index t) const {
    return table_.pass(static_cast<unsigned>(b), static_cast<std::size_t>(t));
  }

  [[nodiscard]] Eigen::MatrixXd first_level() const {
    Eigen::MatrixXd level(length_, max_shared_ + 1);
    for (Eigen::Index shared = 0; shared <= max_shared_; ++shared) {
      for (Eigen::Index s = 0; s < length_; ++s) level(s, shared) = pass(1 + shared, s);
    }
    return level;
  }

  /// Returns column `shared` of the level, which describes q = r + shared probes.
  [[nodiscard]] Eigen::MatrixXd next_level(const Eigen::MatrixXd& previous, Eigen::Index r) const {
    const Eigen::MatrixXd weights = throws_on_one(static_cast<double>(r));
    const Eigen::Index last = std::min(max_shared_, k_ - r);
    Eigen::MatrixXd level = Eigen::MatrixXd::Zero(length_, max_shared_ + 1);
    for (Eigen::Index shared = 0; shared <= last; ++shared) {
      const Eigen::VectorXd added = added_by_throw(previous, weights, r, shared);
      for (Eigen::Index b = 1; b <= shared + 1; ++b) {
        level(0, shared) +=
            counts_.block_share(r + shared, r, b) * pass(b, 0) * previous(0, shared - b + 1);
      }
      for (Eigen::Index s = 0; s + 1 < length_; ++s) {
        level(s + 1, shared) = level(s, shared) + added(s);
      }
    }
    return level;
  }

  /// Returns K(q, r, s+1) - K(q, r, s), with index s.
  [[nodiscard]] Eigen::VectorXd added_by_throw(const Eigen::MatrixXd& previous,
                                               const Eigen::MatrixXd& weights, Eigen::Index r,
                                               Eigen::Index shared) const {
    Eigen::VectorXd added = Eigen::VectorXd::Zero(length_);
    for (Eigen::Index t = 0; t < weights.cols() && t < length_; ++t) {
      Eigen::VectorXd rest = Eigen::VectorXd::Zero(length_ - t);
      for (Eigen::Index b = 1; b <= shared + 1; ++b) {
        const double gain = counts_.block_share(r + shared, r, b) * (pass(b, t + 1) - pass(b, t));
        if (gain != 0.0) rest += gain * previous.col(shared - b + 1).head(length_ - t);
      }
      added.tail(length_ - t) += weights.col(t).tail(length_ - t).cwiseProduct(rest);
    }
    return added;
  }

  /// Returns a matrix. Element (s, t) is the probability that a variable with distribution Bin(s,
  /// 1/r) equals t, for t < T.
  [[nodiscard]] Eigen::MatrixXd throws_on_one(double r) const {
    const auto undecided = static_cast<Eigen::Index>(table_.num_undecided());
    Eigen::MatrixXd weights(length_, undecided);
    for (Eigen::Index s = 0; s < length_; ++s) {
      const auto throws = static_cast<double>(s);
      weights(s, 0) = std::exp(throws * std::log1p(-1.0 / r));
      for (Eigen::Index t = 1; t < undecided; ++t) {
        const auto hits = static_cast<double>(t);
        weights(s, t) = weights(s, t - 1) * (std::max(0.0, throws - hits + 1.0) / hits / (r - 1.0));
      }
    }
    return weights;
  }

  const PassTable& table_;
  PartitionCounts counts_;
  Eigen::Index k_;
  Eigen::Index max_shared_;
  Eigen::Index length_;
};

/// Returns a vector. Element d is an upper bound of the probability that all k probes pass and fall
/// on fewer than k - d cells. Each of r cells passes with a probability of at most `one`. Throws on
/// one cell are missing from the other cell, so the probability that two cells pass is at most the
/// product of their probabilities.
std::vector<double> bounds_of_shared(std::span<const double> law, double one) {
  const std::size_t k = law.size() - 1;
  std::vector<double> bounds(k, 0.0);
  for (std::size_t r = 1; r < k; ++r) {
    const double below = r > 1 ? bounds[k - r] : 0.0;
    bounds[k - r - 1] = below + law[r] * std::pow(one, static_cast<double>(r));
  }
  return bounds;
}

bool certain_to_pass(double num_throws, double num_cells, unsigned k, std::size_t undecided) {
  return k * undecided_cell_bound(num_throws, num_cells, undecided) < 0x1p-56;
}

}  // namespace

double occupancy_chain_rate(std::uint64_t num_keys, std::uint64_t num_cells,
                            const PassTable& table) {
  return occupancy_chain_moment(static_cast<double>(num_keys) * table.num_hashes(), num_cells,
                                table);
}

double occupancy_chain_moment(double num_throws, std::uint64_t num_cells, const PassTable& table) {
  const unsigned k = table.num_hashes();
  require_geometry(ProbeModel::kWithReplacement, num_cells, k);
  const double m = static_cast<double>(num_cells);
  if (certain_to_pass(num_throws, m, k, table.num_undecided())) return 1.0;
  const auto law = distinct_cells_law(m, k);
  const double one =
      cell_mean_of(num_throws, m, [&table](std::uint64_t t) { return table.pass(1, t); });
  const auto bounds = bounds_of_shared(law, one);
  const auto rate_with = [&](unsigned max_shared) {
    return rate_with_growing_kernel(
        num_throws, m, law, first_length(num_throws, m, k), [&](std::size_t length) {
          return KernelBuilder(table, max_shared, length).build(num_cells);
        });
  };
  // The bound on the whole sum replaces the rate, which is slightly smaller but not computed yet.
  const double all = bounds.front() + law[k] * std::pow(one, k);
  unsigned max_shared = 0;
  while (max_shared + 1 < k && bounds[max_shared] > 0x1p-64 * all) ++max_shared;
  for (;; max_shared = std::min(k - 1, 2 * max_shared + 1)) {
    const double rate = rate_with(max_shared);
    if (max_shared + 1 == k || bounds[max_shared] <= 0x1p-60 * rate) return rate;
  }
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
      num_throws, m, distinct_cells_law(m, power), first_length(num_throws, m, power),
      [power](std::size_t length) { return any_hit_kernel(power, length); });
}

}  // namespace bloometry::theory
