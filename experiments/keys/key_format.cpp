#include "experiments/keys/key_format.hpp"

#include <charconv>
#include <system_error>

#include "core/error.hpp"

namespace bloometry {
namespace {

constexpr std::string_view kCsvPrefix = "csv:";

[[noreturn]] void refuse(std::string_view text) {
  throw ConfigError("format",
                    "must be lines, u64le, u64be or csv:COLUMN (a name or a number from 1), got '" +
                        std::string(text) + "'");
}

}  // namespace

KeyFormat parse_key_format(std::string_view text) {
  if (text == "lines") return {.kind = KeyFormat::Kind::kLines};
  if (text == "u64le") return {.kind = KeyFormat::Kind::kU64le};
  if (text == "u64be") return {.kind = KeyFormat::Kind::kU64be};
  if (!text.starts_with(kCsvPrefix) || text.size() == kCsvPrefix.size()) refuse(text);
  const std::string_view column = text.substr(kCsvPrefix.size());
  KeyFormat format{.kind = KeyFormat::Kind::kCsv};
  const char* const end = column.data() + column.size();
  const auto [stop, error] = std::from_chars(column.data(), end, format.column);
  if (error != std::errc() || stop != end) {
    format.column = 0;
    format.column_name = column;
  } else if (format.column == 0) {
    refuse(text);
  }
  return format;
}

}  // namespace bloometry
