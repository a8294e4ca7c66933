#include "variants/redis/redis_parameters.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <random>

#include "core/error.hpp"
#include "core/hash/xxh64_hasher.hpp"
#include "core/text.hpp"
#include "variants/redis/field_reader.hpp"
#include "variants/redis/native_positions.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

constexpr std::string_view kFormat = "1";
constexpr std::string_view kNative = "native";

template <class Number>
std::string to_text(Number number) {
  std::array<char, 64> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), result.ptr};
}

/// Returns the given number of low digits of a number, the most significant digit first.
std::string hexadecimal(std::uint64_t number, std::size_t num_digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(num_digits, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 4U) {
    *digit = kDigits[number & 15U];
  }
  return text;
}

/// Returns whether the size of a block is a parameter of the variant.
bool has_block_bits(std::string_view variant) {
  for (const VariantInfo& info : all_variant_infos()) {
    if (info.name != variant) continue;
    return find_param(info.params, "block_bits") != nullptr;
  }
  return false;
}

/// Checks that the variant would produce the same geometry.
void require_geometry(const RedisParameters& parameters) {
  const Geometry geometry = parameters.geometry();
  FilterSpec spec{.num_bits = geometry.num_cells, .num_hashes = geometry.num_hashes};
  if (has_block_bits(parameters.variant)) {
    spec.params = {{"block_bits", static_cast<double>(geometry.block_cells)}};
  }
  const Geometry same = find_variant(parameters.variant).scheme(parameters.probes).geometry(spec);
  const auto require = [&](const char* field, std::uint64_t expected, std::uint64_t got) {
    if (got == expected) return;
    throw ConfigError(field, "must be " + std::to_string(expected) + " for " + parameters.variant +
                                 ", got " + std::to_string(got));
  };
  require("block_bits", same.block_cells, parameters.block_bits);
  require("num_hashes", same.num_hashes, parameters.num_hashes);
  if (same.num_cells != parameters.num_bits) {
    throw ConfigError("num_bits", "must be a multiple of " + std::to_string(same.block_cells) +
                                      " for " + parameters.variant + ", got " +
                                      std::to_string(parameters.num_bits));
  }
}

void require_bit_variant(const std::string& variant) {
  const std::vector<std::string_view> allowed = variants_of_bits();
  if (std::find(allowed.begin(), allowed.end(), variant) != allowed.end()) return;
  throw ConfigError("variant", "must be " + joined_by_or(allowed) +
                                   ", whose cells are one array of bits, got '" + variant + "'");
}

void require_shards(const RedisParameters& parameters) {
  const bool is_cut = parameters.num_shards > 1 || parameters.shard_bits > 0;
  if (!is_cut) return;
  if (parameters.num_shards > kMaxShards) {
    throw ConfigError("num_shards", "must be in [1, " + std::to_string(kMaxShards) + "], got " +
                                        std::to_string(parameters.num_shards));
  }
  if (parameters.shard_bits == 0 || parameters.shard_bits % 512 != 0) {
    throw ConfigError("shard_bits", "must be a positive multiple of 512, got " +
                                        std::to_string(parameters.shard_bits));
  }
  const std::uint64_t num_shards = (parameters.num_bits - 1) / parameters.shard_bits + 1;
  if (parameters.num_shards != num_shards) {
    throw ConfigError("num_shards", "must be " + std::to_string(num_shards) +
                                        ", num_bits / shard_bits rounded up, got " +
                                        std::to_string(parameters.num_shards));
  }
}

}  // namespace

Geometry RedisParameters::geometry() const {
  return {.num_cells = num_bits,
          .num_hashes = num_hashes,
          .block_cells = static_cast<unsigned>(block_bits)};
}

FileHeader RedisParameters::header() const {
  FileHeader header;
  header.variant = variant;
  header.probes = probes;
  header.hash = hash;
  header.seed = seed;
  header.key_id = key_id;
  header.geometry = geometry();
  if (has_block_bits(variant)) header.params = {{"block_bits", static_cast<double>(block_bits)}};
  header.notes = notes;
  return header;
}

std::string_view RedisParameters::scheme_name() const noexcept {
  return scheme ? name_of(*scheme) : kNative;
}

RedisFields RedisParameters::fields() const {
  RedisFields fields = {{"format", std::string(kFormat)},
                        {"version", version},
                        {"scheme", std::string(scheme_name())},
                        {"num_bits", to_text(num_bits)},
                        {"num_hashes", to_text(num_hashes)}};
  if (!scheme) {
    fields["variant"] = variant;
    fields["probes"] = probes;
    fields["hash"] = hash;
    fields["block_bits"] = to_text(block_bits);
    if (seed) fields["seed"] = to_text(*seed);
    if (key_id) fields["key_id"] = to_text(*key_id);
  }
  if (notes.capacity) fields["capacity"] = to_text(*notes.capacity);
  if (notes.target_false_positive_rate) {
    fields["target_false_positive_rate"] = to_text(*notes.target_false_positive_rate);
  }
  if (notes.num_inserted) fields["num_inserted"] = to_text(*notes.num_inserted);
  if (notes.is_intersected) fields["is_intersected"] = "1";
  if (num_ones) fields["num_ones"] = to_text(*num_ones);
  if (shard_bits > 0) {
    fields["num_shards"] = to_text(num_shards);
    fields["shard_bits"] = to_text(shard_bits);
  }
  fields[kChecksumField] = checksum_of(fields);
  return fields;
}

