#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/file/stored_file.hpp"
#include "core/store/memory.hpp"

namespace bloometry {

/// A filter file that is mapped into memory. Processes that map the same file share its pages. It
/// is unmapped when the last filter over it is destroyed. If it is replaced (replace_file), the
/// filters continue to use the old contents. If another program truncates the file, the system ends
/// the process with SIGBUS.
class MappedFile {
 public:
  /// Checks of `map`. With kHeader, it does not verify the checksum of the cells. With kAll, it
  /// verifies the checksum, for which it reads the whole file.
  enum class Checks { kHeader, kAll };

  /// Maps the file.
  /// @throws the errors of the constructor of StoredFile
  explicit MappedFile(const std::filesystem::path& path);

  [[nodiscard]] const FileHeader& header() const noexcept { return header_; }

  /// Returns the words of the whole payload.
  [[nodiscard]] std::span<const std::uint64_t> payload() const noexcept { return payload_; }

  /// Checks the checksum of the payload, for which it reads the whole file.
  /// @throws ConfigError with the message of StoredFile::require_intact
  void require_intact() const;

  /// Throws an error that names the file.
  /// @throws ConfigError with the message of StoredFile::refuse
  [[noreturn]] void refuse(const std::string& reason) const;

  /// Returns a pointer that keeps the mapping alive.
  [[nodiscard]] std::shared_ptr<const void> owner() const noexcept { return pages_; }

 private:
  std::filesystem::path path_;
  FileHeader header_;
  std::shared_ptr<const void> pages_;
  std::span<const std::uint64_t> payload_;
  std::uint64_t payload_hash_ = 0;
};

inline namespace BLOOMETRY_COMPILED_ISA {

/// Memory policy of a read-only filter whose words are in a mapped file. Copies of the filter share
/// the words.
struct MappedMemory {
  class Words {
   public:
    Words() = default;

    Words(std::shared_ptr<const void> owner, std::span<const std::uint64_t> words) noexcept
        : owner_(std::move(owner)), words_(words) {}

    [[nodiscard]] const std::uint64_t* data() const noexcept { return words_.data(); }

    [[nodiscard]] std::uint64_t size() const noexcept { return words_.size(); }

   private:
    std::shared_ptr<const void> owner_;
    std::span<const std::uint64_t> words_;
  };

  using WordAccess = PlainAccess;

  std::shared_ptr<const void> owner;
  std::span<const std::uint64_t> words;

  /// Returns the first num_words words.
  /// @throws ConfigError if there are fewer than num_words words.
  [[nodiscard]] Words allocate(std::uint64_t num_words) const {
    if (words.size() < num_words) {
      throw ConfigError("mapped memory must have at least " + std::to_string(num_words) +
                        " words of 64 bits, got " + std::to_string(words.size()));
    }
    return {owner, words.first(num_words)};
  }
};

}  // namespace BLOOMETRY_COMPILED_ISA
}  // namespace bloometry
