#include "experiments/process/sudden_end.hpp"

#include <unistd.h>

#include <utility>

namespace bloometry {
namespace {

struct Registry {
  std::recursive_mutex mutex;
  std::list<std::function<void()>> actions;
};

/// Returns a registry that is never destroyed, because a thread may end the program while another
/// thread returns from main.
Registry& registry() {
  static auto* const the_registry = new Registry;
  return *the_registry;
}

}  // namespace

AtSuddenEnd::AtSuddenEnd(std::function<void()> action) {
  const NoSuddenEnd hold;
  place_ = registry().actions.insert(registry().actions.end(), std::move(action));
}

AtSuddenEnd::~AtSuddenEnd() {
  const NoSuddenEnd hold;
  registry().actions.erase(place_);
}

NoSuddenEnd::NoSuddenEnd() : lock_(registry().mutex) {}

void end_suddenly(std::string_view line, int exit_code) noexcept {
  // The lock is held until the process ends, so that registered objects are not destroyed.
  const NoSuddenEnd hold;
  auto& actions = registry().actions;
  for (auto action = actions.rbegin(); action != actions.rend(); ++action) (*action)();
  static_cast<void>(!::write(STDERR_FILENO, line.data(), line.size()));
  ::_exit(exit_code);
}

}  // namespace bloometry
