#include "variants/registry/size_request.hpp"

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/probe/limits.hpp"
#include "core/text.hpp"

namespace bloometry {
namespace {

constexpr auto kMaxMemory = static_cast<double>(kMaxRequestedCount);

double bits_of_all_keys(const SizeRequest& request) {
  return *request.bits_per_key * static_cast<double>(*request.num_keys);
}

/// Adds problems to a ProblemCollector.
class RequestCheck {
 public:
  template <class Check>
  void collect(Check check) {
    problems_.collect(check);
  }

  void require(bool holds, const char* field, const std::string& complaint) {
    if (!holds) problems_.collect([&] { throw ConfigError(field, complaint); });
  }

  void require_count(const char* field, const std::optional<std::uint64_t>& value) {
    require(!value || (*value >= 1 && *value <= kMaxRequestedCount), field,
            "must be in [1, 2^53], got " + std::to_string(value.value_or(0)));
  }

  void require_bits_per_key(const SizeRequest& request) {
    if (!request.bits_per_key) return;
    require(request.num_keys.has_value(), "num_keys", "must be given with bits_per_key");
    if (!request.num_keys) return;
    const double num_bits = bits_of_all_keys(request);
    require(num_bits >= 1 && num_bits <= kMaxMemory, "bits_per_key",
            "times num_keys must be in [1, 2^53] bits, got " + shortest_text(num_bits));
  }

  void throw_if_any() { problems_.throw_if_any(); }

 private:
  ProblemCollector problems_;
};

void require_two_values(const SizeRequest& request) {
  const bool has_keys = request.num_keys.has_value();
  const bool has_rate = request.rate.has_value();
  if (int{has_keys} + int{has_rate} + int{has_size(request)} >= 2) return;
  throw ConfigError(
      "at least two of num_keys, rate and a size (num_cells, num_bits, num_blocks or bits_per_key) "
      "must be given");
}

}  // namespace

bool has_size(const SizeRequest& request) noexcept {
  return request.num_cells || request.num_bits || request.num_blocks || request.bits_per_key;
}

SizeRequest without_size(SizeRequest request) {
  request.num_cells.reset();
  request.num_bits.reset();
  request.num_blocks.reset();
  request.bits_per_key.reset();
  return request;
}

std::optional<std::uint64_t> size_in_bits(const SizeRequest& request) noexcept {
  return request.num_cells ? request.num_cells : request.num_bits;
}

SizeRequest in_bits(SizeRequest request) {
  request.num_bits = size_in_bits(request);
  request.num_cells.reset();
  return request;
}

std::optional<std::uint64_t> requested_memory(const SizeRequest& request) noexcept {
  if (!request.bits_per_key || !request.num_keys) return request.num_bits;
  return static_cast<std::uint64_t>(std::llround(bits_of_all_keys(request)));
}

SchemeInfo requested_scheme(const VariantInfo& variant, const SizeRequest& request) {
  if (!request.probes.empty()) return variant.scheme(request.probes);
  return request.model ? scheme_of_model(variant, *request.model) : variant.schemes.front();
}

void require_one_size(const SizeRequest& request) {
  const std::array<std::pair<const char*, bool>, 4> sizes = {
      {{"num_cells", request.num_cells.has_value()},
       {"num_bits", request.num_bits.has_value()},
       {"num_blocks", request.num_blocks.has_value()},
       {"bits_per_key", request.bits_per_key.has_value()}}};
  const char* first = nullptr;
  for (const auto& [name, is_given] : sizes) {
    if (is_given && first != nullptr) {
      throw ConfigError(name, std::string("must be left out with ") + first +
                                  ", because each determines the size");
    }
    if (is_given) first = name;
  }
}

void require_valid(const SizeRequest& request) {
  RequestCheck check;
  check.collect([&] { require_one_size(request); });
  check.collect([&] { require_two_values(request); });
  check.require_count("num_keys", request.num_keys);
  check.require(!request.rate || (*request.rate > 0 && *request.rate < 1), "rate",
                "must be in (0, 1), got " + shortest_text(request.rate.value_or(0)));
  check.require_count("num_cells", request.num_cells);
  check.require_count("num_bits", request.num_bits);
  check.require_count("num_blocks", request.num_blocks);
  check.require_bits_per_key(request);
  const unsigned k = request.num_hashes.value_or(1);
  check.require(k >= 1 && k <= kMaxNumHashes, "num_hashes",
                "must be in [1, " + std::to_string(kMaxNumHashes) + "], got " + std::to_string(k));
  check.throw_if_any();
}

}  // namespace bloometry
