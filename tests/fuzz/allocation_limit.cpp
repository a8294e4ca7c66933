#include "tests/fuzz/allocation_limit.hpp"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define BLOOMETRY_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BLOOMETRY_ASAN 1
#endif
#endif
#ifdef BLOOMETRY_ASAN
// The header sanitizer/allocator_interface.h declares these functions, but g++ 12 does not install
// the header.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*,
                                                                           std::size_t),
                                                         void (*on_free)(const volatile void*));
extern "C" std::size_t __sanitizer_get_allocated_size(const volatile void* memory);
#endif

namespace bloometry::fuzz {
namespace {

/// The allocations during the reading of the current input. Numbers of bytes are signed, because a
/// reader may free memory that was allocated before the reading.
struct Reading {
  bool is_active = false;
  std::uint64_t input_bytes = 0;
  std::int64_t most_bytes = 0;
  std::int64_t live_bytes = 0;
  std::int64_t bytes_beyond = 0;  // bytes in use when the limit was first exceeded, or 0
  std::uint64_t last_bytes = 0;   // size of the allocation that exceeded the limit
};

thread_local Reading reading;
AllocationRecord record;

/// An excess above kBytesAtOnce ends the process immediately. A smaller excess ends the process
/// after the reading, because libFuzzer itself allocates memory to store a failing input.
constexpr std::int64_t kBytesAtOnce = std::int64_t{1} << 20U;

[[noreturn]] void abort_beyond_limit() noexcept {
  reading.is_active = false;
  std::fprintf(stderr,
               "ALLOCATION LIMIT: an input of %llu bytes has %lld bytes live after an allocation "
               "of %llu bytes; at most %lld are allowed\n",
               static_cast<unsigned long long>(reading.input_bytes),
               static_cast<long long>(reading.bytes_beyond),
               static_cast<unsigned long long>(reading.last_bytes),
               static_cast<long long>(reading.most_bytes));
  std::abort();
}

void add(std::uint64_t num_bytes) noexcept {
  if (!reading.is_active) return;
  reading.live_bytes += static_cast<std::int64_t>(num_bytes);
  if (num_bytes > record.largest_bytes) {
    record.largest_bytes = num_bytes;
    record.largest_input_bytes = reading.input_bytes;
  }
  if (reading.live_bytes > static_cast<std::int64_t>(record.peak_bytes)) {
    record.peak_bytes = static_cast<std::uint64_t>(reading.live_bytes);
    record.peak_input_bytes = reading.input_bytes;
    record.peak_most_bytes = static_cast<std::uint64_t>(reading.most_bytes);
  }
  if (reading.live_bytes <= reading.most_bytes) return;
  if (reading.bytes_beyond == 0) {
    reading.bytes_beyond = reading.live_bytes;
    reading.last_bytes = num_bytes;
  }
  if (reading.live_bytes > reading.most_bytes + kBytesAtOnce) abort_beyond_limit();
}

void remove(std::uint64_t num_bytes) noexcept {
  if (reading.is_active) reading.live_bytes -= static_cast<std::int64_t>(num_bytes);
}

#ifdef BLOOMETRY_ASAN
void on_malloc(const volatile void* /*memory*/, std::size_t num_bytes) {
  add(num_bytes);
}

void on_free(const volatile void* memory) {
  if (reading.is_active && memory != nullptr) remove(__sanitizer_get_allocated_size(memory));
}

[[maybe_unused]] const int kInstalled =
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
#endif

}  // namespace

AllocationLimit::AllocationLimit(std::uint64_t input_bytes, std::uint64_t most_bytes) noexcept {
  reading = {.is_active = true,
             .input_bytes = input_bytes,
             .most_bytes = static_cast<std::int64_t>(most_bytes),
             .live_bytes = 0,
             .bytes_beyond = 0,
             .last_bytes = 0};
}

AllocationLimit::~AllocationLimit() {
  if (reading.bytes_beyond > 0) abort_beyond_limit();
  reading.is_active = false;
}

const AllocationRecord& allocation_record() noexcept {
  return record;
}

void print_allocation_record() {
  const auto ratio = [](std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(whole, 1));
  };
  std::fprintf(stderr,
               "largest allocation %llu bytes = %.2f x its input (%llu); most live %llu bytes = "
               "%.2f x its input (%llu), %llu allowed\n",
               static_cast<unsigned long long>(record.largest_bytes),
               ratio(record.largest_bytes, record.largest_input_bytes),
               static_cast<unsigned long long>(record.largest_input_bytes),
               static_cast<unsigned long long>(record.peak_bytes),
               ratio(record.peak_bytes, record.peak_input_bytes),
               static_cast<unsigned long long>(record.peak_input_bytes),
               static_cast<unsigned long long>(record.peak_most_bytes));
}

}  // namespace bloometry::fuzz

// Large stores are allocated by mmap. The linker option --wrap redirects calls of mmap to
// __wrap_mmap.
extern "C" {
void* __real_mmap(void* address, std::size_t num_bytes, int protection, int flags, int fd,
                  off_t offset);

void* __wrap_mmap(void* address, std::size_t num_bytes, int protection, int flags, int fd,
                  off_t offset) {
  if ((flags & MAP_ANONYMOUS) != 0) bloometry::fuzz::add(num_bytes);
  return __real_mmap(address, num_bytes, protection, flags, fd, offset);
}
}

#ifndef BLOOMETRY_ASAN
// In builds without the address sanitizer, the following operators replace the global operators.
// The other forms of new and delete call the global operators.

void* operator new(std::size_t num_bytes) {
  void* const memory = std::malloc(std::max<std::size_t>(num_bytes, 1));
  if (memory == nullptr) throw std::bad_alloc();
  bloometry::fuzz::add(malloc_usable_size(memory));
  return memory;
}

void* operator new(std::size_t num_bytes, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  void* const memory = std::aligned_alloc(unit, (num_bytes + unit - 1) / unit * unit);
  if (memory == nullptr) throw std::bad_alloc();
  bloometry::fuzz::add(malloc_usable_size(memory));
  return memory;
}

void operator delete(void* memory) noexcept {
  if (memory != nullptr) bloometry::fuzz::remove(malloc_usable_size(memory));
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*num_bytes*/) noexcept {
  operator delete(memory);
}

void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  operator delete(memory);
}

void operator delete(void* memory, std::size_t /*num_bytes*/,
                     std::align_val_t /*alignment*/) noexcept {
  operator delete(memory);
}
#endif
