#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Constants of the header format and names of the fields, for the writer and the reader
/// (core/file/README.md).
namespace bloometry::file_format {

inline constexpr std::string_view kMagic(
    "\x89"
    "BLMY\r\n\x1a",
    8);
inline constexpr std::uint32_t kByteOrderMark = 0x0a0b0c0d;
inline constexpr std::size_t kHeaderHashOffset = 40;
inline constexpr std::uint64_t kMaxHeaderBytes = std::uint64_t{1} << 26U;
inline constexpr std::uint64_t kMaxWrittenFieldBytes = kMaxHeaderBytes / 2;
inline constexpr std::uint32_t kMaxFields = 4096;
inline constexpr std::size_t kStageBytes = 40;

/// Type of a field's value.
enum class FieldType : std::uint8_t {
  kInteger = 1,      ///< 8 bytes
  kReal = 2,         ///< 8 bytes, IEEE 754
  kText = 3,         ///< UTF-8
  kIntegerList = 4,  ///< 8 bytes per number, signed
  kStages = 5,       ///< 40 bytes per stage
};

/// Names of the fields, in the order in which the fields are written.
namespace field_name {

inline constexpr std::string_view kVariant = "variant";
inline constexpr std::string_view kProbes = "probes";
inline constexpr std::string_view kHash = "hash";
inline constexpr std::string_view kSeed = "seed";
inline constexpr std::string_view kKeyId = "key_id";
inline constexpr std::string_view kNumCells = "num_cells";
inline constexpr std::string_view kCellBits = "cell_bits";
inline constexpr std::string_view kNumHashes = "num_hashes";
inline constexpr std::string_view kBlockCells = "block_cells";
inline constexpr std::string_view kParamPrefix = "param.";  ///< prefix of a parameter's name
inline constexpr std::string_view kStages = "stages";
inline constexpr std::string_view kGenerations = "generations";
inline constexpr std::string_view kNumRotations = "num_rotations";
inline constexpr std::string_view kNumTicks = "num_ticks";
inline constexpr std::string_view kNumOverfullGenerations = "num_overfull_generations";
inline constexpr std::string_view kMaxFill = "max_fill";
inline constexpr std::string_view kNumRefusedErases = "num_refused_erases";
inline constexpr std::string_view kNumSkippedDecrements = "num_skipped_decrements";
inline constexpr std::string_view kCapacity = "capacity";
inline constexpr std::string_view kTargetFalsePositiveRate = "target_false_positive_rate";
inline constexpr std::string_view kNumInserted = "num_inserted";
inline constexpr std::string_view kIsIntersected = "is_intersected";

}  // namespace field_name

/// Returns the checksum of a header, computed with 0 in place of the checksum in the header.
[[nodiscard]] std::uint64_t hash_of_header(std::string bytes);

}  // namespace bloometry::file_format
