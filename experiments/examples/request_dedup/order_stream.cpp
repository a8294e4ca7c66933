#include "experiments/examples/request_dedup/order_stream.hpp"

#include <fmt/core.h>
#include <map>

#include "core/statistics/draws.hpp"

namespace bloometry::examples {
namespace {

constexpr std::uint64_t kLongestDelay = 200;  // in orders

}  // namespace

OrderStream make_order_stream(std::uint64_t num_orders, double repeated, std::uint64_t seed) {
  constexpr std::uint64_t kParts = 1'000'000;
  const auto repeated_parts = static_cast<std::uint64_t>(repeated * kParts);
  Draws draws(seed);
  std::multimap<std::uint64_t, std::uint64_t> later;  // the order before which it is sent again
  OrderStream stream{.num_distinct = num_orders};
  for (std::uint64_t order = 0; order < num_orders; ++order) {
    const auto [first, last] = later.equal_range(order);
    for (auto again = first; again != last; ++again) stream.orders.push_back(again->second);
    stream.orders.push_back(order);
    if (draws.next(kParts) >= repeated_parts) continue;
    if (draws.next(2) == 0) {
      stream.orders.push_back(order);
    } else {
      later.emplace(order + 1 + draws.next(kLongestDelay), order);
    }
  }
  for (auto again = later.lower_bound(num_orders); again != later.end(); ++again) {
    stream.orders.push_back(again->second);
  }
  return stream;
}

std::string body_of(std::uint64_t order) {
  return fmt::format(R"({{"account":{},"item":{},"order":{}}})", order % 10'007, order % 97, order);
}

}  // namespace bloometry::examples
