#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloometry::fuzz {

/// A field of a filter file's header, as stored in the file (core/file/README.md).
struct FieldPart {
  std::uint8_t type = 0;
  std::uint8_t is_needed = 0;
  std::string name;
  std::string value;
};

/// The parts of a filter file, which can be changed one by one. The functions for FileParts accept
/// any bytes and do not report errors. The functions do not use the library.
struct FileParts {
  std::vector<FieldPart> fields;
  std::string payload;
  /// Number of fields in the file's header, or nullopt for fields.size().
  std::optional<std::uint32_t> num_fields{};
};

/// Returns the parts of a file: the fields before the first incomplete field, and all later bytes
/// as the payload.
[[nodiscard]] FileParts parts_of(std::string_view bytes);

/// Returns the bytes of a file with the given parts, and with correct lengths and checksums.
[[nodiscard]] std::string file_of(const FileParts& parts);

/// Sets the size of the payload to the size of the cells that the fields describe, if that size is
/// at most most_bytes.
void fit_payload(FileParts& parts, std::uint64_t most_bytes);

}  // namespace bloometry::fuzz
