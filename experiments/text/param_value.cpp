#include "experiments/text/param_value.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "experiments/text/number_notation.hpp"

namespace bloometry {
namespace {

std::optional<std::uint64_t> read_small_whole(std::string_view text) {
  const std::optional<std::uint64_t> number = read_whole(text);
  return number && *number <= kMaxExactWhole ? number : std::nullopt;
}

std::optional<ParamValue> read_integers(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  std::vector<std::int64_t> list;
  if (text.empty()) return list;
  if (has_thousands_separators(text)) return std::nullopt;
  for (const std::string& item : split_list(text)) {
    const std::optional<std::uint64_t> number = read_small_whole(item);
    if (!number) return std::nullopt;
    list.push_back(static_cast<std::int64_t>(*number));
  }
  return list;
}

/// Returns the end of an error message about a text that read_param() rejected.
std::string hint_of(ParamKind kind, std::string_view text) {
  if (kind == ParamKind::kReal) return real_hint(text);
  if (kind != ParamKind::kIntegerList) return whole_hint(text);
  return has_thousands_separators(text) ? "; write 1,000 as 1000 or 1k in a list" : "";
}

}  // namespace

std::optional<ParamValue> read_param(const ParamInfo& info, std::string_view text) {
  switch (info.kind) {
    case ParamKind::kText:
      return std::string(text);
    case ParamKind::kIntegerList:
      return read_integers(text);
    case ParamKind::kInteger:
      if (const auto number = read_small_whole(text)) return static_cast<double>(*number);
      return std::nullopt;
    case ParamKind::kReal:
      if (const auto number = read_real(text)) return *number;
      return std::nullopt;
  }
  return std::nullopt;
}

ParamValue parse_param(const ParamInfo& info, std::string_view text) {
  if (std::optional<ParamValue> value = read_param(info, text)) return *std::move(value);
  throw ConfigError(std::string(info.name),
                    check_param(info, std::string(text)) + hint_of(info.kind, text));
}

}  // namespace bloometry
