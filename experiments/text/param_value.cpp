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
  const std::string hint = info.kind == ParamKind::kReal ? real_hint(text) : whole_hint(text);
  throw ConfigError(std::string(info.name), check_param(info, std::string(text)) + hint);
}

}  // namespace bloometry
