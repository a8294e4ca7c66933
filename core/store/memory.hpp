#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "core/isa/compiled_isa.hpp"
#include "core/store/aligned_words.hpp"

namespace bloometry {
inline namespace BLOOMETRY_COMPILED_ISA {

/// Access to a word that only one thread uses, or that several threads only read.
struct PlainAccess {
  [[nodiscard]] static std::uint64_t load(const std::uint64_t& word) noexcept { return word; }

  /// Sets the bits of `mask` in the word. Returns the previous word.
  static std::uint64_t fetch_or(std::uint64_t& word, std::uint64_t mask) noexcept {
    const std::uint64_t before = word;
    word |= mask;
    return before;
  }
};

/// Access to a word that several threads write and read at once. All operations have relaxed memory
/// order. Bits only become set, so the order of writes to two words does not matter. To read the
/// writes of another thread, a thread needs separate synchronisation, such as a join or a release
/// store with an acquire load.
struct AtomicAccess {
  static_assert(std::atomic_ref<std::uint64_t>::is_always_lock_free);

  [[nodiscard]] static std::uint64_t load(const std::uint64_t& word) noexcept {
    // C++20 does not have atomic_ref<const T>. The function only reads.
    return std::atomic_ref(const_cast<std::uint64_t&>(word)).load(std::memory_order_relaxed);
  }

  /// Sets the bits of `mask` in the word. Returns the previous word. If the bits are already set,
  /// the function does not write, so the cache line stays shared between cores.
  static std::uint64_t fetch_or(std::uint64_t& word, std::uint64_t mask) noexcept {
    const std::uint64_t seen = load(word);
    if ((seen & mask) == mask) return seen;
    return std::atomic_ref(word).fetch_or(mask, std::memory_order_relaxed);
  }
};

/// Memory policy of a store that owns its words.
struct OwnedMemory {
  using Words = AlignedWords;
  using WordAccess = PlainAccess;

  [[nodiscard]] Words allocate(std::uint64_t num_words) const { return Words(num_words); }
};

/// Memory policy of a store whose words belong to the caller (a mapped file, shared memory, an
/// arena) and outlive the store. The constructor of the store does not change the words, so the
/// caller must set the words to 0 for an empty filter.
struct BorrowedMemory {
  using Words = std::span<std::uint64_t>;
  using WordAccess = PlainAccess;

  Words words;

  /// Returns the words of the span.
  /// @throws ConfigError if the span is shorter than the store needs, or not cache-line aligned.
  [[nodiscard]] Words allocate(std::uint64_t num_words) const {
    if (words.size() < num_words) {
      throw ConfigError("borrowed memory must have at least " + std::to_string(num_words) +
                        " words of 64 bits, got " + std::to_string(words.size()));
    }
    const auto rest = reinterpret_cast<std::uintptr_t>(words.data()) % kCacheLineBytes;
    if (rest != 0) {
      throw ConfigError("borrowed memory must be aligned to " + std::to_string(kCacheLineBytes) +
                        " bytes, got an address " + std::to_string(rest) +
                        " bytes above a multiple");
    }
    return words.first(num_words);
  }
};

/// Memory policy of the views that loops hold by value (BitArray::view). A view uses the words of
/// another store, which must outlive it. The compiler keeps its pointer and sizes in registers,
/// whereas it would load those of a store again after every write to a cell.
template <class Word, class Access>
struct ViewMemory {
  using Words = std::span<Word>;
  using WordAccess = Access;

  Words words;

  [[nodiscard]] Words allocate(std::uint64_t /*num_words*/) const noexcept { return words; }
};

/// Memory policy of a store of bits that several threads set and test at the same time. With
/// Atomic<BorrowedMemory> over shared memory, several processes may set and test bits at the same
/// time.
template <class Memory>
struct Atomic : Memory {
  using WordAccess = AtomicAccess;
};

/// Whether the memory policy gives write access to the words of a store. The policy of mapped files
/// (core/file/mapped_file.hpp) gives read access only.
template <class Memory>
inline constexpr bool kIsWritable = !std::is_const_v<
    std::remove_pointer_t<decltype(std::declval<typename Memory::Words&>().data())>>;

}  // namespace BLOOMETRY_COMPILED_ISA
}  // namespace bloometry
