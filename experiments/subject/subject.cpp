#include "experiments/subject/subject.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <system_error>

#include "core/error.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kMaxAnswer = 1000;  // maximum length of `ok` or `error TEXT`
constexpr std::string_view kError = "error";

std::string first_line(const std::string& request) {
  return request.substr(0, request.find('\n'));
}

/// Throws IoError if the reply is `error TEXT`. Accepts all other replies.
void require_no_error(const std::string& answer, std::string_view name) {
  if (!answer.starts_with(kError)) return;
  std::string text = answer.substr(kError.size());
  text.erase(0, text.find_first_not_of(' '));
  throw IoError(fmt::format("the subject refused '{}': {}", name,
                            text.empty() ? "the reason is not given" : printable(text)));
}

}  // namespace

bool Subject::begin(std::uint64_t num_keys, std::uint64_t num_cells, unsigned num_hashes) {
  return ok_or("ok fill", fmt::format("new {} {} {}\n", num_keys, num_cells, num_hashes)) ==
         "ok fill";
}

bool Subject::insert(std::span<const std::uint64_t> items) {
  return ok_or("full", request("insert", items)) == "ok";
}

bool Subject::merge(std::span<const std::uint64_t> items) {
  // All items are in one request, because one filter is merged. The request may be long, because
  // the process reads while it writes.
  return ok_or("full", request("merge", items)) == "ok";
}

std::uint64_t Subject::fill() {
  const std::string answer = process_.exchange("fill\n", "fill", kMaxAnswer);
  require_no_error(answer, "fill");
  std::uint64_t num_ones = 0;
  const char* end = answer.data() + answer.size();
  const auto [stop, error] = std::from_chars(answer.data(), end, num_ones);
  if (!answer.empty() && stop == end && error == std::errc()) return num_ones;
  throw IoError(fmt::format("the subject must answer 'fill' with a whole number, got '{}'",
                            printable(answer)));
}

std::string Subject::query(std::span<const std::uint64_t> items) {
  return answers("query", items);
}

std::string Subject::erase(std::span<const std::uint64_t> items) {
  return answers("erase", items);
}

std::string Subject::ok_or(std::string_view other, const std::string& request) {
  const std::string name = first_line(request);
  std::string answer = process_.exchange(request, name, kMaxAnswer);
  require_no_error(answer, name);
  if (answer == "ok" || answer == other) return answer;
  throw IoError(
      fmt::format("the subject must answer '{}' with 'ok', '{}' or 'error TEXT', got '{}'", name,
                  other, printable(answer)));
}

std::string Subject::answers(std::string_view verb, std::span<const std::uint64_t> items) {
  const std::string text = request(verb, items);
  const std::string name = first_line(text);
  const std::string answer = process_.exchange(text, name, std::max(items.size(), kMaxAnswer));
  require_no_error(answer, name);
  if (answer.size() != items.size()) {
    throw IoError(fmt::format("the subject must answer '{}' with {} characters, got {}", name,
                              items.size(), answer.size()));
  }
  const std::size_t wrong = answer.find_first_not_of("01");
  if (wrong == std::string::npos) return answer;
  throw IoError(fmt::format("the subject must answer '{}' with 0s and 1s, but character {} is '{}'",
                            name, wrong + 1, printable(answer.substr(wrong, 1))));
}

std::string Subject::request(std::string_view verb, std::span<const std::uint64_t> items) const {
  std::string text = fmt::format("{} {}\n", verb, items.size());
  for (const std::uint64_t item : items) keys_.append(item, text);
  return text;
}

}  // namespace bloometry
