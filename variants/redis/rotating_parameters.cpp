#include "variants/redis/rotating_parameters.hpp"

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "core/text.hpp"
#include "variants/redis/field_reader.hpp"
#include "variants/redis/redis_keys.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

constexpr std::string_view kRotating = "rotating";
constexpr const char* kScheme = "scheme";
constexpr const char* kWindow = "window_ms";
constexpr const char* kGenerations = "generations";
constexpr const char* kGenerationTime = "generation_ms";
constexpr const char* kGenerationCapacity = "generation_capacity";
constexpr const char* kCapacity = "capacity";
constexpr const char* kRate = "target_false_positive_rate";

/// Longest string of a Redis server, in bits.
constexpr std::uint64_t kMaxBits = std::uint64_t{1} << 32U;

std::uint64_t ceil_of_quotient(std::uint64_t dividend, std::uint64_t divisor) {
  return dividend / divisor + (dividend % divisor == 0 ? 0 : 1);
}

void require_in(const char* field, std::uint64_t value, std::uint64_t min, std::uint64_t max,
                const std::string& unit = {}) {
  if (min <= value && value <= max) return;
  throw ConfigError(field, "must be in [" + std::to_string(min) + ", " + std::to_string(max) + "]" +
                               unit + ", got " + std::to_string(value));
}

void require_window(const RotatingParameters& parameters) {
  require_in(kGenerations, parameters.generations, kMinGenerations, kMaxGenerations);
  const auto window =
      static_cast<std::uint64_t>(std::max<std::int64_t>(parameters.window.count(), 0));
  require_in("window", window, parameters.generations - 1,
             static_cast<std::uint64_t>(kMaxWindow.count()),
             " ms with " + std::to_string(parameters.generations) + " generations");
}

void require_capacity(const RotatingParameters& parameters) {
  require_in(kCapacity, parameters.capacity, 1, std::uint64_t{1} << 53U);
  const double rate = parameters.target_false_positive_rate;
  if (rate > 0.0 && rate < 1.0) return;
  throw ConfigError(kRate, "must be in (0, 1), got " + shortest_text(rate));
}

/// Returns f, the rate for which a generation is sized.
double rate_of_generation(const RotatingParameters& parameters) {
  return generation_rate(parameters.target_false_positive_rate,
                         static_cast<unsigned>(parameters.generations));
}

void require_string_length(const RotatingParameters& parameters) {
  if (parameters.generation.num_bits <= kMaxBits) return;
  throw ConfigError(kCapacity,
                    "must be small enough for generations of at most " + std::to_string(kMaxBits) +
                        " bits, got " + std::to_string(parameters.capacity) + ", which needs " +
                        std::to_string(parameters.generation.num_bits) + " bits per generation");
}

/// Checks that the stored fields are those of the parameters that were parsed from them.
void require_equal(const RedisFields& stored, const RedisFields& expected) {
  for (const auto& [name, value] : stored) {
    if (!expected.contains(name)) throw ConfigError(name, "is not a field of the parameters");
  }
  for (const auto& [name, value] : expected) {
    const auto field = stored.find(name);
    if (field == stored.end()) throw ConfigError(name, "is missing from the parameters");
    if (field->second == value) continue;
    throw ConfigError(name, "must be " + value +
                                ", which follows from the other parameters, got '" + field->second +
                                "'");
  }
}

}  // namespace

std::chrono::milliseconds RotatingParameters::generation_time() const noexcept {
  return std::chrono::milliseconds(
      ceil_of_quotient(static_cast<std::uint64_t>(window.count()), generations - 1));
}

std::chrono::milliseconds RotatingParameters::longest_time() const noexcept {
  return generation_time() * static_cast<std::int64_t>(generations);
}

std::uint64_t RotatingParameters::generation_capacity() const noexcept {
  return ceil_of_quotient(capacity, generations - 1);
}

std::uint64_t RotatingParameters::expiry_ms(std::uint64_t number) const noexcept {
  return (number + generations) * static_cast<std::uint64_t>(generation_time().count());
}

