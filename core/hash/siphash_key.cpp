#include "core/hash/siphash_key.hpp"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace bloometry {

SipHashKey SipHashKey::random() {
  std::array<std::uint64_t, 2> words;
  // std::random_device is not used, because the standard library chooses its source of bits.
  if (getentropy(words.data(), sizeof words) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot draw a random hash key");
  }
  return {words[0], words[1]};
}

}  // namespace bloometry
