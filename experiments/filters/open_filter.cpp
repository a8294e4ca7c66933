#include "experiments/filters/open_filter.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/file/write_file.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/filters/bloometry_filter.hpp"
#include "experiments/keys/compression.hpp"
#include "experiments/machine/machine.hpp"

namespace bloometry {
namespace {

void require_readable(const std::filesystem::path& path) {
  if (::access(path.c_str(), R_OK) == 0) return require_regular_file(path);
  throw ConfigError(path.string() + " must be a filter file: " + std::strerror(errno));
}

/// Returns the bytes of a file, decompressed if the file is compressed by gzip or zstd.
std::string decompressed_file(const std::filesystem::path& path) {
  std::string bytes = read_file(path);
  const Compression compression = compression_of(bytes);
  if (compression == Compression::kNone || bytes.size() < kGzipHeaderBytes) return bytes;
  ByteStream stream = decompressed(compression, ByteStream::of(bytes), path.string());
  const std::uint64_t most = machine_memory_bytes() / 2;
  std::vector<char> block(std::size_t{1} << 16U);
  std::string all;
  while (const std::size_t size = stream.read(block.data(), block.size())) {
    all.append(block.data(), size);
    if (all.size() <= most || most == 0) continue;
    throw MemoryError(path.string() + " must decompress to at most half of this machine's memory");
  }
  return all;
}

/// Throws a ConfigError that suggests --from if the first bytes are not those of bloometry's own
/// format. BloometryFilter::load() reports errors in the rest of the file.
void require_own_file(const std::filesystem::path& path) {
  constexpr std::string_view kStart =
      "\x89"
      "BLMY";
  std::string start(kStart.size(), '\0');
  std::ifstream(path, std::ios::binary)
      .read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start == kStart) return;
  const Compression compression = compression_of(start);
  if (compression != Compression::kNone) {
    throw ConfigError(path.string() + " must be a filter file of bloometry, got " +
                      std::string(name_of(compression)) + " data; decompress the file first");
  }
  throw ConfigError(path.string() +
                    " must be a filter file of bloometry; for a file of another program, give its "
                    "format by --from");
}

/// Returns whether an option sets the field. All other fields are those of the file.
bool is_option(std::string_view field) {
  return field == "from" || field == "num_bits" || field == "num_hashes";
}

}  // namespace

std::unique_ptr<FileFilter> open_filter(const std::filesystem::path& path,
                                        const OpenOptions& options) {
  require_readable(path);
  if (options.format == BloometryFilter::kFormat) {
    if (options.sizes.num_bits || options.sizes.num_hashes) {
      throw ConfigError(options.sizes.num_bits ? "num_bits" : "num_hashes",
                        "must be left out: the file contains this value");
    }
    require_own_file(path);
    return BloometryFilter::load(path, options.secret);
  }
  const std::string bytes = decompressed_file(path);
  try {
    auto filter = parse_foreign_filter(options.format, bytes, options.sizes);
    if (const RedisBitmapFilter* const bitmap = redis_bitmap_in(*filter)) {
      require_fitting_num_bits(*bitmap);
    }
    return filter;
  } catch (const ConfigError& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) {
      if (!is_option(problem.field)) problem = {.text = path.string() + ": " + problem.line()};
    }
    throw ConfigError(std::move(problems));
  }
}

}  // namespace bloometry