RedisFields RotatingParameters::fields() const {
  RedisFields fields = generation.fields();
  fields[kScheme] = kRotating;
  fields[kWindow] = std::to_string(window.count());
  fields[kGenerations] = std::to_string(generations);
  fields[kGenerationTime] = std::to_string(generation_time().count());
  fields[kGenerationCapacity] = std::to_string(generation_capacity());
  fields[kCapacity] = std::to_string(capacity);
  fields[kRate] = shortest_text(target_false_positive_rate);
  fields[kChecksumField] = checksum_of(fields);
  return fields;
}

RotatingParameters rotating_parameters(const RotatingRequest& request, const FileHeader& hash) {
  RotatingParameters parameters{.window = request.window,
                                .generations = request.generations,
                                .capacity = request.capacity,
                                .target_false_positive_rate = request.target_false_positive_rate};
  require_window(parameters);
  require_capacity(parameters);
  FileHeader header = hash;
  header.variant = request.variant;
  static_cast<void>(native_parameters(header));  // throws for other variants before they are sized
  const VariantInfo& variant = find_variant(request.variant);
  const SchemeInfo& scheme =
      request.probes.empty() ? variant.schemes.front() : variant.scheme(request.probes);
  header.probes = scheme.name;
  header.notes = {};
  header.notes.capacity = parameters.generation_capacity();
  header.notes.target_false_positive_rate = rate_of_generation(parameters);
  header.geometry =
      scheme.geometry({.capacity = header.notes.capacity,
                       .target_false_positive_rate = header.notes.target_false_positive_rate});
  parameters.generation = native_parameters(header);
  require_string_length(parameters);
  return parameters;
}

bool is_rotating(const RedisFields& fields) {
  const auto scheme = fields.find(kScheme);
  return scheme != fields.end() && scheme->second == kRotating;
}

RotatingParameters parse_rotating_parameters(const RedisFields& fields) {
  const RedisFields fixed = without_state(fields);
  const FieldReader reader(fixed);
  if (!is_rotating(fixed)) {
    throw ConfigError(kScheme, "must be rotating, got '" + reader.text(kScheme) + "'");
  }
  RotatingParameters parameters{
      .window = std::chrono::milliseconds(reader.number<std::int64_t>(kWindow)),
      .generations = reader.number<std::uint64_t>(kGenerations),
      .capacity = reader.number<std::uint64_t>(kCapacity),
      .target_false_positive_rate = reader.number<double>(kRate)};
  require_window(parameters);
  require_capacity(parameters);
  RedisFields own = fixed;
  for (const char* name : {kWindow, kGenerations, kGenerationTime, kGenerationCapacity}) {
    own.erase(name);
  }
  own[kScheme] = "native";
  own[kCapacity] = std::to_string(parameters.generation_capacity());
  own[kRate] = shortest_text(rate_of_generation(parameters));
  own[kChecksumField] = checksum_of(own);
  parameters.generation = parse_parameters(own);
  require_string_length(parameters);
  require_equal(fixed, parameters.fields());
  return parameters;
}

RedisFields without_state(RedisFields fields) {
  for (const char* name : {kUpdatesField, kCreatedField, kStateChecksumField}) fields.erase(name);
  return fields;
}

std::string generation_key(std::string_view name, std::uint64_t slot) {
  return key_beside(name, "generation:" + std::to_string(slot));
}

std::string replies_key(std::string_view name, unsigned i) {
  return key_beside(name, "replies:" + std::to_string(i));
}

std::vector<std::string> rotating_keys(std::string_view name, std::uint64_t generations) {
  std::vector<std::string> keys = {parameters_key(name)};
  for (std::uint64_t slot = 0; slot < generations; ++slot) {
    keys.push_back(generation_key(name, slot));
  }
  for (const unsigned i : {0U, 1U}) keys.push_back(replies_key(name, i));
  return keys;
}

}  // namespace bloometry