RedisParameters native_parameters(const FileHeader& header) {
  require_bit_variant(header.variant);
  if (header.hash.empty()) {
    throw ConfigError("hash",
                      "must be named by the filter, because other programs need it for queries");
  }
  RedisParameters parameters;
  parameters.num_bits = header.geometry.num_cells;
  parameters.num_hashes = header.geometry.num_hashes;
  parameters.variant = header.variant;
  parameters.probes = header.probes;
  parameters.hash = header.hash;
  parameters.seed = header.seed;
  parameters.key_id = header.key_id;
  parameters.block_bits = header.geometry.block_cells;
  parameters.notes = header.notes;
  return parameters;
}

RedisParameters foreign_parameters(RedisScheme scheme, const RedisSizes& sizes) {
  RedisParameters parameters;
  parameters.scheme = scheme;
  parameters.num_bits = checked_redis_sizes(scheme, sizes).num_bits;
  parameters.num_hashes = sizes.num_hashes;
  return parameters;
}

RedisParameters parse_parameters(const RedisFields& fields) {
  const FieldReader reader(fields);
  if (reader.text("format") != kFormat) {
    throw ConfigError("format", "must be 1, got '" + reader.text("format") + "'");
  }
  RedisParameters parameters;
  parameters.version = reader.text("version");
  const std::string& scheme = reader.text("scheme");
  if (scheme != kNative) parameters.scheme = redis_scheme_named(scheme);
  parameters.num_bits = reader.number<std::uint64_t>("num_bits");
  parameters.num_hashes = reader.number<unsigned>("num_hashes");
  parameters.notes.capacity = reader.optional<std::uint64_t>("capacity");
  parameters.notes.target_false_positive_rate =
      reader.optional<double>("target_false_positive_rate");
  parameters.notes.num_inserted = reader.optional<std::uint64_t>("num_inserted");
  if (const auto mark = reader.optional<std::uint64_t>("is_intersected")) {
    if (*mark != 1) throw ConfigError("is_intersected", "must be 1, got " + std::to_string(*mark));
    parameters.notes.is_intersected = true;
  }
  parameters.num_ones = reader.optional<std::uint64_t>("num_ones");
  if (reader.find("num_shards") != nullptr || reader.find("shard_bits") != nullptr) {
    parameters.num_shards = reader.number<std::uint64_t>("num_shards");
    parameters.shard_bits = reader.number<std::uint64_t>("shard_bits");
  }
  if (parameters.scheme) {
    checked_redis_sizes(*parameters.scheme, {parameters.num_bits, parameters.num_hashes});
  } else {
    parameters.variant = reader.text("variant");
    parameters.probes = reader.text("probes");
    parameters.hash = reader.text("hash");
    parameters.seed = reader.optional<std::uint64_t>("seed");
    parameters.key_id = reader.optional<std::uint64_t>("key_id");
    parameters.block_bits = reader.number<unsigned>("block_bits");
    require_bit_variant(parameters.variant);
    require_geometry(parameters);
  }
  require_shards(parameters);
  // The checksum is checked last, so that the error message names an invalid field.
  if (reader.text(kChecksumField) != checksum_of(fields)) {
    throw ConfigError(kChecksumField, "differs from that of the other parameters");
  }
  return parameters;
}

void require_hash(const RedisParameters& parameters, const FileHeader& given) {
  const auto number = [](const std::optional<std::uint64_t>& value) {
    return value ? std::to_string(*value) : std::string("none");
  };
  if (parameters.scheme) {
    throw ConfigError("hash", "must be left out with scheme " +
                                  std::string(parameters.scheme_name()) +
                                  ", which determines this value");
  }
  if (given.hash != parameters.hash) {
    throw ConfigError("hash",
                      "must be that of the filter, " + parameters.hash + ", got " + given.hash);
  }
  if (given.seed != parameters.seed) {
    throw ConfigError("seed", "must be that of the filter, " + number(parameters.seed) + ", got " +
                                  number(given.seed));
  }
  if (given.key_id != parameters.key_id) {
    throw ConfigError("secret", "must be that of the filter, got another one");
  }
}

std::string checksum_of(const RedisFields& fields) {
  std::string text;
  for (const auto& [name, value] : fields) {
    if (name == kChecksumField || name == kUpdatesField) continue;
    // The length precedes each name and each value, so that different lists of fields give
    // different strings.
    text += to_text(name.size()) + ":" + name + to_text(value.size()) + ":" + value;
  }
  return hexadecimal(Xxh64Hasher(0)(text).lo, 16);
}

std::string random_version() {
  std::random_device device;
  std::string version;
  for (int i = 0; i < 4; ++i) version += hexadecimal(device(), 8);
  return version;
}

}  // namespace bloometry
