#include "experiments/cli/filter/check_state.hpp"

#include <fcntl.h>

#include <charconv>
#include <chrono>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string_view>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/text/content_hash.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "bloometry filter check";
constexpr int kVersion = 1;
constexpr std::string_view kBegin = "{\n  \"format\": \"bloometry filter check\"";
constexpr std::uintmax_t kMaxBytes = 1U << 16U;

/// Parses a number that shortest_text() has written. It may be infinite.
double parse_exact(const Json& json) {
  const auto& text = json.get_ref<const std::string&>();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::domain_error("a number is damaged");
  }
  return value;
}

/// Returns the JSON without its hash. JSON numbers cannot be infinite, so they are texts.
Json json_of(const CheckHistory& history) {
  Json json = {{"format", kFormat}, {"version", kVersion}, {"filter", history.filter}};
  json["false_alarm"] = shortest_text(history.false_alarm);
  json["num_checks"] = history.sums.num_checks;
  json["log_products"] = Json::array();
  for (const double sum : history.sums.log_products) {
    json["log_products"].push_back(shortest_text(sum));
  }
  json["log_repeated"] = shortest_text(history.sums.log_repeated);
  json["is_raised"] = history.is_raised;
  json["expected_positives"] = shortest_text(history.expected_positives);
  json["rate"] = shortest_text(history.rate);
  json["num_ones"] = history.num_ones;
  json["num_rotations"] = history.num_rotations;
  json["num_overfull"] = history.num_overfull;
  return json;
}

CheckHistory history_of(const Json& json) {
  CheckHistory history{.filter = json.at("filter"),
                       .false_alarm = parse_exact(json.at("false_alarm")),
                       .is_raised = json.at("is_raised"),
                       .expected_positives = parse_exact(json.at("expected_positives")),
                       .rate = parse_exact(json.at("rate")),
                       .num_ones = json.at("num_ones"),
                       .num_rotations = json.at("num_rotations"),
                       .num_overfull = json.at("num_overfull")};
  history.sums.num_checks = json.at("num_checks");
  for (std::size_t i = 0; i < history.sums.log_products.size(); ++i) {
    history.sums.log_products[i] = parse_exact(json.at("log_products").at(i));
  }
  history.sums.log_repeated = parse_exact(json.at("log_repeated"));
  return history;
}

[[noreturn]] void refuse_damage() {
  throw ConfigError("is damaged: its content does not agree with its hash");
}

}  // namespace

std::string to_text(const CheckHistory& history) {
  Json json = json_of(history);
  json["hash"] = content_hash(json.dump());
  return json.dump(2) + '\n';
}

CheckHistory parse_history(const std::string& text) {
  if (text.empty()) return {};
  if (!text.starts_with(kBegin)) throw ConfigError("is not a state of `bloometry filter check`");
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object() || !json.contains("hash")) refuse_damage();
  const Json hash = json["hash"];
  json.erase("hash");
  if (hash != content_hash(json.dump())) refuse_damage();
  try {
    if (json.at("version") != kVersion) {
      throw ConfigError("was written by a later version of bloometry");
    }
    return history_of(json);
  } catch (const nlohmann::json::exception&) {
    refuse_damage();
  } catch (const std::domain_error&) {
    refuse_damage();
  }
}

CheckStateFile::CheckStateFile(const std::filesystem::path& path, const FilterInput& filter,
                               std::optional<std::uint64_t> wait_s)
    : output_(path, "--state") {
  output_.require_other_than(std::span(&filter.path, 1), filter.secret);
  const FileDescriptor created(output_.path(), O_RDWR | O_CREAT);
  std::optional<std::chrono::seconds> limit;
  if (wait_s) limit = std::chrono::seconds(*wait_s);
  output_.lock(limit);
}

std::string CheckStateFile::text() const {
  std::error_code error;
  if (std::filesystem::file_size(output_.path(), error) > kMaxBytes) return "too long";
  return read_file(output_.path());
}

CheckHistory CheckStateFile::read() const {
  try {
    return parse_history(text());
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("--state: {} {}", output_.path().string(), error.what()));
  }
}

void CheckStateFile::require_state() const {
  const std::string old = text();
  if (old.empty() || old.starts_with(kBegin)) return;
  throw ConfigError(fmt::format("--state: {} is not a state of `bloometry filter check`",
                                output_.path().string()));
}

void CheckStateFile::write(const CheckHistory& history) const {
  output_.write(to_text(history));
}

}  // namespace bloometry
