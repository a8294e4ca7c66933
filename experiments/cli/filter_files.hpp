#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "experiments/cli/filter_options.hpp"
#include "experiments/filters/file_filter.hpp"
#include "experiments/filters/open_filter.hpp"
#include "experiments/process/sudden_end.hpp"

namespace bloometry {

/// @throws ConfigError naming the file; IoError; MemoryError
[[nodiscard]] std::unique_ptr<FileFilter> open_filter(const FilterInput& input);

/// A file that a command will write. It is looked at first, so that an hour of keys is not read for
/// a folder that is not there; and what is half written is removed if the program ends at once.
class FilterOutput {
 public:
  /// @throws ConfigError if no file can be made there.
  explicit FilterOutput(const std::filesystem::path& path);

  /// @throws ConfigError if the file is one of these, of which `-` is standard input.
  void require_other_than(std::span<const std::filesystem::path> inputs) const;

  void write(const FileFilter& filter) const;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  /// `FILE was not written`, or that it is as it was.
  [[nodiscard]] static std::string kept_text(const std::filesystem::path& path);

 private:
  std::filesystem::path path_;
  AtSuddenEnd removal_;
};

[[nodiscard]] nlohmann::ordered_json to_json(const FilterFacts& facts);

/// A table for people.
[[nodiscard]] std::string text_of(const FilterFacts& facts);

/// `standard, m = 9,585,059 bits (1.14 MiB), k = 7`.
[[nodiscard]] std::string size_text(const FilterFacts& facts);

}  // namespace bloometry
