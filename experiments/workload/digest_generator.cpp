#include "experiments/workload/digest_generator.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/statistics/seed_sequence.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kKeysPerBlock = 256;  // at most 20 KB of synthetic keys, to fit in L1

using KeyBlock = std::array<KeyView, kKeysPerBlock>;

/// The position of a block of keys: the role, the index of the first key, the trial, and the number
/// of members.
struct BlockKeys {
  KeyRole role;
  std::uint64_t first;
  std::uint64_t trial;
  std::uint64_t num_members;
};

/// A writer of the keys of a block. The views that write() returns refer to a buffer of the
/// KeyWriter.
template <class Keys>
class KeyWriter {
 public:
  explicit KeyWriter(const Keys& keys) : keys_(keys) {}

  void write(const BlockKeys& keys, std::span<KeyView> views) {
    for (std::size_t i = 0; i < views.size(); ++i) {
      std::array<char, Keys::kMaxBytes>& room = rooms_[i];
      const std::uint64_t item = item_number(keys.role, index(keys, i), keys.trial);
      const std::size_t size = keys_.write(item, room);
      views[i] = std::string_view(room.data(), size);
    }
  }

 private:
  /// Returns the index, within the role, of the key at position i of the block. If the key source
  /// has a query distribution, the index of a query is drawn from that distribution.
  std::uint64_t index(const BlockKeys& keys, std::size_t i) const {
    if constexpr (requires { keys_.query_index(std::uint64_t{}); }) {
      if (keys.role == KeyRole::kQuery) return keys_.query_index(keys.first + i);
    }
    return keys.first + i;
  }

  const Keys& keys_;
  std::array<std::array<char, Keys::kMaxBytes>, kKeysPerBlock> rooms_;
};

/// A writer of the keys of a file. A buffer is not necessary, because the keys are already in
/// memory.
template <>
class KeyWriter<FileKeys> {
 public:
  explicit KeyWriter(const FileKeys& keys) : keys_(keys) {}

  void write(const BlockKeys& keys, std::span<KeyView> views) {
    const std::uint64_t base = keys.first + (keys.role == KeyRole::kQuery ? keys.num_members : 0);
    for (std::size_t i = 0; i < views.size(); ++i) views[i] = keys_.key(base + i);
  }

 private:
  const FileKeys& keys_;
};

}  // namespace

DigestGenerator::DigestGenerator(const Unit& unit, KeyDistribution keys, std::uint64_t num_members)
    : keys_(std::move(keys)),
      hash_(&find_key_hash(unit.hash)),
      hash_seed_(SeedSequence(unit.root_seed).seed("hash", unit.keys.name, unit.trial)),
      trial_(unit.trial),
      num_members_(num_members) {}

void DigestGenerator::fill(KeyRole role, std::uint64_t first, std::span<Digest> digests) const {
  std::visit(
      [&]<class Keys>(const Keys& keys) {
        KeyWriter<Keys> writer(keys);
        KeyBlock block;
        for (std::size_t done = 0; done < digests.size(); done += kKeysPerBlock) {
          const std::size_t count = std::min(kKeysPerBlock, digests.size() - done);
          const std::span<KeyView> views = std::span(block).first(count);
          writer.write({role, first + done, trial_, num_members_}, views);
          hash_->hash_all(hash_seed_, views, digests.subspan(done, count));
        }
      },
      keys_);
}

KeyDistribution synthetic_keys(const Unit& unit) {
  switch (unit.keys.kind) {
    case KeySource::Kind::kRandom:
      // All trials use the seed of trial 0. With one bijection for all trials, keys of different
      // trials differ too.
      return RandomKeys(SeedSequence(unit.root_seed).seed("keys", unit.keys.name, 0));
    case KeySource::Kind::kSequential:
      return SequentialKeys{};
    case KeySource::Kind::kDecimal:
      return DecimalKeys{};
    case KeySource::Kind::kUrl:
      return UrlKeys{};
    case KeySource::Kind::kPattern:
      if (const KeyPattern* pattern = find_key_pattern(unit.keys.name))
        return PatternKeys(*pattern);
      break;
    case KeySource::Kind::kZipf: {
      const SeedSequence seeds(unit.root_seed);
      return ZipfKeys(unit.keys.zipf_exponent, seeds.seed("keys", unit.keys.name, 0),
                      seeds.seed("split", unit.keys.name, unit.trial));
    }
    case KeySource::Kind::kFile:
      break;
  }
  throw std::logic_error(unit.keys.name + " is not a synthetic source of keys");
}

}  // namespace bloometry
