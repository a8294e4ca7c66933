#include "experiments/text/content_hash.hpp"

#include <fmt/core.h>

#include "core/hash/xxh3_hasher.hpp"
#include "core/hash/xxhash.hpp"

namespace bloometry {

std::string content_hash(std::string_view bytes) {
  const Digest digest = Xxh3Hasher()(KeyView(bytes));
  return fmt::format("{:016x}{:016x}", digest.hi, digest.lo);
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
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace bloometry
