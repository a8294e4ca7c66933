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

}  // namespace

ConfigError::ConfigError(const std::string& message)
    : ConfigError(std::vector<Problem>{{.text = message}}) {}

ConfigError::ConfigError(std::string field, std::string text)
    : ConfigError(std::vector<Problem>{{.field = std::move(field), .text = std::move(text)}}) {}

ConfigError::ConfigError(std::vector<Problem> problems)
    : std::invalid_argument(joined(problems)),
      problems_(std::make_shared<const std::vector<Problem>>(std::move(problems))) {}

}  // namespace bloometry
