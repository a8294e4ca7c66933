#include "core/theory/coincidences.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include "core/probe/double_hashing.hpp"
#include "core/probe/enhanced_double_hashing.hpp"
#include "core/probe/triple_hashing.hpp"
#include "core/theory/coincidence_integration.hpp"
#include "core/theory/covering_chain.hpp"
#include "core/theory/few_word_schemes.hpp"
#include "core/theory/geometry_check.hpp"
#include "core/theory/standard_rates.hpp"

namespace bloometry::theory {
namespace {

/// Calls use(scheme) with the class of the scheme.
template <class Use>
auto with_scheme(FewWordScheme scheme, std::uint64_t m, unsigned k, Use use) {
  switch (scheme) {
    case FewWordScheme::kModuloNonZero:
      return use(ResidueSums<Stride::kNonZero, Change::kNone>(m, k));
    case FewWordScheme::kModuloOdd:
      return use(ResidueSums<Stride::kOdd, Change::kNone>(m, k));
    case FewWordScheme::kModuloAny:
      return use(ResidueSums<Stride::kAny, Change::kNone>(m, k));
    case FewWordScheme::kEnhancedModulo:
      return use(ResidueSums<Stride::kAny, Change::kCubic>(m, k));
    case FewWordScheme::kEnhancedModuloOdd:
      return use(ResidueSums<Stride::kOdd, Change::kCubic>(m, k));
    case FewWordScheme::kTripleModulo:
      return use(ResidueSums<Stride::kAny, Change::kRandom>(m, k));
    case FewWordScheme::kFastrange:
      return use(FastrangeSums(m, k));
    case FewWordScheme::kModulo63:
      return use(WrappedSums<63>(m, k));
    case FewWordScheme::kModulo64:
      return use(WrappedSums<64>(m, k));
    case FewWordScheme::kFolded32:
      return use(FoldedSums(m, k));
    case FewWordScheme::kFourWords:
      return use(FourWordSums(m, k));
    case FewWordScheme::kFactor:
      break;
  }
  return use(FactorIndices(m, k));
}

constexpr std::array kNamedSchemes = {
    std::pair{DoubleModProbes::kName, FewWordScheme::kModuloNonZero},
    std::pair{DoubleModOddProbes::kName, FewWordScheme::kModuloOdd},
    std::pair{DoubleModAnyProbes::kName, FewWordScheme::kModuloAny},
    std::pair{EnhancedDoubleModProbes::kName, FewWordScheme::kEnhancedModulo},
    std::pair{EnhancedDoubleModOddProbes::kName, FewWordScheme::kEnhancedModuloOdd},
    std::pair{TripleModProbes::kName, FewWordScheme::kTripleModulo},
    std::pair{DoubleFastrangeProbes::kName, FewWordScheme::kFastrange},
    std::pair{DoubleFastrangeOddProbes::kName, FewWordScheme::kFastrange},
    std::pair{EnhancedDoubleFastrangeProbes::kName, FewWordScheme::kFastrange}};

/// Returns the number of cells that indices reach.
std::uint64_t num_reachable(FewWordScheme scheme, std::uint64_t m) noexcept {
  return scheme == FewWordScheme::kFolded32 ? std::min(m, std::uint64_t{1} << 31U) : m;
}

/// Sets CoverProbabilities::gain. With many members, a difference of probabilities loses its
/// digits; the gain is then the derivative of (1 - e^-L)^j by ln n, L = -ln(1 - fill).
CoverProbabilities with_gain(CoverProbabilities cover, double n) {
  constexpr double kManyMembers = 1e6;
  const double fill = cover.with_all.size() > 1 ? cover.with_all[1] : 0;
  const double per_cell = fill < 1 ? -std::log1p(-fill) * (1 - fill) : 0;
  for (std::size_t j = 0; j < cover.with_all.size(); ++j) {
    const double difference = n * (cover.with_all[j] - cover.without_one[j]);
    const double derivative =
        j == 0 ? 0 : static_cast<double>(j) * std::pow(fill, static_cast<double>(j) - 1) * per_cell;
    cover.gain.push_back(n > kManyMembers ? derivative : difference);
  }
  return cover;
}

/// Returns the probabilities for the mean number of set cells.
CoverProbabilities cover_by_mean_fill(std::uint64_t n, std::uint64_t m, unsigned k) {
  const double fill = semi_rate(n * k, m, 1);
  return cover_probabilities_given_ones(
      static_cast<std::uint64_t>(std::llround(fill * static_cast<double>(m))),
      static_cast<double>(n), m, k);
}

/// Returns the mean number of members whose words equal those of a query, so that all indices are
/// equal. The integration meets only two indices at a time and does not find such a member if a key
/// has more than two words. For bits-and-blooms, the residues of the words suffice only if both
/// keys wrap around 2^64 equally often. The words of DCSO/bloom follow from a hash of 64 bits.
double equal_members(FewWordScheme scheme, double n, std::uint64_t m, unsigned k) {
  const auto cells = static_cast<double>(m);
  if (scheme == FewWordScheme::kFactor) return n * 0x1p-64;
  if (scheme == FewWordScheme::kTripleModulo && k >= 3) return n / std::pow(cells, 3);
  if (scheme == FewWordScheme::kFourWords && k >= 4) return n / std::pow(cells, 4);
  return 0;
}

/// Adds the members with equal words to a rate. If the integration did not find a positive rate, it
/// is replaced by that of independent probes. With few keys, only members that cover all indices of
/// a query contribute, and their probability may be far below 1 / (number of nodes).
template <class Independent>
ModelRate with_rare_members(ModelRate rate, double num_equal, Independent independent) {
  rate.is_independent = rate.rate == 0;
  if (rate.is_independent) rate.rate = independent();
  rate.rate += (1 - rate.rate) * -std::expm1(-num_equal);
  return rate;
}

}  // namespace

CoverProbabilities cover_probabilities(FewWordScheme scheme, std::uint64_t n, std::uint64_t m,
                                       unsigned k) {
  require_domain(n > 0, "n", "at least 1", n);
  require_geometry(ProbeModel::kWithReplacement, m, k);
  const bool is_distinct = k <= m && with_scheme(scheme, m, k, [](const auto& of) {
                             return std::decay_t<decltype(of)>::kHasDistinctIndices;
                           });
  const std::uint64_t throws = is_distinct ? 1 : k;
  if (k > kManyHashes) return cover_by_mean_fill(n, m, k);
  CoverProbabilities cover;
  for (unsigned j = 0; j <= std::min<std::uint64_t>(k, m); ++j) {
    cover.with_all.push_back(cover_probability_distinct(n * throws, m, is_distinct ? k : 1, j));
    cover.without_one.push_back(
        cover_probability_distinct((n - 1) * throws, m, is_distinct ? k : 1, j));
  }
  cover.with_all.resize(k + 1);
  cover.without_one.resize(k + 1);
  return with_gain(std::move(cover), static_cast<double>(n));
}

CoverProbabilities cover_probabilities_given_ones(std::uint64_t num_ones, double n, std::uint64_t m,
                                                  unsigned k) {
  const auto cells = static_cast<double>(m);
  const auto ones = static_cast<double>(num_ones);
  const double fewer =
      n <= 1 ? 0 : cells * -std::expm1((n - 1) / n * std::log1p(-std::min(1.0, ones / cells)));
  CoverProbabilities cover{.with_all = {1}, .without_one = {1}, .gain = {}};
  cover.cells_per_member =
      n <= 1 ? ones : cells * -std::expm1(std::log1p(-std::min(1.0, ones / cells)) / n);
  for (unsigned j = 0; j < k; ++j) {
    cover.with_all.push_back(cover.with_all[j] * std::max(0.0, (ones - j) / (cells - j)));
    cover.without_one.push_back(cover.without_one[j] * std::max(0.0, (fewer - j) / (cells - j)));
  }
  return with_gain(std::move(cover), n);
}

std::optional<FewWordScheme> few_word_scheme_named(std::string_view name) {
  for (const auto& [scheme_name, scheme] : kNamedSchemes) {
    if (scheme_name == name) return scheme;
  }
  return std::nullopt;
}

ModelRate coincidence_rate(FewWordScheme scheme, double n, std::uint64_t m, unsigned k,
                           const CoverProbabilities& cover, double effort) {
  const Integrands integrands(cover, n, m);
  return with_scheme(scheme, m, k,
                     [&](const auto& of) { return Integration(of, integrands, n, effort).rate(); });
}

ModelRate coincidence_rate(FewWordScheme scheme, std::uint64_t n, std::uint64_t m, unsigned k,
                           double effort) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  if (n == 0) return {};
  if (m == 1) return {.rate = 1};
  m = num_reachable(scheme, m);
  const auto keys = static_cast<double>(n);
  return with_rare_members(
      coincidence_rate(scheme, keys, m, k, cover_probabilities(scheme, n, m, k), effort),
      equal_members(scheme, keys, m, k), [&] { return exact_rate_with_replacement(n, m, k); });
}

