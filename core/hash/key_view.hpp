#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/requires_cpp20.hpp"

namespace bloometry {

/// Non-owning view of a key's bytes. The key may be empty, have any length and contain NUL bytes.
class KeyView {
 public:
  constexpr KeyView() noexcept = default;

  // The constructors are implicit, so that a literal, a string or a span of bytes can be passed as
  // a key.
  template <std::convertible_to<std::string_view> Text>
  constexpr KeyView(const Text& text) noexcept {
    const std::string_view view = text;
    data_ = view.data();
    size_ = view.size();
  }

  KeyView(std::span<const std::byte> bytes) noexcept
      : data_(reinterpret_cast<const char*>(bytes.data())), size_(bytes.size()) {}

  [[nodiscard]] constexpr const char* data() const noexcept { return data_; }

  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

 private:
  const char* data_ = "";
  std::size_t size_ = 0;
};

/// Bytes of an integer key: the value as 64 bits, in two's complement and little-endian on every
/// machine. The width of the integer type does not matter, so `int{5}` and `std::uint64_t{5}` are
/// the same key.
class IntegerKey {
 public:
  template <std::integral T>

  requires(!std::same_as<T, bool>) explicit constexpr IntegerKey(T value) noexcept {
    auto word = static_cast<std::uint64_t>(value);
    // On a little-endian machine, one store writes all eight bytes. With eight stores, a hash that
    // reads the bytes as one word would wait for the stores.
    if constexpr (std::endian::native == std::endian::little) {
      bytes_ = std::bit_cast<std::array<char, 8>>(word);
    } else {
      for (char& byte : bytes_) {
        byte = static_cast<char>(word & 0xffU);
        word >>= 8U;
      }
    }
  }

  [[nodiscard]] constexpr KeyView view() const noexcept {
    return std::string_view(bytes_.data(), bytes_.size());
  }

 private:
  std::array<char, 8> bytes_{};
};

}  // namespace bloometry
