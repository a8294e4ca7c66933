#include "core/file/mapped_file.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "core/error.hpp"
#include "core/hash/xxhash.hpp"

namespace bloometry {
namespace {

std::shared_ptr<const void> map_pages(const StoredFile& file) {
  const std::uint64_t num_bytes = file.preamble().header_bytes + file.preamble().payload_bytes;
  void* const pages = ::mmap(nullptr, num_bytes, PROT_READ, MAP_SHARED, file.descriptor(), 0);
  if (pages == MAP_FAILED) {
    throw IoError("cannot map " + file.path().string() + ": " + std::strerror(errno));
  }
  return {pages,
          [num_bytes](const void* mapped) { ::munmap(const_cast<void*>(mapped), num_bytes); }};
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) : path_(path) {
  const StoredFile file(path);
  header_ = file.header();
  pages_ = map_pages(file);
  const FilePreamble& preamble = file.preamble();
  const char* const bytes = static_cast<const char*>(pages_.get()) + preamble.header_bytes;
  payload_ = {reinterpret_cast<const std::uint64_t*>(bytes),
              preamble.payload_bytes / sizeof(std::uint64_t)};
  payload_hash_ = preamble.payload_hash;
}

void MappedFile::require_intact() const {
  if (XXH3_64bits(payload_.data(), payload_.size_bytes()) != payload_hash_) refuse_checksum(path_);
}

void MappedFile::refuse(const std::string& reason) const {
  refuse_file(path_, reason);
}

}  // namespace bloometry
