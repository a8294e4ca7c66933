#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "core/error.hpp"
#include "tests/fuzz/allocation_limit.hpp"

namespace bloometry::fuzz {

/// Ends the process with a message if the guarantee does not hold.
inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "BROKEN PROMISE: %s\n", promise);
  std::abort();
}

/// Keys for the queries of every accepted filter. The keys are empty, short, or longer than a
/// hash's block.
inline constexpr std::array<std::string_view, 6> kKeys = {
    "", "a", "item-7", "0123456789abcdef", "a key of more than thirty-two bytes", "\x80\xff"};

/// Returns read(), or nullopt if read() throws ConfigError. An exception other than ConfigError
/// ends the process. AllocationLimit limits the allocations of read().
template <class Read>
auto accepted(std::string_view input, std::uint64_t most_bytes, Read read)
    -> std::optional<decltype(read())> {
  try {
    return within_limit(input.size(), most_bytes, read);
  } catch (const ConfigError& error) {
    require(!error.problems().empty() && !error.problems().front().text.empty(),
            "an error says what is wrong");
    return std::nullopt;
  }
}

/// Requires that `larger` contains each key of kKeys that `filter` contains.
template <class Smaller, class Larger>
void require_no_lost_key(const Smaller& filter, const Larger& larger, const char* promise) {
  for (const std::string_view key : kKeys) {
    require(!filter.contains(key) || larger.contains(key), promise);
  }
}

/// Inserts each key and requires that the key is present after its insert.
template <class Filter>
void require_inserts(Filter filter) {
  for (const std::string_view key : kKeys) {
    filter.insert(key);
    require(filter.contains(key), "a key that was inserted is present");
  }
}

/// Returns fold(divisor), or nullopt if the filter cannot be folded by the divisor.
template <class Filter>
std::optional<Filter> folded(const Filter& filter, std::uint64_t divisor) {
  try {
    return filter.fold(divisor);
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

}  // namespace bloometry::fuzz
