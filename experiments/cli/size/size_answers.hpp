#pragma once

#include <string>

#include "experiments/cli/command_line/point_options.hpp"
#include "variants/registry/size_request.hpp"

namespace bloometry {

/// Returns the valid request of `bloometry size`, with bits per key converted to memory.
/// @throws ConfigError listing every problem of the request, of --needs and of --param.
[[nodiscard]] SizeRequest size_request(const PointOptions& options);

/// Returns the request as text, such as "n = 1,000,000 keys, p <= 0.01, probes independent,
/// counter_bits = 4".
[[nodiscard]] std::string request_text(const SizeRequest& request);

}  // namespace bloometry
