#include "core/hash/aes_hasher.hpp"

namespace bloometry {

Digest AesHasher::hash_by_software(KeyView key) const noexcept {
  return hash<aes::Software>(key);
}

Digest AesHasher::hash_integer_by_software(std::uint64_t word) const noexcept {
  return hash_integer<aes::Software>(word);
}

}  // namespace bloometry
