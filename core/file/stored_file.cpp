#include "core/file/stored_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/file/write_file.hpp"
#include "core/hash/xxhash.hpp"

namespace bloometry {
namespace {

namespace fs = std::filesystem;

std::uint64_t padding_behind(std::uint64_t num_bytes) {
  return (kFileAlignment - num_bytes % kFileAlignment) % kFileAlignment;
}

/// Returns the size of an open file.
/// @throws ConfigError if the file is not a regular file.
std::uint64_t size_of(int fd, const fs::path& path) {
  struct stat status {};

  if (::fstat(fd, &status) != 0) {
    throw IoError("cannot read " + path.string() + ": " + std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) refuse_kind(path);
  return static_cast<std::uint64_t>(status.st_size);
}

std::string_view bytes_of(std::span<const std::uint64_t> words) {
  return {reinterpret_cast<const char*>(words.data()), words.size_bytes()};
}

constexpr std::array<char, kFileAlignment> kPadding{};

}  // namespace

struct StoredFile::Hash {
  Hash() { XXH3_64bits_reset(&state); }

  void add(const char* bytes, std::size_t size) { XXH3_64bits_update(&state, bytes, size); }

  XXH3_state_t state;
};

StoredFile::StoredFile(const fs::path& path)
    : path_(path), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (fd_ < 0) throw IoError("cannot open " + path.string() + ": " + std::strerror(errno));
  try {
    const std::uint64_t file_bytes = size_of(fd_, path);
    std::string bytes(std::min(file_bytes, kFilePreambleBytes), '\0');
    read_bytes(bytes.data(), bytes.size());
    try {
      preamble_ = decode_preamble(bytes, file_bytes);
      bytes.resize(preamble_.header_bytes);
      read_bytes(bytes.data() + kFilePreambleBytes, bytes.size() - kFilePreambleBytes);
      header_ = decode_header(bytes);
    } catch (const ConfigError& error) {
      refuse(error.what());
    }
    hash_ = std::make_unique<Hash>();
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

StoredFile::~StoredFile() {
  ::close(fd_);
}

bool StoredFile::read(std::span<std::uint64_t> words) {
  // The file is read in pieces that fit in a cache, so that a piece is hashed while it is in the
  // cache.
  constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 18U;
  char* bytes = reinterpret_cast<char*>(words.data());
  for (std::uint64_t left = words.size_bytes(); left > 0;) {
    const std::uint64_t size = std::min(left, kPieceBytes);
    read_bytes(bytes, size);
    hash_->add(bytes, size);
    bytes += size;
    left -= size;
  }
  std::array<char, kFileAlignment> padding{};
  const std::uint64_t size = padding_behind(words.size_bytes());
  read_bytes(padding.data(), size);
  hash_->add(padding.data(), size);
  return padding == kPadding;
}

void StoredFile::require_intact() const {
  if (XXH3_64bits_digest(&hash_->state) == preamble_.payload_hash) return;
  refuse_checksum(path_);
}

void refuse_file(const fs::path& path, const std::string& reason) {
  // The reason may quote strings from the file, which may contain control characters of a terminal.
  std::string printable = reason;
  std::ranges::replace_if(
      printable, [](char c) { return c < ' ' || c > '~'; }, '?');
  throw ConfigError(path.string() + " cannot be read as a filter file: " + printable);
}

void refuse_checksum(const fs::path& path) {
  refuse_file(path, "its cells are damaged: the checksum differs");
}

void StoredFile::read_bytes(char* bytes, std::uint64_t size) {
  while (size > 0) {
    const ::ssize_t num_read = ::read(fd_, bytes, size);
    if (num_read < 0 && errno == EINTR) continue;
    if (num_read < 0) {
      throw IoError("cannot read " + path_.string() + ": " + std::strerror(errno));
    }
    if (num_read == 0) refuse("the file became shorter while it was read");
    bytes += num_read;
    size -= static_cast<std::uint64_t>(num_read);
  }
}

FileHeader read_header(const fs::path& path) {
  return StoredFile(path).header();
}

void verify_checksums(const fs::path& path) {
  StoredFile file(path);
  constexpr std::uint64_t kMostWords = std::uint64_t{1} << 15U;
  std::uint64_t left = file.preamble().payload_bytes / sizeof(std::uint64_t);
  std::vector<std::uint64_t> words(std::min(left, kMostWords));
  while (left > 0) {
    const std::uint64_t size = std::min<std::uint64_t>(left, words.size());
    static_cast<void>(file.read(std::span(words).first(size)));  // pieces without padding
    left -= size;
  }
  file.require_intact();
}

std::uint64_t payload_bytes_of(std::span<const std::uint64_t> num_words) noexcept {
  std::uint64_t sum = 0;
  for (const std::uint64_t words : num_words) {
    const std::uint64_t bytes = words * sizeof(std::uint64_t);
    sum += bytes + padding_behind(bytes);
  }
  return sum;
}

void write_filter_file(const fs::path& path, const FileHeader& header,
                       std::span<const std::span<const std::uint64_t>> stores) {
  XXH3_state_t hash;
  XXH3_64bits_reset(&hash);
  std::uint64_t payload_bytes = 0;
  std::vector<std::string_view> parts(1);  // the header; assigned after the payload is hashed
  const auto add = [&](std::string_view part) {
    XXH3_64bits_update(&hash, part.data(), part.size());
    payload_bytes += part.size();
    parts.push_back(part);
  };
  for (const std::span<const std::uint64_t> store : stores) {
    add(bytes_of(store));
    add({kPadding.data(), padding_behind(store.size_bytes())});
  }
  const std::string front = encode_header(header, payload_bytes, XXH3_64bits_digest(&hash));
  parts.front() = front;
  replace_file(path, parts);
}

}  // namespace bloometry
