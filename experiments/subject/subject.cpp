#include "experiments/subject/subject.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kMaxMessage = 1000;  // characters of `ok` or `error TEXT`
constexpr std::string_view kError = "error";

std::string first_line(const std::string& request) {
  return request.substr(0, request.find('\n'));
}

/// @throws IoError if the subject says that it cannot.
void require_no_error(const std::string& answer, std::string_view name) {
  if (!answer.starts_with(kError)) return;
  std::string text = answer.substr(kError.size());
  text.erase(0, text.find_first_not_of(' '));
  throw IoError("the subject refused '" + std::string(name) +
                "': " + (text.empty() ? "it gave no reason" : printable(text)));
}

}  // namespace

void Subject::begin(std::uint64_t num_keys, std::uint64_t num_cells, unsigned num_hashes) {
  const std::string line = "new " + std::to_string(num_keys) + " " + std::to_string(num_cells) +
                           " " + std::to_string(num_hashes) + "\n";
  expect_ok(line, first_line(line));
}

void Subject::insert(std::span<const std::uint64_t> items) {
  send_batches("insert", items);
}

void Subject::merge(std::span<const std::uint64_t> items) {
  // One filter to merge, so one request, however long: the process reads while it is written to.
  const std::string text = request("merge", items);
  expect_ok(text, first_line(text));
}

std::string Subject::query(std::span<const std::uint64_t> items) {
  return answers("query", items);
}

std::string Subject::erase(std::span<const std::uint64_t> items) {
  return answers("erase", items);
}

void Subject::expect_ok(const std::string& request, std::string_view name) {
  const std::string answer = process_.exchange(request, name, kMaxMessage);
  require_no_error(answer, name);
  if (answer == "ok") return;
  throw IoError("the subject must answer '" + std::string(name) + "' with 'ok' or 'error TEXT', " +
                "it answered '" + printable(answer) + "'");
}

void Subject::send_batches(std::string_view verb, std::span<const std::uint64_t> items) {
  while (!items.empty()) {
    const std::size_t size = std::min(items.size(), kMaxBatch);
    const std::string text = request(verb, items.first(size));
    expect_ok(text, first_line(text));
    items = items.subspan(size);
  }
}

std::string Subject::answers(std::string_view verb, std::span<const std::uint64_t> items) {
  const std::string text = request(verb, items);
  const std::string name = first_line(text);
  const std::string answer = process_.exchange(text, name, std::max(items.size(), kMaxMessage));
  require_no_error(answer, name);
  if (answer.size() != items.size()) {
    throw IoError("the subject must answer '" + name + "' with " + std::to_string(items.size()) +
                  " characters, it answered with " + std::to_string(answer.size()));
  }
  const std::size_t wrong = answer.find_first_not_of("01");
  if (wrong == std::string::npos) return answer;
  throw IoError("the subject must answer '" + name + "' with 0s and 1s, character " +
                std::to_string(wrong + 1) + " is '" + printable(answer.substr(wrong, 1)) + "'");
}

std::string Subject::request(std::string_view verb, std::span<const std::uint64_t> items) const {
  std::string text = std::string(verb) + " " + std::to_string(items.size()) + "\n";
  for (const std::uint64_t item : items) keys_.append(item, text);
  return text;
}

}  // namespace bloometry
