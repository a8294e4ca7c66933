#include "tests/support/reference/matrix_power.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "core/theory/geometry_check.hpp"

namespace bloometry::test {

using namespace theory;

namespace {

using Matrix = Eigen::MatrixXd;

Matrix power_by_squaring(Matrix base, std::uint64_t exponent) {
  Matrix result = Matrix::Identity(base.rows(), base.cols());
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = (result * base).eval();
    base = (base * base).eval();
  }
  return result;
}

/// Returns column 0 of the matrix, A(0..max_cells), padded with zeros if the matrix is smaller.
std::vector<double> padded_first_column(const Matrix& matrix, unsigned max_cells) {
  std::vector<double> column(max_cells + 1, 0.0);
  std::copy(matrix.col(0).begin(), matrix.col(0).end(), column.begin());
  return column;
}

Eigen::Index matrix_size(std::uint64_t m, unsigned max_cells) {
  return static_cast<Eigen::Index>(std::min<std::uint64_t>(m, max_cells)) + 1;
}

/// Returns h(i | j) = C(j,i) C(m-j,k-i)/C(m,k): the probability that a k-subset covers i of the j
/// given cells. Computes the probability cell by cell, because the binomial coefficients could
/// overflow.
double subset_covers(double m, unsigned k, double j, unsigned i) {
  // Draws the k cells one by one. The state is the number of given cells that are drawn.
  std::vector<double> drawn(i + 2, 0.0);
  drawn[0] = 1.0;
  for (unsigned t = 0; t < k; ++t) {
    const double left = m - t;
    for (unsigned c = std::min(t + 1, i + 1);; --c) {
      const double stay = std::max(0.0, (m - j) - (t - static_cast<double>(c))) / left;
      const double enter = c > 0 ? drawn[c - 1] * std::max(0.0, j - (c - 1.0)) / left : 0.0;
      drawn[c] = (c <= t ? drawn[c] * stay : 0.0) + enter;
      if (c == 0) break;
    }
  }
  return drawn[i];
}

/// Returns S2(power, j) m_(j) / m^power for j = 0..power.
std::vector<double> pattern_weights(double m, unsigned power) {
  std::vector<double> stirling(power + 1, 0.0);
  stirling[0] = 1.0;
  for (unsigned q = 1; q <= power; ++q) {
    for (unsigned j = q; j > 0; --j) stirling[j] = j * stirling[j] + stirling[j - 1];
    stirling[0] = 0.0;
  }
  double falling = 1.0;
  for (unsigned j = 0; j <= power; ++j) {
    stirling[j] *= falling * std::pow(m, -static_cast<double>(power - j));
    falling *= std::max(0.0, m - j) / m;
  }
  return stirling;
}

}  // namespace

std::vector<double> hit_probabilities_with_replacement(std::uint64_t n, std::uint64_t m, unsigned k,
                                                       unsigned max_cells) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  const Eigen::Index size = matrix_size(m, max_cells);
  const double cells = static_cast<double>(m);
  Matrix step = Matrix::Zero(size, size);
  for (Eigen::Index j = 0; j < size; ++j) {
    step(j, j) = 1.0 - static_cast<double>(j) / cells;
    if (j > 0) step(j, j - 1) = static_cast<double>(j) / cells;
  }
  // k and n are separate, because their product may not fit 64 bits.
  return padded_first_column(power_by_squaring(power_by_squaring(step, k), n), max_cells);
}

std::vector<double> hit_probabilities_distinct(std::uint64_t n, std::uint64_t m, unsigned k,
                                               unsigned max_cells) {
  require_geometry(ProbeModel::kDistinct, m, k);
  const Eigen::Index size = matrix_size(m, max_cells);
  Matrix step = Matrix::Zero(size, size);
  for (Eigen::Index j = 0; j < size; ++j) {
    for (Eigen::Index i = 0; i <= std::min<Eigen::Index>(j, k); ++i) {
      step(j, j - i) = subset_covers(static_cast<double>(m), k, static_cast<double>(j),
                                     static_cast<unsigned>(i));
    }
  }
  return padded_first_column(power_by_squaring(step, n), max_cells);
}

double moment_by_matrix_power(std::uint64_t n, std::uint64_t m, unsigned k, unsigned power) {
  const auto hit = hit_probabilities_with_replacement(n, m, k, power);
  const auto weights = pattern_weights(static_cast<double>(m), power);
  double sum = 0.0;
  for (std::size_t j = 0; j < hit.size(); ++j) sum += weights[j] * hit[j];
  return sum;
}

double distinct_rate_by_matrix_power(std::uint64_t n, std::uint64_t m, unsigned k) {
  return hit_probabilities_distinct(n, m, k, k).back();
}

}  // namespace bloometry::test
