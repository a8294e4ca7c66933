#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/engine/hashed_chunks.hpp"
#include "core/file/file_header.hpp"
#include "core/hash/hasher.hpp"
#include "core/hash/siphash_key.hpp"
#include "variants/registry/filter_rates.hpp"

namespace bloometry {

/// The hash of a filter in a file: the name of the hash, and a seed or a secret.
class FilterHash {
 public:
  /// Looks up the hash and stores its seed or secret.
  /// @throws ConfigError if the hash does not exist, if its secret is missing, or if a seed or
  /// secret is superfluous for this hash.
  FilterHash(std::string_view name, std::optional<std::uint64_t> seed,
             std::optional<SipHashKey> secret);

  /// Returns the hash that a file names.
  /// @throws ConfigError if the file does not name a hash, or if the file was written with another
  /// secret.
  static FilterHash of(const FileHeader& header, std::optional<SipHashKey> secret);

  void describe(FileHeader& header) const;

  /// Returns the hash function. The result is valid while this object or a copy of this object
  /// exists.
  [[nodiscard]] HashCall call() const noexcept { return {hasher_.get(), hash_}; }

 private:
  template <class... Hs>
  void make_hasher(std::string_view name, std::type_identity<HasherList<Hs...>> all);
  template <Hasher H>
  void make_hasher();

  std::string name_;
  std::optional<std::uint64_t> seed_;
  std::optional<SipHashKey> secret_;
  std::shared_ptr<const void> hasher_;
  void (*hash_)(const void* hasher, std::span<const KeyView> keys,
                Digest* digests) noexcept = nullptr;
};

/// Returns what is known about the values of a hash. The argument is the name in a file, or an
/// empty string if the file does not name its hash.
[[nodiscard]] HashBits hash_bits_of(std::string_view name);

/// Reads a secret of 16 bytes from a file: 32 hexadecimal digits and an optional end of line.
/// @throws ConfigError naming the file but not its contents; IoError
[[nodiscard]] SipHashKey read_secret(const std::filesystem::path& path);

}  // namespace bloometry
