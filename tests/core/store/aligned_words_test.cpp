#include "core/store/aligned_words.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "core/store/memory.hpp"
#include "core/store/system_memory.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kHugePageWords = kHugePageBytes / sizeof(std::uint64_t);

bool is_zero(const AlignedWords& words) {
  return std::all_of(words.data(), words.data() + words.size(),
                     [](std::uint64_t word) { return word == 0; });
}

std::uintptr_t address_of(const AlignedWords& words) {
  return reinterpret_cast<std::uintptr_t>(words.data());
}

/// Returns the value in kB of a field in /proc/self/smaps for the mapping of `address`. Returns -1
/// if the mapping does not exist.
long smaps_kb(std::uintptr_t address, const std::string& field) {
  std::ifstream smaps("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(smaps, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    const std::size_t dash = first.find('-');
    if (dash != std::string::npos) {
      inside = std::stoull(first.substr(0, dash), nullptr, 16) <= address &&
               address < std::stoull(first.substr(dash + 1), nullptr, 16);
    } else if (inside && first == field + ":") {
      long kb = 0;
      words >> kb;
      return kb;
    }
  }
  return -1;
}

bool huge_pages_are_offered() {
  std::ifstream setting("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string text;
  std::getline(setting, text);
  return text.find("[madvise]") != std::string::npos || text.find("[always]") != std::string::npos;
}

}  // namespace

TEST_CASE("aligned_words: start at a cache line, at a huge page from 2 MiB on, and are zero",
          "[core][store]") {
  for (const std::uint64_t num_words :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{100}, kHugePageWords - 1, kHugePageWords,
        kHugePageWords + 1, 3 * kHugePageWords + 77}) {
    CAPTURE(num_words);
    const AlignedWords words(num_words);
    CHECK(words.size() == num_words);
    CHECK(address_of(words) % kCacheLineBytes == 0);
    if (num_words >= kHugePageWords) CHECK(address_of(words) % kHugePageBytes == 0);
    CHECK(is_zero(words));
  }
}

TEST_CASE("aligned_words: reused memory is zero", "[core][store]") {
  for (const std::uint64_t num_words : {std::uint64_t{100}, kHugePageWords + 5}) {
    for (int i = 0; i < 20; ++i) {
      AlignedWords words(num_words);
      CHECK(is_zero(words));
      std::fill_n(words.data(), num_words, ~std::uint64_t{0});
    }
  }
}

TEST_CASE("aligned_words: a copy does not share words", "[core][store]") {
  for (const std::uint64_t num_words : {std::uint64_t{3}, kHugePageWords + 1}) {
    AlignedWords words(num_words);
    words.data()[1] = 7;
    AlignedWords copy = words;
    CHECK(copy.size() == num_words);
    copy.data()[1] = 8;
    CHECK(words.data()[1] == 7);
    const std::uint64_t* const place = words.data();
    words = copy;
    CHECK(words.data()[1] == 8);
    CHECK(words.data() == place);  // equal sizes: the memory is reused
    words = AlignedWords(5);
    CHECK(words.size() == 5);
    words = copy;
    CHECK(words.size() == num_words);
    CHECK(words.data()[1] == 8);
  }
}

TEST_CASE("aligned_words: a move transfers the words and leaves an empty array", "[core][store]") {
  STATIC_REQUIRE(std::is_nothrow_move_constructible_v<AlignedWords>);
  STATIC_REQUIRE(std::is_nothrow_move_assignable_v<AlignedWords>);
  AlignedWords words(kHugePageWords);
  words.data()[9] = 1;
  const std::uint64_t* const place = words.data();
  AlignedWords taken = std::move(words);
  CHECK(taken.data() == place);
  AlignedWords other(3);
  other = std::move(taken);
  CHECK(other.data()[9] == 1);
  CHECK(other.size() == kHugePageWords);
  AlignedWords none;
  CHECK(none.size() == 0);
  none = std::move(other);
  CHECK(none.data() == place);
  taken = AlignedWords(2);  // a moved-from array can be reused
  CHECK(is_zero(taken));
}

TEST_CASE("aligned_words: a size that overflows is refused", "[core][store]") {
  CHECK_THROWS_AS(AlignedWords(~std::uint64_t{0}), MemoryError);
  CHECK_THROWS_AS(AlignedWords((std::uint64_t{1} << 61U) + 1), MemoryError);
  CHECK_THROWS_AS(AlignedWords(std::uint64_t{1} << 61U), std::bad_alloc);
}

TEST_CASE(
    "aligned_words: more memory than the machine has is refused with both sizes before allocation",
    "[core][store]") {
  const std::uint64_t machine = system_memory::machine_bytes();
  if (machine == 0) {
    WARN("skipped: the memory of this machine is unknown");
    return;
  }
  CHECK_THROWS_AS(AlignedWords(machine / 8 + 1), MemoryError);
  const std::string message =
      test::message_of<MemoryError>([] { const AlignedWords words(12'500'000'000'000); });
  CHECK_THAT(message, Catch::Matchers::StartsWith("cannot allocate 90.9 TiB: this machine has "));
}

TEST_CASE("aligned_words: a failed allocation is reported with its size", "[core][store]") {
  // The check runs in a child process that may map only 64 MiB more than it has already mapped. The
  // exit code of the child process is the result of the check.
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    int code = 1;
    std::ifstream status("/proc/self/statm");
    std::uint64_t num_pages = 0;
    status >> num_pages;
    const rlim_t limit = num_pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + (64U << 20U);
    const rlimit limits{limit, limit};
    ::setrlimit(RLIMIT_AS, &limits);
    try {
      const AlignedWords words((256U << 20U) / 8);
    } catch (const MemoryError& error) {
      const std::string expected =
          "cannot allocate 256.0 MiB: the system cannot provide more memory";
      code = error.what() == expected ? 42 : 2;
    } catch (...) {
      code = 3;
    }
    ::_exit(code);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 42);
}

TEST_CASE("aligned_words: large arrays occupy no memory before the first access, then huge pages",
          "[core][store]") {
  if (!huge_pages_are_offered()) {
    WARN("skipped: this machine offers no transparent huge pages");
    return;
  }
  AlignedWords words(8 * kHugePageWords);
  CHECK(smaps_kb(address_of(words), "Rss") == 0);
  words.data()[kHugePageWords + 3] = 1;
  CHECK(smaps_kb(address_of(words), "AnonHugePages") == 2048);
  CHECK(smaps_kb(address_of(words), "Rss") == 2048);
}

}  // namespace bloometry
