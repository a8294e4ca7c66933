#include "experiments/keys/file_signature.hpp"

#include <array>

namespace bloometry {
namespace {

using namespace std::string_view_literals;
using enum FileContent;

constexpr char kDigit = '\xff';

constexpr std::array kSignatures = {
    FileSignature{"\xfd\x37zXZ\0"sv, "xz data", kPacked},
    // The level of the compressor, then the first digits of pi or, without content, of its root.
    FileSignature{"BZh\xff\x31\x41\x59\x26\x53\x59"sv, "bzip2 data", kPacked},
    FileSignature{"BZh\xff\x17\x72\x45\x38\x50\x90"sv, "bzip2 data", kPacked},
    FileSignature{"\x04\x22\x4d\x18"sv, "LZ4 data", kPacked},
    FileSignature{"7z\xbc\xaf\x27\x1c"sv, "a 7z archive", kPacked},
    FileSignature{"PK\3\4"sv, "a ZIP archive", kPacked},
    FileSignature{"ustar"sv, "a tar archive", kPacked, 257},
    FileSignature{"PAR1"sv, "a Parquet file", kParquet},
    FileSignature{"PARE"sv, "a Parquet file with encrypted metadata", kData},
    FileSignature{"SQLite format 3\0"sv, "a database of SQLite", kData},
    FileSignature{"\x93NUMPY"sv, "an array of NumPy", kData},
    FileSignature{"%PDF-"sv, "a PDF document", kData},
    FileSignature{"\x7f\x45LF"sv, "a program (ELF)", kData},
    FileSignature{"\xac\xed\0\5"sv, "an object of Java's ObjectOutputStream", kJavaObject},
    FileSignature{"REDIS00"sv, "an RDB file of Redis", kRedisDump},
    FileSignature{"\x89\x42LMY"sv, "a filter file of bloometry", kOwnFilter}};

bool matches(std::string_view bytes, const FileSignature& signature) noexcept {
  if (bytes.size() < signature.offset + signature.bytes.size()) return false;
  for (std::size_t i = 0; i < signature.bytes.size(); ++i) {
    const char byte = bytes[signature.offset + i];
    const char expected = signature.bytes[i];
    const bool is_equal = expected == kDigit ? byte >= '1' && byte <= '9' : byte == expected;
    if (!is_equal) return false;
  }
  return true;
}

}  // namespace

const FileSignature* find_signature(std::string_view start) noexcept {
  for (const FileSignature& signature : kSignatures) {
    if (matches(start, signature)) return &signature;
  }
  return nullptr;
}

}  // namespace bloometry
