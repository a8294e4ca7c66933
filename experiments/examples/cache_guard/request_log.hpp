#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bloometry::examples {

/// Returns URL number i of the example's fictitious site; different for different i.
[[nodiscard]] std::string url_number(std::uint64_t i);

/// Returns the new address of URL number i.
[[nodiscard]] std::string target_number(std::uint64_t i);

/// A log of requests. URLs 0 .. num_urls-1 exist, num_urls .. 2 num_urls-1 do not.
struct RequestLog {
  std::uint64_t num_urls = 0;
  std::vector<std::string> urls{};        ///< all 2 num_urls
  std::vector<std::uint64_t> requests{};  ///< number of the requested URL

  [[nodiscard]] bool exists(std::uint64_t url) const noexcept { return url < num_urls; }
};

struct LogSettings {
  std::uint64_t num_urls = 200'000;
  std::uint64_t num_requests = 200'000;
  double missing_share = 0.5;  ///< of the requests
  std::uint64_t seed = 1;
};

/// Returns a log in which existing URLs are requested by Zipf's law with exponent 1. Missing ones,
/// which crawlers and scanners try one after the other, have exponent 0.5.
[[nodiscard]] RequestLog make_request_log(const LogSettings& settings);

}  // namespace bloometry::examples
