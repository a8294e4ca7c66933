#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "core/file/file_header.hpp"
#include "core/file/file_header_format.hpp"
#include "core/hash/little_endian.hpp"

namespace bloometry {
namespace {

using namespace file_format;

static_assert(std::endian::native == std::endian::little,
              "cells are written as they are in memory");

static_assert(kMaxFileStages == kMaxWrittenFieldBytes / kStageBytes);

std::uint64_t aligned(std::uint64_t num_bytes) {
  return (num_bytes + kFileAlignment - 1) / kFileAlignment * kFileAlignment;
}

/// Appends fields to a header in the order of the calls.
class FieldWriter {
 public:
  /// Writes a field without which a reader cannot interpret the rest of the file.
  void needed(std::string_view name, const auto& value) { write(name, value, true); }

  void optional(std::string_view name, const auto& value) { write(name, value, false); }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  [[nodiscard]] std::uint32_t num_fields() const { return num_fields_; }

 private:
  static std::pair<FieldType, std::string> encoded(std::uint64_t number) {
    std::string bytes;
    append_little_endian(bytes, static_cast<std::uint64_t>(number));
    return {FieldType::kInteger, bytes};
  }

  static std::pair<FieldType, std::string> encoded(double number) {
    return {FieldType::kReal, encoded(std::bit_cast<std::uint64_t>(number)).second};
  }

  static std::pair<FieldType, std::string> encoded(const std::string& text) {
    return {FieldType::kText, text};
  }

  static std::pair<FieldType, std::string> encoded(const std::vector<std::int64_t>& list) {
    std::string bytes;
    for (const std::int64_t number : list)
      append_little_endian(bytes, static_cast<std::uint64_t>(number));
    return {FieldType::kIntegerList, bytes};
  }

  static std::pair<FieldType, std::string> encoded(const std::vector<StoredStage>& stages) {
    std::string bytes;
    for (const StoredStage& stage : stages) {
      append_little_endian(bytes, stage.capacity);
      append_little_endian(bytes, std::bit_cast<std::uint64_t>(stage.error_rate));
      append_little_endian(bytes, stage.num_hashes);
      append_little_endian(bytes, stage.num_cells);
      append_little_endian(bytes, stage.num_stored);
    }
    return {FieldType::kStages, bytes};
  }

  static std::pair<FieldType, std::string> encoded(const ParamValue& value) {
    return std::visit([](const auto& held) { return encoded(held); }, value);
  }

  void write(std::string_view name, const auto& value, bool is_needed) {
    const auto [type, bytes] = encoded(value);
    if (bytes.size() > kMaxWrittenFieldBytes) {
      throw ConfigError(std::string(name), "must fit into the header of a file, got " +
                                               std::to_string(bytes.size()) + " bytes");
    }
    append_little_endian(bytes_, static_cast<std::uint8_t>(type));
    append_little_endian(bytes_, static_cast<std::uint8_t>(is_needed ? 1 : 0));
    append_little_endian(bytes_, static_cast<std::uint16_t>(name.size()));
    append_little_endian(bytes_, static_cast<std::uint32_t>(bytes.size()));
    bytes_ += name;
    bytes_ += bytes;
    ++num_fields_;
  }

  std::string bytes_;
  std::uint32_t num_fields_ = 0;
};

void write_generations(const GenerationCounts& counts, FieldWriter& fields) {
  fields.needed(field_name::kGenerations,
                std::vector<std::int64_t>(counts.num_inserted.begin(), counts.num_inserted.end()));
  fields.needed(field_name::kNumRotations, counts.num_rotations);
  if (counts.num_ticks > 0) fields.optional(field_name::kNumTicks, counts.num_ticks);
  if (counts.num_overfull > 0) {
    fields.optional(field_name::kNumOverfullGenerations, counts.num_overfull);
  }
}

void write_fields(const FileHeader& header, FieldWriter& fields) {
  fields.needed(field_name::kVariant, header.variant);
  fields.needed(field_name::kProbes, header.probes);
  if (!header.hash.empty()) fields.needed(field_name::kHash, header.hash);
  if (header.seed) fields.needed(field_name::kSeed, *header.seed);
  if (header.key_id) fields.needed(field_name::kKeyId, *header.key_id);
  const Geometry& geometry = header.geometry;
  if (header.stages.empty()) {
    fields.needed(field_name::kNumCells, geometry.num_cells);
    fields.needed(field_name::kCellBits, std::uint64_t{geometry.cell_bits});
    fields.needed(field_name::kNumHashes, std::uint64_t{geometry.num_hashes});
    if (geometry.block_cells > 1) {
      fields.needed(field_name::kBlockCells, std::uint64_t{geometry.block_cells});
    }
  }
  for (const auto& [name, value] : header.params) {
    fields.needed(std::string(field_name::kParamPrefix) + name, value);
  }
  if (!header.stages.empty()) fields.needed(field_name::kStages, header.stages);
  if (header.generations) write_generations(*header.generations, fields);
  if (geometry.max_fill) fields.optional(field_name::kMaxFill, *geometry.max_fill);
  if (header.num_refused_erases > 0) {
    fields.optional(field_name::kNumRefusedErases, header.num_refused_erases);
  }
  if (header.num_skipped_decrements > 0) {
    fields.optional(field_name::kNumSkippedDecrements, header.num_skipped_decrements);
  }
  const FileNotes& notes = header.notes;
  if (notes.capacity) fields.optional(field_name::kCapacity, *notes.capacity);
  if (notes.target_false_positive_rate) {
    fields.optional(field_name::kTargetFalsePositiveRate, *notes.target_false_positive_rate);
  }
  if (notes.num_inserted) fields.optional(field_name::kNumInserted, *notes.num_inserted);
  if (notes.is_intersected) fields.optional(field_name::kIsIntersected, std::uint64_t{1});
}

}  // namespace

std::string encode_header(const FileHeader& header, std::uint64_t payload_bytes,
                          std::uint64_t payload_hash) {
  FieldWriter fields;
  write_fields(header, fields);
  const std::uint64_t header_bytes = aligned(kFilePreambleBytes + fields.bytes().size());
  if (header_bytes > kMaxHeaderBytes) {
    throw ConfigError("header of a file must have at most " + std::to_string(kMaxHeaderBytes) +
                      " bytes, got " + std::to_string(header_bytes));
  }
  std::string bytes(kMagic);
  append_little_endian(bytes, kFileMajorVersion);
  append_little_endian(bytes, kFileMinorVersion);
  append_little_endian(bytes, kByteOrderMark);
  append_little_endian(bytes, header_bytes);
  append_little_endian(bytes, payload_bytes);
  append_little_endian(bytes, payload_hash);
  append_little_endian(bytes, std::uint64_t{0});
  append_little_endian(bytes, fields.num_fields());
  bytes.resize(kFilePreambleBytes);
  bytes += fields.bytes();
  bytes.resize(header_bytes);
  std::string hash;
  append_little_endian(hash, hash_of_header(bytes));
  return bytes.replace(kHeaderHashOffset, hash.size(), hash);
}

}  // namespace bloometry
