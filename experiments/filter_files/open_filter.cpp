#include "experiments/filter_files/open_filter.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/core.h>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/file/write_file.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/filter_files/other_format.hpp"
#include "experiments/keys/compression.hpp"
#include "experiments/process/machine.hpp"
#include "experiments/text/printable.hpp"

namespace bloometry {
namespace {

/// The beginning of the format of this library (core/file/README.md).
constexpr std::string_view kOwnStart =
    "\x89"
    "BLMY";

/// Returns the bytes of a file for the search of its format. The format of a file above the limit
/// is searched in its beginning.
std::string searched_bytes(const std::filesystem::path& path) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20U;
  constexpr std::streamsize kStartBytes = 65536;
  std::error_code error;
  if (std::filesystem::file_size(path, error) <= kMaxBytes) return read_file(path);
  std::string start(kStartBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), kStartBytes);
  start.resize(static_cast<std::size_t>(file.gcount()));
  return start;
}

/// Throws ConfigError for a file without content. No format defines one. Redis reads an absent key
/// as an empty bitmap, but a file without bytes more often results from an earlier error.
void require_content(const std::filesystem::path& path, const OpenOptions& options,
                     std::uint64_t num_bytes) {
  if (num_bytes > 0) return;
  throw ConfigError(fmt::format(
      "{} must be a filter file of {}, got an empty file; `bloometry filter build --allow-empty` "
      "makes an empty filter",
      path.string(), options.format));
}

/// Returns the bytes of a file, decompressed if the file is compressed by gzip or zstd.
std::string decompressed_file(const std::filesystem::path& path, const OpenOptions& options) {
  std::string bytes = read_file(path);
  const Compression compression = compression_of(bytes);
  if (compression == Compression::kNone || bytes.size() < kGzipHeaderBytes) return bytes;
  if (options.is_updated) {
    throw ConfigError(fmt::format(
        "{} must not be compressed, because the changed filter is written without compression, got "
        "{} data; decompress the file first",
        path.string(), name_of(compression)));
  }
  ByteStream stream = decompressed(compression, ByteStream::of(bytes), path.string());
  const std::uint64_t most = machine_memory_bytes() / 4;
  std::vector<char> block(std::size_t{1} << 16U);
  std::string all;
  while (const std::size_t size = stream.read(block.data(), block.size())) {
    all.append(block.data(), size);
    if (all.size() <= most || most == 0) continue;
    throw MemoryError(path.string() +
                      " must decompress to at most a quarter of this machine's memory");
  }
  return all;
}

/// Returns whether the bytes are a filter of the format.
bool is_filter_of(std::string_view format, std::string_view bytes) {
  try {
    static_cast<void>(parse_foreign_filter(format, bytes, {}));
    return true;
  } catch (const ConfigError&) {
    return false;  // a bitmap always, because m and k are not given
  }
}

/// The format of a file that is not in the requested format.
struct FoundFormat {
  std::string text{};  ///< the format and what to do, for an error
  bool is_certain = true;
};

FoundFormat text_of(const OtherFormat& other, const OpenOptions& options) {
  std::string text = fmt::format("{}: {}", other.name, other.advice);
  const std::string_view next = other.next_format;
  if (std::ranges::find(options.formats, next) != options.formats.end() && next != options.format) {
    text += fmt::format("; then give --from {}", next);
  }
  return {text, other.is_certain};
}

/// Returns the format that the first or last bytes show.
std::optional<FoundFormat> format_by_signature(std::string_view bytes, const OpenOptions& options) {
  if (bytes.starts_with(kOwnStart)) return FoundFormat{"one of bloometry: leave out --from"};
  const std::optional<OtherFormat> other = other_format_of(bytes);
  if (!other) return std::nullopt;
  return text_of(*other, options);
}

/// Returns the format of bytes that are not in the requested format, if the format is known.
std::optional<FoundFormat> find_format(std::string_view bytes, const OpenOptions& options) {
  if (const auto found = format_by_signature(bytes, options)) return found;
  for (const std::string_view format : foreign_file_formats()) {
    if (format == options.format || !is_filter_of(format, bytes)) continue;
    const bool is_accepted = std::ranges::find(options.formats, format) != options.formats.end();
    return FoundFormat{fmt::format("one of {}{}", format,
                                   is_accepted ? fmt::format(": give --from {}", format)
                                               : ", which this command does not read")};
  }
  if (options.format != BloometryFilter::kFormat) return std::nullopt;
  if (const std::optional<OtherFormat> text = text_format_of(bytes)) return text_of(*text, options);
  return std::nullopt;
}

/// Throws a ConfigError that states the format of the file and what to do.
[[noreturn]] void refuse(const std::filesystem::path& path, const OpenOptions& options,
                         const FoundFormat& found) {
  throw ConfigError(fmt::format("{} must be a filter file of {}, got {}", path.string(),
                                options.format, found.text));
}

