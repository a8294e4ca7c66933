#include "experiments/plan/content_hash.hpp"

#include "core/hash/xxh3_hasher.hpp"

namespace bloometry {
namespace {

void append_hex(std::string& text, std::uint64_t word) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (unsigned shift = 64; shift > 0; shift -= 4) text += kDigits[(word >> (shift - 4)) & 15U];
}

}  // namespace

std::string content_hash(std::string_view bytes) {
  const Digest digest = Xxh3Hasher()(KeyView(bytes));
  std::string text;
  append_hex(text, digest.hi);
  append_hex(text, digest.lo);
  return text;
}

}  // namespace bloometry
