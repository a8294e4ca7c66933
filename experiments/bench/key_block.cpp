#include "experiments/bench/key_block.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/core.h>

#include "experiments/workload/integer_source.hpp"

namespace bloometry::bench {
namespace {

constexpr std::string_view kPrefix = "key:";
constexpr std::size_t kHexDigits = 16;
static_assert(kPrefix.size() + kHexDigits == kStringBytes);

void write_text(std::uint64_t key, char* out) {
  out = std::copy(kPrefix.begin(), kPrefix.end(), out);
  for (std::size_t i = 0; i < kHexDigits; ++i) {
    out[i] = "0123456789abcdef"[(key >> (60 - 4 * i)) & 0xfU];
  }
}

}  // namespace

std::vector<std::string> all_bench_keys() {
  std::vector<std::string> names = integer_sources();
  names.emplace_back(kStrings);
  return names;
}

std::string describe_keys(std::string_view keys) {
  if (kind_of(keys) == KeyKind::kString) {
    return fmt::format("strings of {} bytes", kStringBytes);
  }
  return fmt::format("64-bit integers, {}", keys);
}

KeyBlock::KeyBlock(KeyKind kind) : kind_(kind) {
  integers_.reserve(kBlockKeys);
  if (kind == KeyKind::kInteger) return;
  text_.resize(kBlockKeys * kStringBytes);
  views_.reserve(kBlockKeys);
}

std::span<std::uint64_t> KeyBlock::resize(std::size_t num_keys) {
  assert(num_keys <= kBlockKeys);
  integers_.resize(num_keys);
  return integers_;
}

void KeyBlock::finish() {
  if (kind_ == KeyKind::kInteger) return;
  views_.clear();
  for (const std::uint64_t key : integers_) {
    char* out = text_.data() + views_.size() * kStringBytes;
    write_text(key, out);
    views_.emplace_back(out, kStringBytes);
  }
}

}  // namespace bloometry::bench
