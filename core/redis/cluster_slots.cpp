#include "core/redis/cluster_slots.hpp"

namespace bloometry {

std::string_view hash_tag(std::string_view key) noexcept {
  const std::size_t open = key.find('{');
  if (open == std::string_view::npos) return key;
  const std::size_t close = key.find('}', open + 1);
  if (close == std::string_view::npos || close == open + 1) return key;
  return key.substr(open + 1, close - open - 1);
}

unsigned cluster_slot(std::string_view key) noexcept {
  unsigned crc = 0;
  for (const char byte : hash_tag(key)) {
    crc ^= static_cast<unsigned>(static_cast<unsigned char>(byte)) << 8U;
    for (int bit = 0; bit < 8; ++bit)
      crc = ((crc << 1U) ^ ((crc & 0x8000U) != 0 ? 0x1021U : 0U)) & 0xffffU;
  }
  return crc % kNumClusterSlots;
}

}  // namespace bloometry
