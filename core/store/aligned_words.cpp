#include "core/store/aligned_words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/store/system_memory.hpp"

namespace bloometry {
namespace {

/// Returns the size with one decimal in KiB or a larger unit, such as `1.5 TiB`.
std::string size_text(double num_bytes) {
  constexpr std::array<std::string_view, 8> kUnits = {"bytes", "KiB", "MiB", "GiB",
                                                      "TiB",   "PiB", "EiB", "ZiB"};
  std::size_t unit = 0;
  for (; num_bytes >= 1024; num_bytes /= 1024) ++unit;
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), num_bytes,
                                 std::chars_format::fixed, unit == 0 ? 0 : 1);
  return std::string(digits.data(), end.ptr).append(" ").append(kUnits[unit]);
}

MemoryError refused(const std::string& size, const std::string& reason) {
  return MemoryError("cannot allocate " + size + ": " + reason);
}

double bytes_of(std::uint64_t num_words) {
  return static_cast<double>(num_words) * sizeof(std::uint64_t);
}

/// Maximum number of words of an array on a machine whose memory is unknown. The number of bits of
/// an array with kMaxWords words is 2^63, which fits in 64 bits.
constexpr std::uint64_t kMaxWords = std::uint64_t{1} << 57U;

void require_possible(std::uint64_t num_words) {
  const std::uint64_t machine = system_memory::machine_bytes();
  if (machine != 0 && num_words > machine / sizeof(std::uint64_t)) {
    const std::string needed = size_text(bytes_of(num_words));
    const std::string present = size_text(static_cast<double>(machine));
    if (needed != present) throw refused(needed, "this machine has " + present);
    throw refused(std::to_string(num_words * sizeof(std::uint64_t)) + " bytes",
                  "this machine has " + std::to_string(machine));
  }
  if (num_words > kMaxWords) {
    throw refused(size_text(bytes_of(num_words)), "this is more than any machine has");
  }
}

void* allocate_small(std::size_t num_bytes) noexcept {
  void* const memory = ::operator new[](num_bytes, std::align_val_t{kCacheLineBytes}, std::nothrow);
  if (memory != nullptr) std::memset(memory, 0, num_bytes);
  return memory;
}

bool is_mapped(std::size_t num_bytes) noexcept {
  return num_bytes >= kHugePageBytes;
}

}  // namespace

AlignedWords::AlignedWords(std::uint64_t num_words)
    : words_(allocate(num_words)), num_words_(num_words) {}

AlignedWords::AlignedWords(const AlignedWords& other) : AlignedWords(other.num_words_) {
  std::copy_n(other.words_.get(), num_words_, words_.get());
}

AlignedWords& AlignedWords::operator=(const AlignedWords& other) {
  if (num_words_ != other.num_words_) return *this = AlignedWords(other);
  if (this != &other) std::copy_n(other.words_.get(), num_words_, words_.get());
  return *this;
}

AlignedWords::Block AlignedWords::allocate(std::uint64_t num_words) {
  require_possible(num_words);
  const std::size_t num_bytes = num_words * sizeof(std::uint64_t);
  void* const memory =
      is_mapped(num_bytes) ? system_memory::map_zeroed(num_bytes) : allocate_small(num_bytes);
  if (memory == nullptr)
    throw refused(size_text(bytes_of(num_words)), "the system cannot provide more memory");
  return {static_cast<std::uint64_t*>(memory), Release{num_bytes}};
}

void AlignedWords::Release::operator()(std::uint64_t* words) const noexcept {
  if (is_mapped(num_bytes)) {
    system_memory::unmap(words, num_bytes);
  } else {
    ::operator delete[](words, std::align_val_t{kCacheLineBytes});
  }
}

}  // namespace bloometry
