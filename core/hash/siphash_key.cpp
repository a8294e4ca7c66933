#include "core/hash/siphash_key.hpp"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace bloometry {

SipHashKey SipHashKey::random() {
  std::array<std::uint64_t, 2> words;
  // The function does not use std::random_device, because the standard library may use any source
  // of bits for it.
  if (getentropy(words.data(), sizeof words) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot draw a random hash key");
  }
  return {words[0], words[1]};
}

}  // namespace bloometry
