#pragma once

#include <functional>
#include <list>
#include <mutex>
#include <string_view>

namespace bloometry {

// A run folder is right whenever the process is killed. So a signal need not wait until every loop
// has looked at a flag: the program may end at once, once what must not stay behind is gone.

/// An action that takes the place of a destructor if the program ends at once: removes a scratch
/// folder, kills a child. In force while the object lives; must not throw.
class AtSuddenEnd {
 public:
  explicit AtSuddenEnd(std::function<void()> action);
  ~AtSuddenEnd();
  AtSuddenEnd(const AtSuddenEnd&) = delete;
  AtSuddenEnd& operator=(const AtSuddenEnd&) = delete;

 private:
  std::list<std::function<void()>>::iterator place_;
};

/// Puts off a sudden end while it lives: for a thing that is made and then registered. Short.
class NoSuddenEnd {
 public:
  NoSuddenEnd();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

/// Runs all actions, the last one first, writes `line` to standard error and ends the process.
/// Other threads may do what they like meanwhile.
[[noreturn]] void end_suddenly(std::string_view line, int exit_code) noexcept;

}  // namespace bloometry
