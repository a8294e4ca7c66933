#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/store/bit_array.hpp"

namespace bloometry {

/// The filter of the Go package and program DCSO/bloom. The class reads and writes version 1 of the
/// file format.
///
/// Source: github.com/DCSO/bloom, bloom.go. Hash: FNV-1 of 64 bits. Index i is h_i mod m for i = 1
/// to k, where `h_0 = FNV-1 mod p` and `h_i = (h_{i-1} g mod 2^64) mod p`. The authors intended the
/// product h_{i-1} g modulo p, but the code drops the high half of the product. Use DcsoFilter only
/// for existing files. README.md compares measured rates with the formula.
/// Cost: insert and contains are O(num_hashes) and do not allocate.
class DcsoFilter {
 public:
  static constexpr std::string_view kName = "dcso";
  /// Largest k of a file. For the smallest positive double p, log2(1/p) is 1074.
  static constexpr std::uint64_t kMaxHashes = 1075;

  /// The parameters of a filter, as in the header of a file.
  struct Parameters {
    std::uint64_t capacity = 0;      ///< n
    double false_positive_rate = 0;  ///< p, which the program only displays
    std::uint64_t num_hashes = 0;    ///< k
    std::uint64_t num_bits = 0;      ///< m
  };

  /// Makes an empty filter.
  /// @throws ConfigError if a parameter is 0, p is not in (0, 1), or k is above kMaxHashes.
  explicit DcsoFilter(const Parameters& parameters);

  /// Returns the parameters of `bloom create -n capacity -p false_positive_rate`: m = floor(-n ln p
  /// / ln(2)^2) and k = ceil(ln(2) m / n).
  /// @throws ConfigError if the constructor would throw, or if m is 0 or at least 2^62.
  static Parameters parameters_for(std::uint64_t capacity, double false_positive_rate);

  /// Checks the parameters and returns them.
  /// @throws ConfigError if the constructor would throw.
  static const Parameters& checked(const Parameters& parameters);

  /// Returns an empty filter with the parameters that parameters_for returns.
  /// @throws ConfigError if parameters_for throws; MemoryError if the bits cannot be allocated.
  static DcsoFilter for_capacity(std::uint64_t capacity, double false_positive_rate);

  /// Returns the filter in a file that is not compressed.
  /// @throws ConfigError if a field is not valid. The error message names the field, its value and
  /// the allowed values.
  static DcsoFilter parse(std::string_view bytes);

  /// Sets the bits of a key. Returns true, and increments num_items(), if at least one bit of the
  /// key was not set before.
  bool insert(std::string_view key) noexcept;

  /// Returns whether the filter may contain the key. A true result may be wrong; a false result is
  /// never wrong.
  [[nodiscard]] bool contains(std::string_view key) const noexcept;

  /// Inserts the keys of the other filter. The bits equal those of a filter of both key sets.
  /// num_items() becomes the estimate from the set bits, but at least the larger and at most the
  /// sum of both numbers. data() does not change.
  /// @throws ConfigError naming a field and both values unless all parameters are equal; this
  /// filter is then unchanged.
  void merge(const DcsoFilter& other);

  /// Clears the bits that are not set in the other filter. The result still contains the keys of
  /// both filters. num_items() becomes the estimate of the number of common keys
  /// (common_count_given_ones), in [0, the smaller of both numbers]. The set bits may be those of
  /// more keys. @throws ConfigError as merge() does.
  void intersect(const DcsoFilter& other);

  [[nodiscard]] std::string serialize() const;

  /// Returns the bytes after the bit array in the file. Users of the program can choose these
  /// bytes.
  [[nodiscard]] const std::string& data() const noexcept { return data_; }

  void set_data(std::string data) noexcept { data_ = std::move(data); }

  [[nodiscard]] const BitArray<>& bits() const noexcept { return bits_; }

  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return bits_.size(); }

  [[nodiscard]] std::uint64_t num_hashes() const noexcept { return parameters_.num_hashes; }

  /// Returns the field N of the file: the number of inserts that changed a bit. In a filter that
  /// the program's Join made of several filters, N is the sum of their N, an upper bound.
  [[nodiscard]] std::uint64_t num_items() const noexcept { return num_items_; }

  /// Returns the reason why DcsoFilter does not give an exact rate.
  [[nodiscard]] static std::string_view why_no_exact_rate() noexcept;

 private:
  void require_like(const DcsoFilter& other) const;

  Parameters parameters_;
  BitArray<> bits_;
  std::uint64_t num_items_ = 0;
  std::string data_;
};

}  // namespace bloometry
