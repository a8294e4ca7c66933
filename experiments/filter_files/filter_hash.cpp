#include "experiments/filter_files/filter_hash.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fmt/core.h>
#include <utility>

#include "core/error.hpp"
#include "core/study_hash/all_hashers.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/workload/key_hash.hpp"

namespace bloometry {
namespace {

/// The hashes that need a secret.
constexpr std::array kSecretHashes = {SipHash24Hasher::kName, SipHash128Hasher::kName};

bool has_secret(std::string_view name) {
  return std::find(kSecretHashes.begin(), kSecretHashes.end(), name) != kSecretHashes.end();
}

std::uint64_t key_id_of(std::string_view name, SipHashKey secret) {
  return name == SipHash24Hasher::kName ? SipHash24Hasher(secret).key_id()
                                        : SipHash128Hasher(secret).key_id();
}

/// Returns the value of a hexadecimal digit, or 16 for other characters.
unsigned value_of(char digit) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const char lower = digit >= 'A' && digit <= 'F' ? static_cast<char>(digit - 'A' + 'a') : digit;
  return static_cast<unsigned>(std::min(kDigits.find(lower), kDigits.size()));
}

}  // namespace

FilterHash::FilterHash(std::string_view name, std::optional<std::uint64_t> seed,
                       std::optional<SipHashKey> secret)
    : name_(find_key_hash(name).name), secret_(secret) {
  const bool is_seeded = find_key_hash(name).is_seeded;
  if (has_secret(name) != secret.has_value()) {
    throw ConfigError(
        "secret",
        has_secret(name)
            ? fmt::format("must be given with the hash {}: a file with 32 hexadecimal digits",
                          name_)
            : "must be left out with the hash " + name_);
  }
  if (seed && (secret || !is_seeded)) {
    throw ConfigError(
        "seed",
        fmt::format("must be left out with the hash {}, which does not have a seed", name_));
  }
  if (is_seeded && !secret) seed_ = seed.value_or(0);
  make_hasher(name, std::type_identity<AllHashers>{});
}

template <class... Hs>
void FilterHash::make_hasher(std::string_view name, std::type_identity<HasherList<Hs...>> /*all*/) {
  static_cast<void>(((name == Hs::kName && (make_hasher<Hs>(), true)) || ...));
}

template <Hasher H>
void FilterHash::make_hasher() {
  std::shared_ptr<const H> hasher;
  if constexpr (SecretHasher<H>) {
    hasher = std::make_shared<const H>(*secret_);
  } else {
    hasher = std::make_shared<const H>(seed_.value_or(0));
  }
  hash_ = hash_call(*hasher).hash;
  hasher_ = std::move(hasher);
}

FilterHash FilterHash::of(const FileHeader& header, std::optional<SipHashKey> secret) {
  if (header.hash.empty()) {
    throw ConfigError("the file does not name the hash of its keys, so keys cannot be queried");
  }
  FilterHash hash(header.hash, header.seed, secret);
  if (secret && header.key_id != key_id_of(header.hash, *secret)) {
    throw ConfigError("secret", "must be the secret of the file, got another one");
  }
  return hash;
}

void FilterHash::describe(FileHeader& header) const {
  header.hash = name_;
  header.seed = seed_;
  if (secret_) header.key_id = key_id_of(name_, *secret_);
}

HashBits hash_bits_of(std::string_view name) {
  if (name.empty()) return {.why_not_uniform = "the file does not name the hash of its keys"};
  const KeyHash& hash = find_key_hash(name);
  return {.num = hash.num_bits,
          .why_not_uniform =
              hash.is_weak
                  ? "the hash is weak: for keys that follow a pattern, its values are not uniform, "
                    "and the rate may be much higher"
                  : ""};
}

SipHashKey read_secret(const std::filesystem::path& path) {
  if (::access(path.c_str(), R_OK) != 0) {
    // The message does not contain the name, which may be the secret itself.
    throw ConfigError("secret",
                      fmt::format("must be the name of a file with 32 hexadecimal digits, got a "
                                  "name that cannot be opened: {}",
                                  std::strerror(errno)));
  }
  std::string text = read_file(path);
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  std::array<std::uint64_t, 2> words{};
  bool is_hex = text.size() == 32;
  for (std::size_t i = 0; is_hex && i < text.size(); ++i) {
    const unsigned digit = value_of(text[i]);
    is_hex = digit < 16;
    // Each byte is written as two digits, the digit of the high half first. The bytes of a word are
    // in little-endian order.
    words[i / 16] |= std::uint64_t{digit} << (8 * (i / 2 % 8) + (i % 2 == 0 ? 4 : 0));
  }
  if (!is_hex) {
    throw ConfigError("secret",
                      "must be a file with 32 hexadecimal digits, got the file " + path.string());
  }
  return {words[0], words[1]};
}

}  // namespace bloometry
