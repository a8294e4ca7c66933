#include "core/theory/covering_chain.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/rates/binomial_mixture.hpp"
#include "core/require_domain.hpp"
#include "core/theory/geometry_check.hpp"

namespace bloometry::theory {
namespace {

/// The distribution of the number of cells, out of j given cells, that a key hits. For i = 1..j,
/// law(i) is P(the key hits i of the cells | the key hits at least one). The member odds is P(the
/// key hits at least one) / P(the key does not hit any). The value is infinite if a key cannot miss
/// all j cells.
struct Touch {
  Eigen::VectorXd law;  // [i], law(0) = 0
  double odds = 0.0;
};

Touch touch_law(double m, double k, Eigen::Index j) {
  // h(i+1)/h(i) = (j-i)(k-i)/((i+1)(m-j-k+i+1)), from the least possible i.
  const double j_real = static_cast<double>(j);
  const double first = std::max(0.0, j_real + k - m);
  const double last = std::min(j_real, k);
  Eigen::VectorXd weight = Eigen::VectorXd::Zero(j + 1);
  weight(static_cast<Eigen::Index>(first)) = 1.0;
  for (double i = first; i < last; ++i) {
    const double ratio = (j_real - i) * (k - i) / ((i + 1.0) * (m - j_real - k + i + 1.0));
    weight(static_cast<Eigen::Index>(i) + 1) = weight(static_cast<Eigen::Index>(i)) * ratio;
  }
  const double none = weight(0);
  weight(0) = 0.0;
  const double any = weight.sum();
  return {weight / any, any / none};
}

/// Returns the table of C(a, b) for a, b = 0..size, computed by additions of positive numbers.
Eigen::MatrixXd binomial_table(Eigen::Index size) {
  Eigen::MatrixXd table = Eigen::MatrixXd::Zero(size + 1, size + 1);
  for (Eigen::Index a = 0; a <= size; ++a) {
    table(a, 0) = 1.0;
    for (Eigen::Index b = 1; b <= a; ++b) table(a, b) = table(a - 1, b - 1) + table(a - 1, b);
  }
  return table;
}

/// Returns a matrix. Element T(u, u + d) is the probability that one key raises the number of
/// covered cells from u to u + d. law(i) is the probability that the key hits i of the cells.
Eigen::MatrixXd cover_step(const Eigen::VectorXd& law) {
  const Eigen::Index j = law.size() - 1;
  const Eigen::MatrixXd choose = binomial_table(j);
  Eigen::MatrixXd step = Eigen::MatrixXd::Zero(j + 1, j + 1);
  for (Eigen::Index u = 0; u <= j; ++u) {
    for (Eigen::Index i = 0; i <= j; ++i) {
      for (Eigen::Index d = std::max<Eigen::Index>(0, i - u); d <= std::min(i, j - u); ++d) {
        step(u, u + d) += law(i) * choose(u, i - d) * choose(j - u, d) / choose(j, i);
      }
    }
    step.row(u) /=
        step.row(u)
            .sum();  // the sum is 1 except for rounding, which would accumulate over many keys
  }
  return step;
}

/// Returns P(all j cells are covered after `a` keys) for a = 0..length - 1.
std::vector<double> cover_kernel(const Eigen::MatrixXd& step, std::size_t length) {
  Eigen::RowVectorXd covered = Eigen::RowVectorXd::Zero(step.rows());
  covered(0) = 1.0;
  std::vector<double> kernel;
  kernel.reserve(length);
  for (std::size_t a = 0; a < length; ++a) {
    kernel.push_back(covered(covered.size() - 1));
    covered = (covered * step).eval();
  }
  return kernel;
}

void require_cells(std::uint64_t m, unsigned num_cells) {
  require_at_most("num_cells", std::uint64_t{num_cells}, "m", m);
}

}  // namespace

std::vector<double> cover_probabilities(std::span<const double> law, std::size_t length) {
  const Eigen::Map<const Eigen::VectorXd> of_sizes(law.data(),
                                                   static_cast<Eigen::Index>(law.size()));
  return cover_kernel(cover_step(of_sizes), length);
}

double cover_probability_distinct(std::uint64_t n, std::uint64_t m, unsigned k,
                                  unsigned num_cells) {
  require_geometry(ProbeModel::kDistinct, m, k);
  require_cells(m, num_cells);
  if (num_cells == 0) return 1.0;
  if (n == 0) return 0.0;
  const double keys = static_cast<double>(n);
  const double cells = static_cast<double>(m);
  const double miss = keys * std::log1p(-static_cast<double>(k) / cells);  // -inf for k = m
  if (num_cells * std::exp(miss) < 0x1p-56) return 1.0;  // an upper bound of P(some cell is missed)
  const Touch touch = touch_law(cells, k, static_cast<Eigen::Index>(num_cells));
  const Eigen::MatrixXd step = cover_step(touch.law);
  if (std::isinf(touch.odds)) {
    return std::min(1.0, cover_kernel(step, static_cast<std::size_t>(n) + 1).back());
  }
  for (std::size_t length = mixture_length(keys * (touch.odds / (1.0 + touch.odds)));;
       length *= 2) {
    if (const auto rate = mix_over_binomial(keys, touch.odds, cover_kernel(step, length))) {
      return std::min(1.0, *rate);
    }
  }
}

}  // namespace bloometry::theory
