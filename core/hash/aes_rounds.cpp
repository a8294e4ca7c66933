#include "core/hash/aes_rounds.hpp"

#include <array>
#include <bit>

namespace bloometry {
namespace {

/// Returns the product of an element and x in the field of AES, modulo x^8 + x^4 + x^3 + x + 1.
constexpr std::uint8_t doubled(std::uint8_t a) noexcept {
  return static_cast<std::uint8_t>(a << 1U ^ (a >> 7U) * 0x1bU);
}

/// Returns the table of SubBytes (FIPS 197, section 5.1.1). Element i is an affine map of the bits
/// of the inverse of i in the field.
constexpr std::array<std::uint8_t, 256> make_s_box() noexcept {
  std::array<std::uint8_t, 256> s_box{};
  std::uint8_t power = 1;    // power of x + 1; the powers are all elements but 0
  std::uint8_t inverse = 1;  // inverse of `power`: the same power of 1 / (x + 1)
  do {
    power = static_cast<std::uint8_t>(power ^ doubled(power));
    // Division by x + 1 is multiplication by 0xf6.
    inverse = static_cast<std::uint8_t>(inverse ^ inverse << 1U);
    inverse = static_cast<std::uint8_t>(inverse ^ inverse << 2U);
    inverse = static_cast<std::uint8_t>(inverse ^ inverse << 4U);
    if ((inverse & 0x80U) != 0) inverse ^= 0x09U;
    s_box[power] =
        static_cast<std::uint8_t>(inverse ^ std::rotl(inverse, 1) ^ std::rotl(inverse, 2) ^
                                  std::rotl(inverse, 3) ^ std::rotl(inverse, 4) ^ 0x63U);
  } while (power != 1);
  s_box[0] = 0x63;
  return s_box;
}

/// Returns a table whose element b is the contribution of a byte b in row 0 to its column. The
/// lowest byte of a column is row 0. The contribution is SubBytes times the first column of
/// MixColumns (2, 1, 1, 3). The contribution of a byte of row r is the contribution of the same
/// byte of row 0, rotated by r bytes.
constexpr std::array<std::uint32_t, 256> make_columns() noexcept {
  constexpr std::array<std::uint8_t, 256> kSBox = make_s_box();
  std::array<std::uint32_t, 256> columns{};
  for (std::size_t i = 0; i < 256; ++i) {
    const std::uint32_t once = kSBox[i];
    const std::uint32_t twice = doubled(kSBox[i]);
    columns[i] = twice | once << 8U | once << 16U | (twice ^ once) << 24U;
  }
  return columns;
}

constexpr std::array<std::uint32_t, 256> kColumns = make_columns();

/// Columns of the state; element i is column i, with row 0 in the lowest byte.
using Columns = std::array<std::uint32_t, 4>;

constexpr std::uint32_t byte_of(std::uint32_t column, unsigned row) noexcept {
  return column >> (8 * row) & 0xffU;
}

/// Returns column c after ShiftRows, SubBytes and MixColumns. ShiftRows moves row r of column c + r
/// to column c.
constexpr std::uint32_t next_column(const Columns& state, unsigned c) noexcept {
  std::uint32_t column = 0;
  for (unsigned row = 0; row < 4; ++row) {
    column ^= std::rotl(kColumns[byte_of(state[(c + row) % 4], row)], static_cast<int>(8 * row));
  }
  return column;
}

constexpr AesState one_round(const AesState& state, const AesState& round_key) noexcept {
  const Columns in = {
      static_cast<std::uint32_t>(state.lo), static_cast<std::uint32_t>(state.lo >> 32U),
      static_cast<std::uint32_t>(state.hi), static_cast<std::uint32_t>(state.hi >> 32U)};
  const auto word = [&in](unsigned c) {
    return next_column(in, c) | std::uint64_t{next_column(in, c + 1)} << 32U;
  };
  return AesState{word(0), word(2)} ^ round_key;
}

}  // namespace

AesState aes_rounds(AesState state, const AesState& round_key, unsigned num_rounds) noexcept {
  for (unsigned i = 0; i < num_rounds; ++i) state = one_round(state, round_key);
  return state;
}

}  // namespace bloometry
