#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/contract/filter_spec.hpp"
#include "core/contract/generation_counts.hpp"
#include "core/contract/params.hpp"

namespace bloometry {

/// Optional information about a filter, which cannot be computed from the filter's cells.
struct FileNotes {
  std::optional<std::uint64_t>
      capacity{};  ///< number of distinct keys for which the filter was sized
  std::optional<double> target_false_positive_rate{};  ///< rate for which the filter was sized
  std::optional<std::uint64_t> num_inserted{};         ///< number of keys inserted
  /// Whether an intersection is a part of the filter. It may have set bits of keys that it does not
  /// contain, so the cells do not show its number of keys.
  bool is_intersected = false;

  friend bool operator==(const FileNotes&, const FileNotes&) = default;
};

/// Description of a stage of a filter that grows.
struct StoredStage {
  std::uint64_t capacity = 0;  ///< number of keys for which the stage is planned
  double error_rate = 0;       ///< rate for which the stage is planned
  std::uint64_t num_hashes = 0;
  std::uint64_t num_cells = 0;
  std::uint64_t num_stored = 0;  ///< number of keys inserted into the stage

  friend bool operator==(const StoredStage&, const StoredStage&) = default;
};

/// Largest number of stages that the header of a file can describe.
inline constexpr std::size_t kMaxFileStages = 838'860;

/// Contents of the header of a filter file (core/file/README.md).
struct FileHeader {
  std::string variant{};
  std::string probes{};
  std::string hash{};  ///< name of the hash; empty for a filter of digests
  std::optional<std::uint64_t> seed{};
  std::optional<std::uint64_t> key_id{};  ///< id of a secret hash's key, instead of a seed
  Geometry geometry{};                    ///< without sizes and k for a filter that grows
  Params params{};
  std::vector<StoredStage> stages{};              ///< stages of a filter that grows, oldest first
  std::optional<GenerationCounts> generations{};  ///< counts of a filter that forgets
  std::uint64_t num_refused_erases = 0;
  std::uint64_t num_skipped_decrements = 0;
  FileNotes notes{};
};

/// Appends a stage to the header. The function is not inline, because the linker must not use a
/// copy that was compiled for another instruction set (core/isa/compiled_isa.hpp).
void append_stage(FileHeader& header, const StoredStage& stage);

/// Returns the caller's notes, with the filter's own target rate if the filter has one.
/// @throws ConfigError if the caller's target rate differs from the filter's target rate.
[[nodiscard]] FileNotes with_notes(const FileNotes& own, const FileNotes& given);

inline constexpr std::uint16_t kFileMajorVersion = 1;
inline constexpr std::uint16_t kFileMinorVersion = 0;

/// Alignment, in bytes, of the header and of the stores in a file.
inline constexpr std::uint64_t kFileAlignment = 64;

/// Size of the preamble, which contains the sizes of the header and the payload.
inline constexpr std::uint64_t kFilePreambleBytes = 64;

/// Contents of the preamble, the first 64 bytes of a file.
struct FilePreamble {
  std::uint64_t header_bytes = 0;  ///< size of the header in bytes, including the preamble
  std::uint64_t payload_bytes = 0;
  std::uint64_t payload_hash = 0;  ///< XXH3-64
};

/// Returns the bytes of the file before the payload: the preamble and the rest of the header.
/// @throws ConfigError if a string or list is too long for the format.
[[nodiscard]] std::string encode_header(const FileHeader& header, std::uint64_t payload_bytes,
                                        std::uint64_t payload_hash);

/// Reads the preamble from the first kFilePreambleBytes bytes of a file of file_bytes bytes.
/// @throws ConfigError if the preamble is invalid, or if `bytes` is shorter than a preamble. The
/// error message does not name the file.
[[nodiscard]] FilePreamble decode_preamble(std::string_view bytes, std::uint64_t file_bytes);

/// Reads the header from the first FilePreamble::header_bytes bytes of a file. Skips unknown fields
/// that are not marked as needed.
/// @throws ConfigError if the header is invalid or contains an unknown field that is marked as
/// needed. The error message does not name the file.
[[nodiscard]] FileHeader decode_header(std::string_view bytes);

}  // namespace bloometry
