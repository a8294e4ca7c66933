#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash/key_view.hpp"
#include "core/store/bit_array.hpp"

namespace bloometry {

/// The BloomFilter of the Go package github.com/bits-and-blooms/bloom (formerly willf/bloom). The
/// class reads and writes the binary format (WriteTo, MarshalBinary, gob) and the JSON format of
/// the package.
///
/// Source: bloom v3.7.1 with the package bitset of 2026. The README describes the layout of the
/// files and the values that are missing from them. Index i is (h[i mod 2] + i h[2 + ((i + i mod 2)
/// mod 4) / 2]) mod m. The words h0 and h1 are murmur3 of the key. The words h2 and h3 are murmur3
/// of the key with the byte 0x01 appended. Bit i is bit i mod 64 of word i / 64, as in BitArray.
/// Cost: insert and contains are O(num_hashes). Both functions copy the key before hashing.
class GoBitsAndBloomsFilter {
 public:
  static constexpr std::string_view kName = "go_bits_and_blooms";
  /// The largest k that EstimateParameters returns for a positive rate of type double (from
  /// 4.9e-324). The program does not limit k, so a file may specify 2^64 - 1 indices per query.
  static constexpr unsigned kMaxNumHashes = 1075;

  /// The size m in bits and the number of hashes k of a filter.
  struct Sizes {
    std::uint64_t num_bits = 0;
    unsigned num_hashes = 0;
  };

  /// Makes an empty filter.
  /// @throws ConfigError if num_bits is 0 or num_hashes is not in [1, 1075]. The function New(m, k)
  /// of the Go package replaces 0 by 1 instead.
  GoBitsAndBloomsFilter(std::uint64_t num_bits, unsigned num_hashes);

  /// Returns the sizes of NewWithEstimates(n, p): ceil(-n ln p / ln^2 2) bits and ceil(ln 2 m / n)
  /// hashes.
  /// @throws ConfigError if n is 0, p is not in (0, 1), or num_bits is 2^63 or more. For such
  /// arguments, the Go package computes meaningless sizes.
  [[nodiscard]] static Sizes sizes_for(std::uint64_t capacity, double target_false_positive_rate);

  /// Checks the sizes and returns them.
  /// @throws ConfigError if the constructor would throw.
  static Sizes checked(const Sizes& sizes);

  /// Returns an empty filter with the sizes that sizes_for returns.
  /// @throws ConfigError if sizes_for throws; MemoryError if the bits cannot be allocated.
  [[nodiscard]] static GoBitsAndBloomsFilter for_capacity(std::uint64_t capacity,
                                                          double target_false_positive_rate);

  /// Returns the filter in a binary file.
  /// @throws ConfigError if the file is not valid; the message states the error. The function does
  /// not allocate more memory than the size of the file before it detects an error.
  [[nodiscard]] static GoBitsAndBloomsFilter parse(std::string_view bytes);

  /// Reads {"m":...,"k":...,"b":"..."}. Each of the three fields must occur once, in any order.
  /// Throws ConfigError under the same conditions as parse.
  [[nodiscard]] static GoBitsAndBloomsFilter parse_json(std::string_view text);

  /// Returns the bytes that WriteTo of the Go package writes.
  [[nodiscard]] std::string serialize() const;

  /// Returns the text that MarshalJSON of the Go package returns.
  [[nodiscard]] std::string serialize_json() const;

  /// Inserts a key. Returns whether at least one bit changed.
  bool insert(KeyView key);

  /// Returns whether the filter may contain the key. A true result may be wrong; a false result is
  /// never wrong.
  [[nodiscard]] bool contains(KeyView key) const;

  /// Inserts the keys of the other filter. The bits equal those of a filter of both key sets.
  /// @throws ConfigError naming a field and both values unless num_bits and num_hashes are equal;
  /// this filter is then unchanged.
  void merge(const GoBitsAndBloomsFilter& other);

  /// Clears the bits that are not set in the other filter. The result still contains the keys of
  /// both filters. @throws ConfigError as merge() does.
  void intersect(const GoBitsAndBloomsFilter& other);

  /// Returns the k indices of a key, in the order in which the program visits them.
  [[nodiscard]] std::vector<std::uint64_t> indices(KeyView key) const;

  [[nodiscard]] const BitArray<>& bits() const noexcept { return bits_; }

  /// Returns m, the modulus of the indices. The length of the bit set is m, or m rounded up to
  /// whole words (FromWithM). A parsed filter keeps the length of the bit set in its file.
  [[nodiscard]] std::uint64_t num_bits() const noexcept { return bits_.size(); }

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

  /// Returns the reason why core/theory has no formula for the rate of this filter.
  [[nodiscard]] static constexpr std::string_view why_no_exact_rate() noexcept {
    return "probes are sums of four numbers per key, which do not follow a probe model";
  }

  friend bool operator==(const GoBitsAndBloomsFilter&,
                         const GoBitsAndBloomsFilter&) noexcept = default;

 private:
  void require_like(const GoBitsAndBloomsFilter& other) const;

  /// The words h0 to h3 of a key.
  using Words = std::array<std::uint64_t, 4>;

  /// Returns the filter with m, k and a bit set in the format of the Go package: the length,
  /// followed by the words. Error messages begin with `field`.
  static GoBitsAndBloomsFilter from_parts(const char* field, std::uint64_t num_bits,
                                          std::uint64_t num_hashes, std::string_view bit_set);

  [[nodiscard]] std::string bit_set() const;

  static Words words_of(KeyView key);
  [[nodiscard]] std::uint64_t index(const Words& words, unsigned i) const noexcept;

  BitArray<> bits_;
  unsigned num_hashes_;
  std::uint64_t length_;  // length of the bit set in the file: m, or m in whole words
};

}  // namespace bloometry
