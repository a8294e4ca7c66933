#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bloometry::examples {

/// Returns URL number i of a fictitious site. Different i give different URLs.
[[nodiscard]] std::string url_number(std::uint64_t i);

/// Returns the new address of URL number i.
[[nodiscard]] std::string target_number(std::uint64_t i);

/// A log of requests. URLs 0 .. num_urls-1 exist, num_urls .. 2 num_urls-1 do not.
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

/// Returns a log in which existing URLs are requested by Zipf's law with exponent 1. Missing URLs
/// have exponent 0.5, because crawlers and scanners try one after the other.
[[nodiscard]] RequestLog make_request_log(const LogSettings& settings);

}  // namespace bloometry::examples
