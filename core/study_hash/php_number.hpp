#pragma once

#include <cmath>
#include <cstdint>

namespace bloometry {

/// A number with the arithmetic of 64-bit PHP 7 and 8. A PhpNumber is a signed 64-bit integer or a
/// double. If a sum, difference or product of integers exceeds the range of integers, the result is
/// a double.
///
/// Doubles must be IEEE binary64, and each operation must round separately. Compile sources that
/// use PhpNumber with -ffp-contract=off and without extended precision (php_hashes.cpp checks the
/// precision).
class PhpNumber {
 public:
  // The constructor is implicit, because PHP's formulas contain plain integers.
  constexpr PhpNumber(std::int64_t value) noexcept : integer_(value) {}

  static constexpr PhpNumber of_double(double value) noexcept {
    PhpNumber number(0);
    number.double_ = value;
    number.is_double_ = true;
    return number;
  }

  /// Returns int(x) of PHP, which truncates x toward zero and then reduces x modulo 2^64 into the
  /// signed range. For infinity and NaN, the result is 0. PHP's xor applies int(x) to its operands.
  [[nodiscard]] std::int64_t to_integer() const noexcept {
    if (!is_double_) return integer_;
    // A double of at least 2^116 is a multiple of 2^64. The comparison is also false for infinity
    // and NaN.
    if (!(std::fabs(double_) < 0x1p116)) return 0;
    // The subtraction is exact, because the quotient has few bits and the remainder is a multiple
    // of the last binary digit of double_.
    const auto quotient = static_cast<std::int64_t>(double_ * 0x1p-64);
    const double rest = double_ - static_cast<double>(quotient) * 0x1p64;
    const auto magnitude = static_cast<std::uint64_t>(std::fabs(rest));
    return static_cast<std::int64_t>(rest < 0 ? 0 - magnitude : magnitude);
  }

  friend PhpNumber operator+(PhpNumber a, PhpNumber b) noexcept {
    std::int64_t sum = 0;
    if (are_integers(a, b) && !__builtin_add_overflow(a.integer_, b.integer_, &sum)) return sum;
    return of_double(a.as_double() + b.as_double());
  }

  friend PhpNumber operator-(PhpNumber a, PhpNumber b) noexcept {
    std::int64_t difference = 0;
    if (are_integers(a, b) && !__builtin_sub_overflow(a.integer_, b.integer_, &difference)) {
      return difference;
    }
    return of_double(a.as_double() - b.as_double());
  }

  friend PhpNumber operator*(PhpNumber a, PhpNumber b) noexcept {
    std::int64_t product = 0;
    if (are_integers(a, b) && !__builtin_mul_overflow(a.integer_, b.integer_, &product)) {
      return product;
    }
    return of_double(a.as_double() * b.as_double());
  }

 private:
  static constexpr bool are_integers(const PhpNumber& a, const PhpNumber& b) noexcept {
    return !a.is_double_ && !b.is_double_;
  }

  [[nodiscard]] constexpr double as_double() const noexcept {
    return is_double_ ? double_ : static_cast<double>(integer_);
  }

  std::int64_t integer_ = 0;
  double double_ = 0;
  bool is_double_ = false;
};

/// Returns the result of PHP's operator <<. The operator discards the bits that are shifted out.
/// The result is always an integer.
[[nodiscard]] constexpr std::int64_t php_shift_left(std::int64_t value, unsigned count) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << count);
}

}  // namespace bloometry
