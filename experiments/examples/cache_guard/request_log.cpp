#include "experiments/examples/cache_guard/request_log.hpp"

#include <fmt/core.h>

#include "core/hash/mix.hpp"
#include "core/statistics/draws.hpp"
#include "experiments/examples/zipf.hpp"

namespace bloometry::examples {

std::string url_number(std::uint64_t i) {
  // mix64 is a bijection. Different numbers therefore give different URLs. The URLs of consecutive
  // numbers are far apart in the index.
  return fmt::format("https://news.example/{}/story-{}", 1996 + i % 20, mix64(i));
}

std::string target_number(std::uint64_t i) {
  return fmt::format("https://archive.example/{}", i);
}

RequestLog make_request_log(const LogSettings& settings) {
  RequestLog log{.num_urls = settings.num_urls};
  for (std::uint64_t i = 0; i < 2 * settings.num_urls; ++i) log.urls.push_back(url_number(i));

  constexpr std::uint64_t kSteps = 1'000'000;
  const Zipf existing(settings.num_urls, 1.0);
  const Zipf missing(settings.num_urls, 0.5);
  Draws draws(settings.seed);
  for (std::uint64_t i = 0; i < settings.num_requests; ++i) {
    const bool is_missing =
        static_cast<double>(draws.next(kSteps)) < settings.missing_share * kSteps;
    log.requests.push_back(is_missing ? settings.num_urls + missing.draw(draws)
                                      : existing.draw(draws));
  }
  return log;
}

}  // namespace bloometry::examples
