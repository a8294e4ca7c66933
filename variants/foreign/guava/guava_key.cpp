#include "variants/foreign/guava/guava_key.hpp"

#include <string>

#include "core/hash/murmur3_128_hasher.hpp"

namespace bloometry {

GuavaKey::GuavaKey(Bytes bytes) noexcept : digest_(murmur3_x64_128(bytes.view, 0)) {}

Digest GuavaKey::digest_of_chars(std::u16string_view chars) {
  std::string bytes;
  bytes.reserve(2 * chars.size());
  for (const char16_t unit : chars) {
    bytes.push_back(static_cast<char>(unit & 0xffU));
    bytes.push_back(static_cast<char>(unit >> 8U));
  }
  return murmur3_x64_128(bytes, 0);
}

Digest GuavaKey::digest_of_integer(std::int64_t value, std::size_t num_bytes) noexcept {
  const IntegerKey key(value);
  return murmur3_x64_128(std::string_view(key.view().data(), num_bytes), 0);
}

}  // namespace bloometry
