#include "experiments/filter_files/other_format.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fmt/core.h>

#include "core/hash/little_endian.hpp"
#include "experiments/filter_files/parquet_footer.hpp"
#include "experiments/keys/file_signature.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/text/printable.hpp"

namespace bloometry {
namespace {

constexpr std::string_view kBuild = "build a filter from its keys by `bloometry filter build`";
constexpr std::string_view kUnpack = "unpack it first";
constexpr std::string_view kPull = "start a Redis server with it, then use `bloometry redis pull`";

/// The members of OtherFormat.
struct KnownFormat {
  std::string_view name;
  std::string_view advice;
  std::string_view next_format{};
  bool is_certain = true;
};

OtherFormat other_format(const KnownFormat& format) {
  return {std::string(format.name), std::string(format.advice), format.next_format,
          format.is_certain};
}

template <class Word>
Word word_at(std::string_view bytes, std::size_t offset) {
  return load_little_endian<Word>(bytes.data() + offset);
}

/// Returns whether the bytes are a pickle of protocol 2 to 5, which begins with the protocol and
/// ends with the instruction STOP.
bool is_pickle(std::string_view bytes) {
  return bytes.size() > 3 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5 &&
         bytes.back() == '.';
}

/// Returns the checksum of DUMP: the CRC with the polynomial ad93d23594c935a9 of 64 bits, reflected
/// (Redis, crc64.c).
std::uint64_t crc64(std::string_view bytes) {
  constexpr std::array<std::uint64_t, 256> kTable = [] {
    constexpr std::uint64_t kReflected = 0x95ac9329ac4bc9b5;
    std::array<std::uint64_t, 256> table{};
    for (std::uint64_t byte = 0; byte < 256; ++byte) {
      std::uint64_t crc = byte;
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1U ^ ((crc & 1U) != 0 ? kReflected : 0);
      table[byte] = crc;
    }
    return table;
  }();
  std::uint64_t crc = 0;
  for (const char byte : bytes) {
    crc = kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xffU] ^ crc >> 8U;
  }
  return crc;
}

/// Returns whether the bytes are a reply to DUMP: a value, the version of RDB in 2 bytes, and the
/// checksum in 8 bytes.
bool is_redis_dump(std::string_view bytes) {
  constexpr std::uint16_t kMaxVersion = 255;  // Redis 7 has version 10
  if (bytes.size() < 12) return false;
  const std::string_view checked = bytes.substr(0, bytes.size() - 8);
  const auto version = word_at<std::uint16_t>(checked, checked.size() - 2);
  return version >= 1 && version <= kMaxVersion &&
         word_at<std::uint64_t>(bytes, checked.size()) == crc64(checked);
}

/// Returns whether the bytes are a dump of RedisBloom up to 2.2.0 (src/sb.c). Its links have
/// capacities of 4 bytes, and the header of the versions below 2.2.0 ends before the expansion.
bool is_old_redisbloom_dump(std::string_view bytes, std::uint64_t chain_bytes) {
  constexpr std::uint64_t kLinkBytes = 49;
  constexpr std::uint32_t kMaxLinks = 64;
  if (bytes.size() < chain_bytes + kLinkBytes) return false;
  const auto num_links = word_at<std::uint32_t>(bytes, 8);
  if (num_links == 0 || num_links > kMaxLinks || word_at<std::uint32_t>(bytes, 12) > 15) {
    return false;
  }
  const std::uint64_t header_bytes = chain_bytes + kLinkBytes * num_links;
  if (bytes.size() < header_bytes) return false;
  std::uint64_t num_items = 0;
  std::uint64_t num_bytes = header_bytes;
  for (std::uint64_t at = chain_bytes; at < header_bytes; at += kLinkBytes) {
    const auto error = std::bit_cast<double>(word_at<std::uint64_t>(bytes, at + 24));
    if (!(error > 0 && error < 1)) return false;
    num_bytes += word_at<std::uint64_t>(bytes, at);
    num_items += word_at<std::uint64_t>(bytes, at + 16);
  }
  const bool has_data = bytes.size() > header_bytes;
  return num_items == word_at<std::uint64_t>(bytes, 0) && (!has_data || num_bytes == bytes.size());
}

/// Returns whether the bytes were written by tofile() of pybloom or pybloom_live. The header has 8
/// bytes for each of rate, number of slices, bits per slice, capacity and count. The bits follow.
bool is_pybloom(std::string_view bytes) {
  constexpr std::size_t kHeaderBytes = 40;
  if (bytes.size() <= kHeaderBytes) return false;
  const auto rate = std::bit_cast<double>(word_at<std::uint64_t>(bytes, 0));
  const auto num_slices = word_at<std::uint64_t>(bytes, 8);
  const auto bits_per_slice = word_at<std::uint64_t>(bytes, 16);
  if (!(rate > 0 && rate < 1) || bits_per_slice > 8 * bytes.size()) return false;
  const double expected_slices = std::ceil(std::log2(1 / rate));
  return static_cast<double>(num_slices) == expected_slices &&
         bytes.size() - kHeaderBytes == (num_slices * bits_per_slice + 7) / 8;
}

constexpr KnownFormat kPickle = {"a pickle of Python", kBuild, {}, false};
constexpr KnownFormat kPybloom = {"a file of Python's pybloom", kBuild};
constexpr KnownFormat kRedisDump = {
    "a value that Redis wrote by DUMP",
    "write it to a Redis server by RESTORE, then use `bloometry redis pull`"};
constexpr KnownFormat kOldRedisBloom = {
    "a dump of RedisBloom 2.2.0 or older",
    "load the RDB file of its server into RedisBloom 2.2.1 or newer, and dump the filter there",
    "redisbloom"};
constexpr KnownFormat kConfig = {"a config of a sweep", "`bloometry sweep run` runs it"};
constexpr KnownFormat kJson = {"JSON text", kBuild};
constexpr KnownFormat kText = {
    "text", "if these are keys, build a filter from them by `bloometry filter build`"};

/// Returns the format of a Parquet file with the place of its first Bloom filter.
OtherFormat parquet_format(std::string_view bytes) {
  OtherFormat format{.name = "a whole Parquet file",
                     .advice =
                         "copy one Bloom filter to a file: bloom_filter_length bytes from "
                         "bloom_filter_offset, both in the metadata of a column",
                     .next_format = "parquet_sbbf"};
  const std::optional<ParquetBloomFilters> filters = bloom_filters_of_parquet(bytes);
  if (!filters) return format;
  if (filters->num_filters == 0) {
    return {.name = format.name,
            .advice = fmt::format("it does not contain Bloom filters; {}", kBuild)};
  }
  format.advice = fmt::format(
      "copy one of its {} to a file, e.g. that of column {} by `tail -c +{} PARQUET | head -c {} > "
      "FILTER`",
      plural(filters->num_filters, "Bloom filter"),
      printable(filters->first_column, kMaxShownValue), filters->first_offset + 1,
      filters->first_bytes);
  return format;
}

/// Returns the format of a file with a known signature.
std::optional<OtherFormat> signed_format(const FileSignature& signature, std::string_view bytes) {
  switch (signature.content) {
    case FileContent::kPacked:
      return other_format({signature.name, kUnpack});
    case FileContent::kData:
      return other_format({signature.name, kBuild});
    case FileContent::kParquet:
      return parquet_format(bytes);
    case FileContent::kJavaObject:
      return other_format(
          {signature.name,
           "if it is a filter of Guava, read it in Java and write it by its method writeTo",
           "guava"});
    case FileContent::kRedisDump:
      return other_format({signature.name, kPull});
    case FileContent::kOwnFilter:
      break;
  }
  return std::nullopt;
}

/// Returns whether the beginning of the file is text in ASCII or an encoding that contains it.
bool is_text(std::string_view bytes) {
  constexpr std::size_t kMaxChecked = 4096;
  const std::string_view start = bytes.substr(0, kMaxChecked);
  return start.find('\n') != std::string_view::npos &&
         std::all_of(start.begin(), start.end(), [](char byte) {
           return static_cast<unsigned char>(byte) >= ' ' || (byte >= '\t' && byte <= '\r');
         });
}

bool is_json(std::string_view bytes) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t brace = bytes.find_first_not_of(kSpace);
  if (brace == std::string_view::npos || bytes[brace] != '{') return false;
  const std::size_t name = bytes.find_first_not_of(kSpace, brace + 1);
  return name != std::string_view::npos && bytes[name] == '"';
}

}  // namespace

std::optional<OtherFormat> other_format_of(std::string_view bytes) {
  if (const FileSignature* const signature = find_signature(bytes)) {
    return signed_format(*signature, bytes);
  }
  if (is_pickle(bytes)) return other_format(kPickle);
  if (is_old_redisbloom_dump(bytes, 16) || is_old_redisbloom_dump(bytes, 20)) {
    return other_format(kOldRedisBloom);
  }
  if (is_pybloom(bytes)) return other_format(kPybloom);
  if (is_redis_dump(bytes)) return other_format(kRedisDump);
  // The command redis-cli --raw appends a line end.
  if (bytes.ends_with('\n') && is_redis_dump(bytes.substr(0, bytes.size() - 1))) {
    return other_format(kRedisDump);
  }
  return std::nullopt;
}

std::optional<OtherFormat> text_format_of(std::string_view bytes) {
  if (is_json(bytes)) {
    const bool is_config = bytes.find("\"grids\"") != std::string_view::npos;
    return other_format(is_config ? kConfig : kJson);
  }
  if (is_text(bytes)) return other_format(kText);
  return std::nullopt;
}

}  // namespace bloometry
