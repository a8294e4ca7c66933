#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/contract/params.hpp"
#include "core/probe/probe_policy.hpp"
#include "variants/registry/filter_rates.hpp"

namespace bloometry {

/// The sizes and properties of a filter as a user states them. Every value is optional. Functions
/// complete a request (solve_size), make it a filter (requested_filter), or pass it to the sizing
/// of another program. FilterSpec in contrast describes one filter of a known variant.
struct SizeRequest {
  std::optional<std::uint64_t> num_keys{};    ///< n
  std::optional<double> rate{};               ///< p in (0, 1)
  std::optional<std::uint64_t> num_cells{};   ///< m, the number of bits or of counters
  std::optional<std::uint64_t> num_bits{};    ///< memory in bits, as an alternative to num_cells
  std::optional<unsigned> num_hashes{};       ///< k
  std::optional<std::uint64_t> num_blocks{};  ///< size of a filter of blocks
  std::optional<double> bits_per_key{};       ///< memory in bits, divided by num_keys
  std::optional<ProbeModel> model{};  ///< default: the model of the variant's default scheme
  std::string probes{};               ///< scheme; default: the first of the model
  Params params{};                    ///< parameters of the variant
  std::vector<std::string> needs{};   ///< features that the variant must have (needs.hpp)
  HashBits hash{};                    ///< hash of the keys, by default one of 128 bits
};

/// Limit of the number of keys and of the number of cells in a request. A thousand times this limit
/// still fits in 64 bits.
inline constexpr std::uint64_t kMaxRequestedCount = std::uint64_t{1} << 53U;

/// Returns whether the request contains a size: num_cells, num_bits, num_blocks or bits_per_key.
[[nodiscard]] bool has_size(const SizeRequest& request) noexcept;

/// Returns the request without its size.
[[nodiscard]] SizeRequest without_size(SizeRequest request);

/// Returns the size of a filter whose cells are bits: num_cells or num_bits.
[[nodiscard]] std::optional<std::uint64_t> size_in_bits(const SizeRequest& request) noexcept;

/// Returns the request with size_in_bits() as num_bits, and without num_cells.
[[nodiscard]] SizeRequest in_bits(SizeRequest request);

/// Returns the requested memory in bits: num_bits, or bits_per_key times num_keys, rounded.
[[nodiscard]] std::optional<std::uint64_t> requested_memory(const SizeRequest& request) noexcept;

/// Returns the scheme of the request: the scheme with the name `probes`, or the variant's scheme
/// for the model.
/// @throws ConfigError if the variant does not have the scheme.
[[nodiscard]] SchemeInfo requested_scheme(const VariantInfo& variant, const SizeRequest& request);

/// Throws ConfigError if the request contains more than one size.
void require_one_size(const SizeRequest& request);

/// Checks that the request contains two or three of n, p and a size, and that each value is in its
/// range.
/// @throws ConfigError listing every problem.
void require_valid(const SizeRequest& request);

}  // namespace bloometry
