// Draws the keys for the steps of a sequence. Batches have lengths near the ends of chunks, and
// contain repeated, neighbouring, present and absent keys.

#include <algorithm>
#include <array>

#include "tests/differential/sequence.hpp"

namespace bloometry::test {
namespace {

/// Batch lengths near the number of keys per chunk, and near the number of keys that are prefetched
/// together.
constexpr std::array<std::size_t, 15> kShortLengths = {0,  1,  2,  7,  8,   9,   31, 32,
                                                       33, 63, 64, 65, 127, 128, 129};
constexpr std::array<std::size_t, 6> kLongLengths = {255, 256, 257, 511, 512, 513};
constexpr std::size_t kMostRepeats = 400;

}  // namespace

std::size_t Sequence::draw_length() {
  switch (random_.below(8)) {
    case 0:
      return random_.pick(kLongLengths);
    case 1:
      return random_.between(130, 700);
    case 2:
    case 3:
    case 4:
      return random_.pick(kShortLengths);
    default:
      return random_.between(1, 40);
  }
}

/// Draws keys below num_keys.
Sequence::Keys Sequence::draw_keys(std::uint64_t num_keys) {
  Keys keys(draw_length());
  const Key first = random_.below(num_keys);
  switch (random_.below(8)) {
    case 0:  // the same key again and again
      keys.resize(std::min(keys.size(), kMostRepeats));
      std::ranges::fill(keys, first);
      break;
    case 1:  // a few keys
      for (Key& key : keys) key = (first + random_.below(8)) % num_keys;
      break;
    case 2:  // consecutive keys
      for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = (first + i) % num_keys;
      break;
    default:
      for (Key& key : keys) key = random_.below(num_keys);
  }
  return keys;
}

/// Draws keys, most of which are present.
Sequence::Keys Sequence::draw_keys_to_erase() {
  Keys keys = draw_keys(shape_.num_keys);
  if (random_.one_in(4)) return keys;
  for (Key& key : keys) {
    for (int i = 0; i < 4 && model_.count(key) <= 0; ++i) key = random_.below(shape_.num_keys);
  }
  return keys;
}

/// Draws keys for another filter: up to a third of all keys, in any order.
Sequence::Keys Sequence::draw_some_keys() {
  Keys keys(random_.below(std::min<std::uint64_t>(shape_.num_keys / 3 + 2, kMostKeys)));
  for (Key& key : keys) key = random_.below(shape_.num_keys);
  return keys;
}

}  // namespace bloometry::test
