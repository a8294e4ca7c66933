#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/filter/filter_spec.hpp"
#include "core/filter/params.hpp"

namespace bloometry {

/// What a file may tell beside the filter: nothing of it can be read off the cells.
struct FileNotes {
  std::optional<std::uint64_t> capacity{};             ///< distinct keys it was sized for
  std::optional<double> target_false_positive_rate{};  ///< that it was sized for
  std::optional<std::uint64_t> num_inserted{};         ///< keys that were inserted

  friend bool operator==(const FileNotes&, const FileNotes&) = default;
};

/// A stage of a filter that grows.
struct StoredStage {
  std::uint64_t capacity = 0;  ///< keys it is planned for
  double error_rate = 0;       ///< it is planned for
  std::uint64_t num_hashes = 0;
  std::uint64_t num_cells = 0;
  std::uint64_t num_stored = 0;  ///< keys it was given

  friend bool operator==(const StoredStage&, const StoredStage&) = default;
};

/// What the header of a filter file says (README.md).
struct FileHeader {
  std::string variant{};
  std::string probes{};
  std::string hash{};  ///< empty: a filter of digests
  std::optional<std::uint64_t> seed{};
  std::optional<std::uint64_t> key_id{};  ///< of a secret hash, in place of the seed
  Geometry geometry{};                    ///< of a filter that grows 0
  Params params{};
  std::vector<StoredStage> stages{};  ///< of a filter that grows, the oldest first
  std::uint64_t num_refused_erases = 0;
  std::uint64_t num_skipped_decrements = 0;
  FileNotes notes{};
};

/// The notes of a filter, completed by those of a caller.
/// @throws ConfigError if the caller names another target rate than a filter that knows its own.
[[nodiscard]] FileNotes with_notes(const FileNotes& own, const FileNotes& given);

inline constexpr std::uint16_t kFileMajorVersion = 1;
inline constexpr std::uint16_t kFileMinorVersion = 0;

/// Header and segments of the payload start at multiples of this.
inline constexpr std::uint64_t kFileAlignment = 64;

/// Bytes at the start of a file that tell how long header and payload are.
inline constexpr std::uint64_t kFilePreambleBytes = 64;

/// The first 64 bytes of a file, checked.
struct FilePreamble {
  std::uint64_t header_bytes = 0;  ///< these included
  std::uint64_t payload_bytes = 0;
  std::uint64_t payload_hash = 0;  ///< XXH3-64
};

/// The bytes in front of a payload.
/// @throws ConfigError if a text or list is longer than the format can hold.
[[nodiscard]] std::string encode_header(const FileHeader& header, std::uint64_t payload_bytes,
                                        std::uint64_t payload_hash);

/// Reads the first kFilePreambleBytes bytes of a file, or fewer if it is shorter.
/// @throws ConfigError that says what is wrong, without the file's name.
[[nodiscard]] FilePreamble decode_preamble(std::string_view bytes, std::uint64_t file_bytes);

/// Reads the header_bytes bytes that the preamble announces, preamble included. Fields that are not
/// known are skipped unless they are marked as needed.
/// @throws ConfigError as decode_preamble
[[nodiscard]] FileHeader decode_header(std::string_view bytes);

}  // namespace bloometry
