#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bloometry::examples {

/// Returns the URL with number i of a fictitious site. Different numbers give different URLs.
[[nodiscard]] std::string url_number(std::uint64_t i);

/// Returns the new address of the URL with number i.
[[nodiscard]] std::string target_number(std::uint64_t i);

/// A log of requests for numbered URLs. URLs with the numbers 0 .. num_urls-1 exist. URLs with the
/// numbers num_urls .. 2 num_urls-1 do not exist.
struct RequestLog {
  std::uint64_t num_urls = 0;
  std::vector<std::string> urls{};        ///< all 2 num_urls URLs
  std::vector<std::uint64_t> requests{};  ///< numbers of the requested URLs, in order

  [[nodiscard]] bool exists(std::uint64_t url) const noexcept { return url < num_urls; }
};

struct LogSettings {
  std::uint64_t num_urls = 200'000;
  std::uint64_t num_requests = 200'000;
  double missing_share = 0.5;  ///< share of requests for URLs that do not exist
  std::uint64_t seed = 1;
};

/// Returns a log with requests for existing and missing URLs. The requests for existing URLs follow
/// Zipf's law with exponent 1. The exponent for missing URLs is 0.5, because crawlers and scanners
/// try many different URLs.
[[nodiscard]] RequestLog make_request_log(const LogSettings& settings);

}  // namespace bloometry::examples
