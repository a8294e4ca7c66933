#include "core/file/file_header.hpp"

#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/file/file_header_format.hpp"
#include "core/hash/xxhash.hpp"
#include "core/text.hpp"

namespace bloometry {

void append_stage(FileHeader& header, const StoredStage& stage) {
  header.stages.push_back(stage);
}

FileNotes with_notes(const FileNotes& own, const FileNotes& given) {
  FileNotes notes = given;
  const std::optional<double>& rate = own.target_false_positive_rate;
  if (!rate) return notes;
  if (given.target_false_positive_rate && *given.target_false_positive_rate != *rate) {
    throw ConfigError(std::string(file_format::field_name::kTargetFalsePositiveRate),
                      "must be the rate of the filter, " + shortest_text(*rate) +
                          ", or be left out, got " +
                          shortest_text(*given.target_false_positive_rate));
  }
  notes.target_false_positive_rate = rate;
  return notes;
}

std::uint64_t file_format::hash_of_header(std::string bytes) {
  bytes.replace(kHeaderHashOffset, sizeof(std::uint64_t), sizeof(std::uint64_t), '\0');
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace bloometry
