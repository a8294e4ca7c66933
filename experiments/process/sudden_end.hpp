#pragma once

#include <functional>
#include <list>
#include <mutex>
#include <string_view>

namespace bloometry {

// A run folder is valid whenever the process is killed. A signal therefore need not wait until
// every loop has checked a flag. The program may end at once, after the registered actions have
// run.

/// An action that replaces a destructor if the program ends at once: it removes a scratch folder or
/// kills a child. It is registered while the object exists and must not throw.
class AtSuddenEnd {
 public:
  explicit AtSuddenEnd(std::function<void()> action);
  ~AtSuddenEnd();
  AtSuddenEnd(const AtSuddenEnd&) = delete;
  AtSuddenEnd& operator=(const AtSuddenEnd&) = delete;

 private:
  std::list<std::function<void()>>::iterator place_;
};

/// Delays a sudden end while it exists, to create an object and register its action. Keep its scope
/// short.
class NoSuddenEnd {
 public:
  NoSuddenEnd();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

/// Runs all actions, the last one first, writes `line` to standard error and ends the process.
/// Other threads may keep running meanwhile.
[[noreturn]] void end_suddenly(std::string_view line, int exit_code) noexcept;

}  // namespace bloometry
