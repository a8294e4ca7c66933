#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "experiments/workload/decimal_keys.hpp"

namespace bloometry {

/// Keys "url": a fixed template around the item number's decimal digits. Long keys whose common
/// prefix and suffix carry no information.
struct UrlKeys {
  static constexpr std::string_view kPrefix = "https://www.example.com/catalogue/item?id=";
  static constexpr std::string_view kSuffix = "&lang=en";
  static constexpr std::size_t kMaxBytes = kPrefix.size() + DecimalKeys::kMaxBytes + kSuffix.size();

  static std::size_t write(std::uint64_t item, std::span<char, kMaxBytes> out) noexcept {
    std::memcpy(out.data(), kPrefix.data(), kPrefix.size());
    const std::size_t num_digits =
        DecimalKeys::write(item, out.subspan<kPrefix.size(), DecimalKeys::kMaxBytes>());
    const std::size_t end = kPrefix.size() + num_digits;
    std::memcpy(out.data() + end, kSuffix.data(), kSuffix.size());
    return end + kSuffix.size();
  }
};

}  // namespace bloometry
