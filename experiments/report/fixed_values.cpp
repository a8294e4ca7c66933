#include "experiments/report/fixed_values.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "core/text.hpp"
#include "experiments/text/number_notation.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

/// Returns the value of the row that a fixed value names. The bits per key are the requested ones,
/// because blocks round 12 to 12.03.
std::optional<double> number_of(const Axis& axis, const SummaryRow& row) {
  if (axis.name == "bits_per_key" && row.requested_bits_per_key) return row.requested_bits_per_key;
  return axis.value(row);
}

}  // namespace

std::string value_text(const Axis& axis, const SummaryRow& row, const Wording& wording) {
  if (axis.value == nullptr) {
    return axis.name == "keys" ? wording.keys(row) : axis.label(row, wording);
  }
  const std::optional<double> value = number_of(axis, row);
  return value ? rounded(*value, 10) : "";
}

namespace {

bool has_value(const Axis& axis, const std::string& text, const SummaryRow& row,
               const Wording& wording) {
  if (axis.value == nullptr) {
    if (axis.name == "stream_insert" && row.stream && row.stream->insert_name() == text)
      return true;
    return value_text(axis, row, wording) == text || (axis.name == "keys" && row.keys == text);
  }
  const std::optional<double> wanted = read_real(text);
  return wanted && value_text(axis, row, wording) == rounded(*wanted, 10);
}

/// Returns the allowed values of an axis for an error message, in ascending order.
std::string allowed_values(const Axis& axis, const Rows& rows, const Wording& wording) {
  constexpr std::size_t kMostListed = 20;
  std::set<std::pair<double, std::string>> values;
  for (const SummaryRow* row : rows) {
    const std::string text = value_text(axis, *row, wording);
    if (text.empty()) continue;
    values.emplace(axis.value == nullptr ? 0 : *number_of(axis, *row), text);
  }
  if (values.empty()) return "left out, because no point has a value of it";
  std::vector<std::string> texts;
  for (const auto& [number, text] : values) texts.push_back(text);
  const std::size_t num_more = texts.size() - std::min(texts.size(), kMostListed);
  texts.resize(texts.size() - num_more);
  return one_of_text(texts) + (num_more == 0 ? "" : fmt::format(" and {} more", num_more));
}

/// Returns why rows are left out, such as "with k other than 4" or "with keys other than random".
std::string reason_of(const Axis& axis, const std::string& text) {
  static const std::map<std::string_view, fmt::string_view> kReasons = {
      {"variant", "with a variant other than {}"},
      {"params", "with parameters other than {}"},
      {"keys", "with keys other than {}"},
      {"hash", "with a hash other than {}"},
      {"probes", "with a probe scheme other than {}"},
      {"churn", "with churn other than {}"},
      {"churn_rounds", "with rounds of churn other than {}"},
      {"churn_erase", "with a share of erases other than {}"},
      {"churn_reinsert", "with a share of inserts other than {}"},
      {"churn_wrongful_erases", "with a share of wrongful erases other than {}"},
      {"window", "with a window other than {}"},
      {"window_size", "with a window of a size other than {}"},
      {"window_inserts_per_tick", "with a number of inserts per tick other than {}"},
      {"window_reinsert", "with a share of repeated inserts other than {}"},
      {"window_erase", "with a share of erases in the window other than {}"},
      {"stream", "with a stream other than {}"},
      {"stream_zipf", "with an exponent of the Zipf law other than {}"},
      {"stream_num_distinct", "with a number of keys in the stream other than {}"},
      {"stream_insert", "with inserted items other than {}"},
      {"stream_clear_every", "cleared after a number of inserts other than {}"},
      {"generations", "with a number of generations other than {}"},
      {"size", "with a size other than {}"},
      {"num_inserted", "with n other than {}"},
      {"num_keys", "with n other than {}"},
      {"n_over_capacity", "with n / capacity other than {}"},
      {"capacity", "with a capacity other than {}"},
      {"bits_per_key", "with a size other than {} bits per key"},
      {"num_bits", "with a size other than {} bits"},
      {"num_counters", "with m other than {}"},
      {"num_hashes", "with k other than {}"},
      {"target_false_positive_rate", "with a target rate other than {}"},
      {"expected_false_positive_rate", "with an expected rate other than {}"}};
  const std::optional<double> number = axis.value == nullptr ? std::nullopt : read_real(text);
  return fmt::format(fmt::runtime(kReasons.at(axis.name)), number ? text_of_number(*number) : text);
}

}  // namespace

std::string fix_values(RowSelection& selection, const FixedValues& fix, const Wording& wording) {
  for (const auto& [name, text] : fix) {
    const Axis& fixed = axis(name);
    const Rows before = selection.rows();
    const auto is_other = [&](const SummaryRow& row) {
      return !has_value(fixed, text, row, wording);
    };
    if (std::all_of(before.begin(), before.end(),
                    [&](const SummaryRow* row) { return is_other(*row); })) {
      return fmt::format("{} must be {}, got {}", name, allowed_values(fixed, before, wording),
                         text);
    }
    selection.leave_out_if(is_other, reason_of(fixed, text));
  }
  return "";
}

}  // namespace bloometry::report
