#include "core/study_hash/php_hashes.hpp"

#include <cfloat>
#include <string_view>

#include "core/study_hash/php_number.hpp"

namespace bloometry {
namespace {

static_assert(FLT_EVAL_METHOD == 0, "PHP's doubles are rounded after every operation");

/// Returns the state after a call of step(state, byte) for each byte of the key. Bytes are
/// unsigned.
template <class Step>
std::int64_t fold(KeyView key, std::int64_t state, Step step) noexcept {
  for (const char byte : std::string_view(key.data(), key.size())) {
    state = step(state, std::int64_t{static_cast<unsigned char>(byte)});
  }
  return state;
}

}  // namespace

std::int64_t php_bkdr_state(KeyView key) noexcept {
  return fold(key, 0,
              [](std::int64_t h, std::int64_t c) { return (PhpNumber(h) * 131 + c).to_integer(); });
}

std::int64_t php_js_state(KeyView key) noexcept {
  return fold(key, 1315423911, [](std::int64_t h, std::int64_t c) {
    return h ^ (PhpNumber(php_shift_left(h, 5)) + c + (h >> 2)).to_integer();
  });
}

std::int64_t php_sdbm_state(KeyView key) noexcept {
  return fold(key, 0, [](std::int64_t h, std::int64_t c) {
    return (PhpNumber(c) + php_shift_left(h, 6) + php_shift_left(h, 16) - h).to_integer();
  });
}

}  // namespace bloometry
