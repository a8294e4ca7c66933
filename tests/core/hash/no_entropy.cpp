// On a system without a source of randomness, SipHashKey::random() throws and does not return a
// weaker key. The test is a separate program, because its getentropy replaces the system's
// function.

#include <cerrno>
#include <cstddef>
#include <system_error>

#include "core/hash/siphash_key.hpp"

namespace {

int num_calls = 0;

}  // namespace

extern "C" int getentropy(void* /*bytes*/, std::size_t /*size*/) {
  ++num_calls;
  errno = EIO;
  return -1;
}

int main() {
  try {
    static_cast<void>(bloometry::SipHashKey::random());
  } catch (const std::system_error& error) {
    return num_calls == 1 && error.code().value() == EIO ? 0 : 1;
  }
  return 1;
}
