#include "tests/fuzz/file_parts.hpp"

#define XXH_INLINE_ALL
#ifndef NDEBUG
#define XXH_NO_INLINE_HINTS 1
#endif
#include <xxhash.h>

#include <algorithm>

#include "core/hash/little_endian.hpp"

namespace bloometry::fuzz {
namespace {

constexpr std::size_t kPreambleBytes = 64;
constexpr std::size_t kFieldFrontBytes = 8;
constexpr std::size_t kHeaderHashOffset = 40;
constexpr std::size_t kStageBytes = 40;

std::uint64_t aligned(std::uint64_t num_bytes) {
  return (num_bytes + 63) / 64 * 64;
}

/// Returns the first 8 bytes of the field's value, or 0 if the field is missing or shorter.
std::uint64_t integer_of(const FileParts& parts, std::string_view name) {
  for (const FieldPart& field : parts.fields) {
    if (field.name == name && field.value.size() >= 8) {
      return load_little_endian<std::uint64_t>(field.value.data());
    }
  }
  return 0;
}

/// Returns the size of a store in a file, in bytes. A store of counters has an additional word at
/// the end.
std::uint64_t store_bytes(std::uint64_t num_cells, std::uint64_t cell_bits) {
  const std::uint64_t num_words = (num_cells * cell_bits + 63) / 64 + (cell_bits > 1 ? 1 : 0);
  return aligned(8 * num_words);
}

std::uint64_t bytes_of_stages(std::string_view stages) {
  std::uint64_t sum = 0;
  for (; stages.size() >= kStageBytes; stages.remove_prefix(kStageBytes)) {
    sum += store_bytes(load_little_endian<std::uint64_t>(stages.data() + 24) % (1U << 20U), 1);
  }
  return sum;
}

}  // namespace

FileParts parts_of(std::string_view bytes) {
  FileParts parts;
  if (bytes.size() < kPreambleBytes) return parts;
  const auto num_fields = load_little_endian<std::uint32_t>(bytes.data() + 48);
  std::size_t at = kPreambleBytes;
  for (std::uint32_t i = 0; i < num_fields && at + kFieldFrontBytes <= bytes.size(); ++i) {
    const std::size_t name_bytes = load_little_endian<std::uint16_t>(bytes.data() + at + 2);
    const std::size_t value_bytes = load_little_endian<std::uint32_t>(bytes.data() + at + 4);
    if (bytes.size() - at - kFieldFrontBytes < name_bytes + value_bytes) break;
    const std::string_view name = bytes.substr(at + kFieldFrontBytes, name_bytes);
    const std::string_view value = bytes.substr(at + kFieldFrontBytes + name_bytes, value_bytes);
    parts.fields.push_back({static_cast<std::uint8_t>(bytes[at]),
                            static_cast<std::uint8_t>(bytes[at + 1]), std::string(name),
                            std::string(value)});
    at += kFieldFrontBytes + name_bytes + value_bytes;
  }
  parts.payload = bytes.substr(std::min<std::uint64_t>(aligned(at), bytes.size()));
  return parts;
}

std::string file_of(const FileParts& parts) {
  std::string payload = parts.payload;
  payload.resize(std::max<std::uint64_t>(aligned(payload.size()), 64));
  std::string fields;
  for (const FieldPart& field : parts.fields) {
    append_little_endian(fields, field.type);
    append_little_endian(fields, field.is_needed);
    append_little_endian(fields, static_cast<std::uint16_t>(field.name.size()));
    append_little_endian(fields, static_cast<std::uint32_t>(field.value.size()));
    fields += field.name;
    fields += field.value;
  }
  const std::uint64_t header_bytes = aligned(kPreambleBytes + fields.size());
  std::string bytes(
      "\x89"
      "BLMY\r\n\x1a\1\0\0\0\x0d\x0c\x0b\x0a",
      16);
  append_little_endian(bytes, header_bytes);
  append_little_endian(bytes, std::uint64_t{payload.size()});
  append_little_endian(bytes, std::uint64_t{XXH3_64bits(payload.data(), payload.size())});
  append_little_endian(bytes, std::uint64_t{0});
  const auto num_fields = static_cast<std::uint32_t>(parts.fields.size());
  append_little_endian(bytes, parts.num_fields.value_or(num_fields));
  bytes.resize(kPreambleBytes);
  bytes += fields;
  bytes.resize(header_bytes);
  std::string hash;
  append_little_endian(hash, std::uint64_t{XXH3_64bits(bytes.data(), bytes.size())});
  bytes.replace(kHeaderHashOffset, hash.size(), hash);
  return bytes + payload;
}

void fit_payload(FileParts& parts, std::uint64_t most_bytes) {
  const std::uint64_t num_cells = integer_of(parts, "num_cells");
  const std::uint64_t cell_bits = integer_of(parts, "cell_bits");
  std::uint64_t num_bytes = 0;
  for (const FieldPart& field : parts.fields) {
    if (field.name == "stages") num_bytes = bytes_of_stages(field.value);
  }
  if (num_bytes == 0 && num_cells < (1U << 20U) && cell_bits <= 64) {
    num_bytes = store_bytes(num_cells, cell_bits);
  }
  if (num_bytes > 0 && num_bytes <= most_bytes) parts.payload.resize(num_bytes);
}

}  // namespace bloometry::fuzz