ModelRate coincidence_rate_given_ones(FewWordScheme scheme, std::uint64_t num_ones, double num_keys,
                                      std::uint64_t m, unsigned k, double effort) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  m = num_reachable(scheme, m);
  if (num_ones == 0) return {};
  if (num_ones >= m) return {.rate = 1};
  const double n = std::max(1.0, num_keys);
  return with_rare_members(
      coincidence_rate(scheme, n, m, k, cover_probabilities_given_ones(num_ones, n, m, k), effort),
      equal_members(scheme, n, m, k),
      [&] { return std::pow(static_cast<double>(num_ones) / static_cast<double>(m), k); });
}

ExpectedRate as_expected_rate(const ModelRate& rate, std::string_view scheme_text) {
  std::string why(scheme_text);
  ExpectedRate result{.rate = rate.rate, .kind = RateKind::kModel};
  if (rate.is_independent) {
    result.formula = "independent_probes";
    why +=
        "; the rate is that of independent probes, because the integration over coincidences of "
        "the indices did not find any as rare as needed, and it may be higher";
  } else {
    result.formula = "coincidences";
    why += "; the model counts coincidences of the indices to first order";
  }
  if (!rate.is_independent || rate.integration_error > 0) {
    result.standard_error = rate.integration_error;
  }
  result.why_not_exact = std::move(why);
  return result;
}

}  // namespace bloometry::theory
