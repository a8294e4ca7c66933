#include "core/error.hpp"

#include <utility>

namespace bloometry {
namespace {

std::string joined(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    text += (text.empty() ? "" : "; ") + problem.line();
  }
  return text;
}

std::string full_text(std::uint64_t num_inserted) {
  const std::string text = "the filter is full: it has no room for ";
  if (num_inserted == 0) return text + "the key, and is unchanged";
  return text + "another key after " + std::to_string(num_inserted) + " keys of this call";
}

}  // namespace

FullError::FullError(std::uint64_t num_inserted)
    : std::runtime_error(full_text(num_inserted)), num_inserted_(num_inserted) {}

ConfigError::ConfigError(const std::string& message)
    : ConfigError(std::vector<Problem>{{.text = message}}) {}

ConfigError::ConfigError(std::string field, std::string text)
    : ConfigError(std::vector<Problem>{{.field = std::move(field), .text = std::move(text)}}) {}

ConfigError::ConfigError(std::vector<Problem> problems)
    : std::invalid_argument(joined(problems)),
      problems_(std::make_shared<const std::vector<Problem>>(std::move(problems))) {}

}  // namespace bloometry
