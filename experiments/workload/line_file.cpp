#include "experiments/workload/line_file.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <limits>
#include <string_view>
#include <system_error>
#include <unordered_set>

#include "core/error.hpp"
#include "core/file/write_file.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "experiments/keys/key_input.hpp"
#include "experiments/text/content_hash.hpp"

namespace bloometry {
namespace {

/// Throws IoError for a device or a pipe, because a device may be endless and a second read of a
/// pipe returns other bytes.
void require_not_a_pipe(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error) || std::filesystem::is_regular_file(path, error)) {
    return;
  }
  throw IoError(fmt::format("key file {} must be a regular file, got {}", path.string(),
                            kind_text(std::filesystem::status(path).type())));
}

/// Returns the text of the file, and adds the notes of its reader.
std::string read_lines(const std::filesystem::path& path, std::vector<std::string>& notes) {
  require_not_a_pipe(path);
  std::string text;
  try {
    // The name - is that of a file here, not of standard input.
    KeyInput input({path == "-" ? "./-" : path}, {},
                   {.on_note = [&](const std::string& note) { notes.push_back(note); }});
    KeyBatch batch;
    while (input.read(batch)) text += batch.bytes;
  } catch (const ConfigError& error) {
    throw IoError(error.what());  // a key file that cannot be read, not an error of the config
  }
  return text;
}

std::string_view text_of(KeyView key) {
  return {key.data(), key.size()};
}

}  // namespace

LineFile::LineFile(const std::filesystem::path& path)
    : content_(read_lines(path, notes_)), content_hash_(bloometry::content_hash(content_)) {
  split_lines();
  if (lines_.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw IoError(fmt::format("key file {} has more than 2^32 - 1 distinct lines", path.string()));
  }
}

void LineFile::split_lines() {
  const auto num_ends =
      static_cast<std::size_t>(std::count(content_.begin(), content_.end(), '\n'));
  std::unordered_set<std::string_view> seen;
  seen.reserve(num_ends + 1);
  lines_.reserve(num_ends + 1);
  std::string_view rest = content_;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (seen.insert(line).second) {
      lines_.emplace_back(line);
    } else {
      ++num_duplicates_;
    }
  }
}

std::vector<std::uint32_t> split_order(const LineFile& file, std::uint64_t split_seed) {
  struct HashedLine {
    std::uint64_t hash;
    std::uint32_t line;
  };

  const Xxh3Hasher hasher(split_seed);
  const std::vector<KeyView>& lines = file.lines();
  std::vector<HashedLine> hashed_lines;
  hashed_lines.reserve(lines.size());
  for (std::uint32_t i = 0; i < lines.size(); ++i) hashed_lines.push_back({hasher(lines[i]).lo, i});
  std::sort(hashed_lines.begin(), hashed_lines.end(),
            [&](const HashedLine& a, const HashedLine& b) {
              if (a.hash != b.hash) return a.hash < b.hash;
              return text_of(lines[a.line]) < text_of(lines[b.line]);
            });
  std::vector<std::uint32_t> order;
  order.reserve(hashed_lines.size());
  for (const HashedLine& hashed : hashed_lines) order.push_back(hashed.line);
  return order;
}

}  // namespace bloometry
