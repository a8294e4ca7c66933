#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bloometry::examples {

/// URL number i of the site that this example makes up; different for different i.
[[nodiscard]] std::string url_number(std::uint64_t i);

/// Where it has moved to.
[[nodiscard]] std::string target_number(std::uint64_t i);

/// A log of requests. URLs 0 .. num_urls-1 exist, num_urls .. 2 num_urls-1 do not.
struct RequestLog {
  std::uint64_t num_urls = 0;
  std::vector<std::string> urls{};        ///< all 2 num_urls
  std::vector<std::uint64_t> requests{};  ///< number of the URL that each asks for

  [[nodiscard]] bool exists(std::uint64_t url) const noexcept { return url < num_urls; }
};

struct LogSettings {
  std::uint64_t num_urls = 200'000;
  std::uint64_t num_requests = 200'000;
  double missing_share = 0.5;  ///< of the requests
  std::uint64_t seed = 1;
};

/// Existing URLs are asked for by Zipf's law with exponent 1; missing ones, which crawlers and
/// scanners try one after the other, with exponent 0.5.
[[nodiscard]] RequestLog make_request_log(const LogSettings& settings);

}  // namespace bloometry::examples
