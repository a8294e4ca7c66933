#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/probe/probe_policy.hpp"
#include "tests/support/probe_models.hpp"

/// Records of tests/golden/theory_reference.json and the computation of each quantity in them.
namespace bloometry::test::reference {

using nlohmann::json;

/// The function that computes a quantity, and the relative tolerance of the quantity. The parameter
/// `expected` is used only for quantities that can be bracketed but not computed.
struct Quantity {
  std::function<double(const json& params, double expected)> compute;
  double tolerance;
};

/// Quantities by "variant/model/quantity", with the variant's name in this library.
using Quantities = std::map<std::string, Quantity>;

template <class F>
Quantity with_tolerance(double tolerance, F compute) {
  return {[compute](const json& p, double) { return static_cast<double>(compute(p)); }, tolerance};
}

// Reasons for the tolerances. eps = 2.2e-16. A stored value is itself rounded by up to eps/2.
// - kExactInteger: counts must be equal.
// - kChain: The error was measured against 400-digit arithmetic at 400 random points per model, up
//   to k = 64 and m = 1e12. The largest errors were 4.7e-15 (W), 8.5e-15 (D) and 1.3e-14 (P, the
//   error of pow). The records have k <= 20. Mixtures of chains and pass tables over Poisson or
//   binomial weights are sums of positive terms. The mixtures add the rounding errors of about ten
//   weights.
// - kClosed: k multiplications, or one pow of an expm1, have an error of (2k + 4) eps/2, here at k
//   = 20.
// - kVariance: rate_variance.hpp allows an error of 4e-15 E[F]^2/Var(F) or k/E[X], whichever is
//   less, if 1e-8 is impossible. The allowed error is at most 4e-8 over the records, and half as
//   large for a standard deviation. The measured error is 6.6e-9 at (1e8, 1154156032, 8), and at
//   most 3e-14 over the tiny filters.
// - kBeta: Incomplete beta and gamma functions without promotion have a measured error of at most
//   7.6e-15 for parameters up to 1e6. Boost states errors of about 100 eps for such parameters.
inline constexpr double kExactInteger = 0.0;
inline constexpr double kChain = 1.5e-14;
inline constexpr double kClosed = 5e-15;
inline constexpr double kVariance = 5e-8;
inline constexpr double kBeta = 1e-13;

inline std::uint64_t n_of(const json& p) {
  return p.at("n").get<std::uint64_t>();
}

inline std::uint64_t m_of(const json& p) {
  return p.at("m").get<std::uint64_t>();
}

inline unsigned k_of(const json& p) {
  return p.at("k").get<unsigned>();
}

/// Returns a function of a record's parameters that calls f(n, m, k).
template <class F>
auto of_nmk(F f) {
  return [f](const json& p) { return f(n_of(p), m_of(p), k_of(p)); };
}

inline double rate_of(const json& p) {
  return p.at("p").get<double>();
}

inline double load_of(const json& p) {
  const json& load = p.at("load");
  if (load.is_number()) return load.get<double>();
  const auto text = load.get<std::string>();
  return text == "ln2" ? std::log(2.0) : std::stod(text);
}

// A separate file in this folder defines each of the following functions.
Quantities standard_quantities();  // rates, fill, sizing
Quantities counting_quantities();
Quantities scalable_quantities();
Quantities variable_increment_quantities();  // D_L, general D, B_h
Quantities set_operation_quantities();       // cardinality, AND, OR
Quantities block_quantities();               // blocked, split_block, d_left
Quantities other_quantities();               // bounds, hash, statistics, seed figures

}  // namespace bloometry::test::reference
