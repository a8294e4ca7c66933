#include "experiments/keys/key_format.hpp"

#include <array>
#include <charconv>
#include <fmt/core.h>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace bloometry {
namespace {

constexpr std::string_view kCsvPrefix = "csv:";

constexpr std::array kNames = {std::pair{std::string_view("lines"), KeyFormat::Kind::kLines},
                               std::pair{std::string_view("hex"), KeyFormat::Kind::kHex},
                               std::pair{std::string_view("base64"), KeyFormat::Kind::kBase64},
                               std::pair{std::string_view("u32le"), KeyFormat::Kind::kU32le},
                               std::pair{std::string_view("u32be"), KeyFormat::Kind::kU32be},
                               std::pair{std::string_view("u64le"), KeyFormat::Kind::kU64le},
                               std::pair{std::string_view("u64be"), KeyFormat::Kind::kU64be}};

[[noreturn]] void refuse(std::string_view text) {
  throw ConfigError("format", fmt::format("must be lines, hex, base64, u32le, u32be, u64le, u64be "
                                          "or csv:COLUMN (a name or a number from 1), got '{}'",
                                          text));
}

}  // namespace

std::string_view name_of(KeyFormat::Kind kind) noexcept {
  for (const auto& [name, known] : kNames) {
    if (kind == known) return name;
  }
  return "csv";
}

KeyFormat parse_key_format(std::string_view text) {
  for (const auto& [name, kind] : kNames) {
    if (text == name) return {.kind = kind};
  }
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
