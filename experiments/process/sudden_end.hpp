#pragma once

#include <functional>
#include <list>
#include <mutex>
#include <string_view>

namespace bloometry {

// A run folder is valid even if the process is killed. After a signal, the program therefore ends
// as soon as the registered actions have run, and does not wait for its loops.

/// An action that runs instead of a destructor if the program ends suddenly. For example, an
/// AtSuddenEnd action removes a scratch folder or kills a child process. The action is registered
/// during the lifetime of the AtSuddenEnd object. The action must not throw.
class AtSuddenEnd {
 public:
  explicit AtSuddenEnd(std::function<void()> action);
  ~AtSuddenEnd();
  AtSuddenEnd(const AtSuddenEnd&) = delete;
  AtSuddenEnd& operator=(const AtSuddenEnd&) = delete;

 private:
  std::list<std::function<void()>>::iterator place_;
};

/// An object that delays a sudden end during its lifetime. Use a NoSuddenEnd in a short scope, to
/// create an object and register its action without interruption.
class NoSuddenEnd {
 public:
  NoSuddenEnd();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

/// Runs all actions, the last registered one first, writes `line` to standard error and ends the
/// process. Other threads may still be running when the process ends.
[[noreturn]] void end_suddenly(std::string_view line, int exit_code) noexcept;

}  // namespace bloometry