/// Throws ConfigError if the first bytes are not those of bloometry's own format.
/// BloometryFilter::load() reports errors in the rest of the file.
void require_own_file(const std::filesystem::path& path, const OpenOptions& options) {
  std::string start(kOwnStart.size(), '\0');
  std::ifstream(path, std::ios::binary)
      .read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start == kOwnStart) return;
  const Compression compression = compression_of(start);
  if (compression != Compression::kNone) {
    throw ConfigError(
        fmt::format("{} must be a filter file of bloometry, got {} data; decompress the file first",
                    path.string(), name_of(compression)));
  }
  if (const auto found = find_format(searched_bytes(path), options)) refuse(path, options, *found);
  throw ConfigError(fmt::format("{} must be a filter file of bloometry; {}", path.string(),
                                options.formats.empty()
                                    ? "this command does not read files of other programs"
                                    : "for a file of another program, give its format by --from"));
}

/// Throws ConfigError if the file is evidently not a bitmap, or if the set bits exclude m.
void require_bitmap(const std::filesystem::path& path, const OpenOptions& options,
                    std::string_view bytes, const RedisBitmapFilter& bitmap) {
  const auto found = format_by_signature(bytes, options);
  if (found && found->is_certain) refuse(path, options, *found);
  if (options.is_updated && bytes.size() > (bitmap.num_bits() + 7) / 8) {
    throw ConfigError(fmt::format(
        "{} must be a bitmap of Redis, because the changed filter is written as one, got a bit set "
        "of Go",
        path.string()));
  }
  require_fitting_num_bits(bitmap, path.string());
}

/// Returns whether an option sets the field. All other fields are those of the file.
bool is_option(std::string_view field) {
  return field == "from" || field == "num_bits" || field == "num_hashes";
}

/// Returns a hint about a bitmap that is one byte too long, because redis-cli --raw appends a line
/// end to the value.
std::string hint_of_line_end(const OpenOptions& options, std::string_view bytes) {
  const std::optional<std::uint64_t>& num_bits = options.sizes.num_bits;
  if (!num_bits || bytes.size() != (*num_bits + 7) / 8 + 1 || !bytes.ends_with('\n')) return {};
  return "; if redis-cli wrote the file, remove the line end after the bitmap by `head -c -1`";
}

/// Returns the filter in the bytes of a file of another program.
std::unique_ptr<FileFilter> parsed(const std::filesystem::path& path, const OpenOptions& options,
                                   std::string_view bytes) {
  try {
    return parse_foreign_filter(options.format, bytes, options.sizes);
  } catch (const ConfigError& error) {
    std::vector<Problem> problems = error.problems();
    const bool has_option = std::ranges::any_of(
        problems, [](const Problem& problem) { return is_option(problem.field); });
    const auto found =
        has_option ? format_by_signature(bytes, options) : find_format(bytes, options);
    if (found && (!has_option || found->is_certain)) refuse(path, options, *found);
    if (has_option) throw;
    const std::string hint = hint_of_line_end(options, bytes);
    for (Problem& problem : problems) {
      problem = {.text = fmt::format("{}: {}{}", path.string(), problem.line(), hint)};
    }
    throw ConfigError(std::move(problems));
  }
}

}  // namespace

void require_readable(const std::filesystem::path& path) {
  if (::access(path.c_str(), R_OK) != 0) {
    throw ConfigError(fmt::format("{} must be a filter file: {}", name_unless_secret(path.string()),
                                  std::strerror(errno)));
  }
  if (std::filesystem::is_directory(path) && std::filesystem::exists(path / "manifest.json")) {
    throw ConfigError(path.string() +
                      " must be a filter file, got a folder of `bloometry sweep run`, which "
                      "contains rates and no filters");
  }
  require_regular_file(path);
}

std::unique_ptr<FileFilter> open_filter(const std::filesystem::path& path,
                                        const OpenOptions& options) {
  require_readable(path);
  std::error_code error;
  const std::uint64_t num_bytes = std::filesystem::file_size(path, error);
  if (!error) require_content(path, options, num_bytes);
  if (options.format == BloometryFilter::kFormat) {
    if (options.sizes.num_bits || options.sizes.num_hashes) {
      throw ConfigError(options.sizes.num_bits ? "num_bits" : "num_hashes",
                        "must be left out: the file contains this value");
    }
    require_own_file(path, options);
    return BloometryFilter::load(path, options.secret);
  }
  const std::string bytes = decompressed_file(path, options);
  require_content(path, options, bytes.size());
  std::unique_ptr<FileFilter> filter = parsed(path, options, bytes);
  if (const RedisBitmapFilter* const bitmap = redis_bitmap_in(*filter)) {
    require_bitmap(path, options, bytes, *bitmap);
  }
  return filter;
}

}  // namespace bloometry
