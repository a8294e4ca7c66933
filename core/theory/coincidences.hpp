#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/theory/expected_rate.hpp"

/// Rates of schemes that compute the k indices of a key from a few random words, such as double
/// hashing (theory 1.10). Such a scheme has more coincidences than independent probes: a query
/// whose indices repeat, and a member that covers many indices of a query.
namespace bloometry::theory {

/// The schemes, with the programs that use them. m is the number of bits.
enum class FewWordScheme {
  kModuloNonZero,      ///< double_mod: (a + i b) mod m, b not 0
  kModuloOdd,          ///< double_mod_odd
  kModuloAny,          ///< double_mod_any
  kEnhancedModulo,     ///< enhanced_double_mod
  kEnhancedModuloOdd,  ///< enhanced_double_mod_odd
  kTripleModulo,       ///< triple_mod
  kFastrange,          ///< double_fastrange and its odd and enhanced forms
  kModulo63,           ///< Guava's MITZ_64, Jedis: ((a + i b) mod 2^63) mod m
  kModulo64,           ///< RedisBloom: ((a + i b) mod 2^64) mod m
  kFolded32,           ///< Guava's MITZ_32
  kFourWords,          ///< bits-and-blooms/bloom
  kFactor,             ///< DCSO/bloom
};

/// Returns the study scheme of core/probe with the given name, or std::nullopt.
[[nodiscard]] std::optional<FewWordScheme> few_word_scheme_named(std::string_view name);

/// Probabilities that j given cells are all set, for j = 0..k.
struct CoverProbabilities {
  std::vector<double> with_all;     ///< by all members
  std::vector<double> without_one;  ///< by all members but one
  std::vector<double> gain;         ///< n (with_all - without_one), n the number of members
  /// Mean number of cells that a member sets, if the cells determine it.
  std::optional<double> cells_per_member{};
};

/// Returns the probabilities after n >= 1 keys with independent probes. The k probes of a key are
/// distinct if the indices of the scheme are distinct for nearly all keys, otherwise they may
/// repeat.
/// @throws std::domain_error if n, m or k is 0, or if k exceeds m in a scheme of distinct indices.
[[nodiscard]] CoverProbabilities cover_probabilities(FewWordScheme scheme, std::uint64_t n,
                                                     std::uint64_t m, unsigned k);

/// Returns the probabilities given that num_ones of the m cells are set, by about n >= 1 keys.
[[nodiscard]] CoverProbabilities cover_probabilities_given_ones(std::uint64_t num_ones, double n,
                                                                std::uint64_t m, unsigned k);

/// The rate of a model. It is neither exact nor a bound.
struct ModelRate {
  double rate = 0;
  double integration_error = 0;  ///< standard error of the numerical integration
  /// Whether the rate is that of independent probes and of equal keys, because the integration did
  /// not find the rare coincidences that lead to a positive query.
  bool is_independent = false;
};

/// Returns the false-positive rate of the scheme after n keys, to first order in the coincidences
/// (theory 1.10). The mean over coincidences is integrated numerically with fixed nodes, so equal
/// arguments give equal results. The cost is bounded for any n and m.
/// @param effort share of the usual number of nodes, in (0, 1]
[[nodiscard]] ModelRate coincidence_rate(FewWordScheme scheme, double n, std::uint64_t m,
                                         unsigned k, const CoverProbabilities& cover,
                                         double effort = 1);

/// Returns the mean rate over filters of n keys. The rate is 0 only for n = 0 or if the double is
/// too small, and 1 for m = 1.
[[nodiscard]] ModelRate coincidence_rate(FewWordScheme scheme, std::uint64_t n, std::uint64_t m,
                                         unsigned k, double effort = 1);

/// Returns the rate given that num_ones of the m cells are set, by about num_keys keys.
[[nodiscard]] ModelRate coincidence_rate_given_ones(FewWordScheme scheme, std::uint64_t num_ones,
                                                    double num_keys, std::uint64_t m, unsigned k,
                                                    double effort = 1);

/// Returns the rate with its kind, and with the reason why it is not exact.
/// @param scheme_text what is known of the scheme, such as "probes are double hashing"
[[nodiscard]] ExpectedRate as_expected_rate(const ModelRate& rate, std::string_view scheme_text);

}  // namespace bloometry::theory
