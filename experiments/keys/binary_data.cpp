#include "experiments/keys/binary_data.hpp"

#include <algorithm>
#include <array>

namespace bloometry {
namespace {

using namespace std::string_view_literals;

struct MagicNumber {
  std::string_view bytes;
  std::string_view meaning;
};

constexpr std::array kMagicNumbers = {MagicNumber{"\xfd"
                                                  "7zXZ\0"sv,
                                                  "xz data"},
                                      MagicNumber{"BZh", "bzip2 data"},
                                      MagicNumber{"\x1f\x8b", "gzip data with an unknown header"},
                                      MagicNumber{"\x04\x22\x4d\x18", "lz4 data"},
                                      MagicNumber{"7z\xbc\xaf\x27\x1c", "a 7z archive"},
                                      MagicNumber{"PK\x03\x04", "a zip archive"},
                                      MagicNumber{"PAR1", "a Parquet file"},
                                      MagicNumber{"SQLite format 3\0"sv, "a database of SQLite"},
                                      MagicNumber{"\xac\xed\0\x05"sv, "a serialised Java object"},
                                      MagicNumber{"REDIS0", "a dump of Redis (RDB)"},
                                      MagicNumber{"%PDF-", "a PDF document"},
                                      MagicNumber{"\x7f"
                                                  "ELF",
                                                  "a program (ELF)"},
                                      MagicNumber{"\x89"
                                                  "BLMY",
                                                  "a filter file of bloometry"}};

bool is_control_byte(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
}

}  // namespace

std::string why_not_text(std::string_view start) {
  const auto* const control = std::find_if(start.begin(), start.end(), is_control_byte);
  if (control == start.end()) return {};
  for (const MagicNumber& number : kMagicNumbers) {
    if (start.starts_with(number.bytes)) return std::string(number.meaning);
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(*control);
  return std::string("the control character 0x") + kDigits[value / 16] + kDigits[value % 16] +
         " at byte " + std::to_string(control - start.begin() + 1);
}

}  // namespace bloometry
