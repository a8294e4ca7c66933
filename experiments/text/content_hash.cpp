#include "experiments/text/content_hash.hpp"

#include "core/hash/xxh3_hasher.hpp"
#include "core/hash/xxhash.hpp"

namespace bloometry {
namespace {

void append_hex(std::string& text, std::uint64_t word) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (unsigned shift = 64; shift > 0; shift -= 4) text += kDigits[(word >> (shift - 4)) & 15U];
}

std::string hex(std::uint64_t high, std::uint64_t low) {
  std::string text;
  append_hex(text, high);
  append_hex(text, low);
  return text;
}

}  // namespace

std::string content_hash(std::string_view bytes) {
  const Digest digest = Xxh3Hasher()(KeyView(bytes));
  return hex(digest.hi, digest.lo);
}

struct ContentHasher::State {
  XXH3_state_t xxh3;
};

ContentHasher::ContentHasher() : state_(std::make_unique<State>()) {
  XXH3_128bits_reset(&state_->xxh3);
}

ContentHasher::~ContentHasher() = default;

void ContentHasher::add(std::string_view bytes) {
  XXH3_128bits_update(&state_->xxh3, bytes.data(), bytes.size());
}

std::string ContentHasher::text() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh3);
  return hex(hash.high64, hash.low64);
}

}  // namespace bloometry
