// Saves and loads filters under one name in many threads and processes, and kills processes while
// they save. Every load must find one whole filter. --help describes the options.

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/any_filter/filter_file.hpp"
#include "core/file/temporary_names.hpp"
#include "core/file/write_file.hpp"
#include "tests/core/file/new_folder.hpp"
#include "variants/standard/standard_filter.hpp"

namespace {

namespace fs = std::filesystem;
using bloometry::FileCalls;
using bloometry::StandardFilter;
using Clock = std::chrono::steady_clock;

constexpr const char* kHelp =
    R"(usage: bloometry_file_race [--threads N] [--processes N] [--kills N] [--seconds S] [--megabytes M] [--file PATH]

Saves and loads filters under one name: in N threads for S seconds, then in N processes for S seconds. Then a process
saves two filters in turns, and is killed N times at random instants. Each phase runs with temporary files without a
name, and with named ones. Exit status: 0 no failure, 1 a save or load failed, a load found a torn file, or a kill
left more than one temporary file.

  --threads N      threads that save and load (default 10)
  --processes N    processes that save and load (default 10)
  --kills N        kills per kind of temporary file (default 50)
  --seconds S      seconds per phase (default 1)
  --megabytes M    size of the largest filter (default 4)
  --file PATH      file to save; another program may save it at the same time (default: in a new folder)
)";

struct Options {
  std::size_t threads = 10;
  std::size_t processes = 10;
  std::size_t kills = 50;
  std::size_t seconds = 1;
  std::size_t megabytes = 4;
  std::optional<fs::path> file{};
};

/// Calls of a file system that does not support files without a name.
class NamedCalls final : public FileCalls {
 public:
  int open_unnamed(int /*folder*/) override {
    errno = EOPNOTSUPP;
    return -1;
  }
};

/// Counts in memory that all processes share.
struct Counts {
  std::atomic<std::uint64_t> saves{0};
  std::atomic<std::uint64_t> failed_saves{0};
  std::atomic<std::uint64_t> loads{0};
  std::atomic<std::uint64_t> failed_loads{0};
};

Counts& shared_counts() {
  void* const memory =
      ::mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  return *new (memory) Counts;
}

/// Returns the bytes of the file of one filter. Files of different filters differ in size and
/// capacity.
std::string file_of(const fs::path& scratch, std::uint64_t number, std::uint64_t bytes) {
  StandardFilter filter({.num_bits = bytes * 8, .num_hashes = 3});
  for (std::uint64_t i = 0; i < 100; ++i) filter.insert({i * number + 1, ~i});
  save(filter, scratch, {.capacity = number});
  return bloometry::test::bytes_of_file(scratch);
}

void save_once(const fs::path& file, const std::string& bytes, FileCalls& calls) {
  const std::array<std::string_view, 1> parts = {bytes};
  replace_file(file, parts, calls);
}

/// Runs `step` and counts it. Prints the first failures.
void count(std::atomic<std::uint64_t>& tries, std::atomic<std::uint64_t>& failures, auto step) {
  ++tries;
  try {
    step();
  } catch (const std::exception& error) {
    if (++failures <= 5) std::fprintf(stderr, "%s\n", error.what());
  }
}

void save_and_load(const fs::path& file, const std::string& bytes, FileCalls& calls,
                   Clock::time_point end, Counts& counts) {
  while (Clock::now() < end) {
    count(counts.saves, counts.failed_saves, [&] { save_once(file, bytes, calls); });
    for (int i = 0; i < 3; ++i) {
      count(counts.loads, counts.failed_loads,
            [&] { static_cast<void>(bloometry::load<StandardFilter>(file)); });
    }
  }
}

std::size_t num_temporary(const fs::path& folder) {
  std::size_t num = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    num += bloometry::is_temporary_name(entry.path().filename().string()) ? 1U : 0U;
  }
  return num;
}

[[noreturn]] void usage(const char* text, int code) {
  std::fputs(text, code == 0 ? stdout : stderr);
  std::exit(code);
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--help") usage(kHelp, 0);
    if (i + 1 == argc) usage(kHelp, 2);
    const char* value = argv[++i];
    const std::size_t number = std::strtoull(value, nullptr, 10);
    if (name == "--threads")
      options.threads = number;
    else if (name == "--processes")
      options.processes = number;
    else if (name == "--kills")
      options.kills = number;
    else if (name == "--seconds")
      options.seconds = number;
    else if (name == "--megabytes")
      options.megabytes = number;
    else if (name == "--file")
      options.file = value;
    else
      usage(kHelp, 2);
  }
  return options;
}

class Race {
 public:
  Race(const Options& options, fs::path file, FileCalls& calls, const char* kind)
      : options_(options), file_(std::move(file)), calls_(calls), kind_(kind) {
    const bloometry::test::NewFolder scratch;
    const std::size_t num = std::max({options.threads, options.processes, std::size_t{2}});
    for (std::size_t i = 1; i <= num; ++i) {
      files_.push_back(file_of(scratch / "filter", i, (options.megabytes << 20U) * i / num));
    }
    save_once(file_, files_.front(), calls_);
  }

  [[nodiscard]] bool passes() {
    bool passes = race_threads();
    passes = race_processes() && passes;
    return kill_processes() && passes;
  }

 private:
  Clock::time_point end() const { return Clock::now() + std::chrono::seconds(options_.seconds); }

  bool race_threads() {
    Counts& counts = shared_counts();
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < options_.threads; ++i) {
      threads.emplace_back([&, i] { save_and_load(file_, files_[i], calls_, end(), counts); });
    }
    for (std::thread& thread : threads) thread.join();
    return report("threads", options_.threads, counts);
  }

  bool race_processes() {
    Counts& counts = shared_counts();
    std::vector<::pid_t> children;
    for (std::size_t i = 0; i < options_.processes; ++i) {
      children.push_back(::fork());
      if (children.back() != 0) continue;
      save_and_load(file_, files_[i], calls_, end(), counts);
      ::_exit(0);
    }
    for (const ::pid_t child : children) ::waitpid(child, nullptr, 0);
    return report("processes", options_.processes, counts);
  }

  bool report(const char* what, std::size_t num, const Counts& counts) const {
    std::printf("%s: %zu %s: %llu saves, %llu failed; %llu loads, %llu failed\n", kind_, num, what,
                static_cast<unsigned long long>(counts.saves),
                static_cast<unsigned long long>(counts.failed_saves),
                static_cast<unsigned long long>(counts.loads),
                static_cast<unsigned long long>(counts.failed_loads));
    return counts.failed_saves == 0 && counts.failed_loads == 0;
  }

  /// Kills a process that saves two filters in turns.
  void kill_once(std::mt19937_64& random) {
    const ::pid_t child = ::fork();
    if (child == 0) {
      for (std::size_t i = 0;; ++i) save_once(file_, files_[i % 2], calls_);
    }
    const std::uint64_t longest_us = 2'000 + options_.megabytes * 8'000;
    ::usleep(static_cast<::useconds_t>(random() % longest_us));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }

  bool kill_processes() {
    save_once(file_, files_[0], calls_);  // a kill may come before the first save of the child
    std::mt19937_64 random(20261128);
    const fs::path folder = file_.parent_path();
    std::size_t num_torn = 0, num_first = 0, num_left = 0, most_left = 0, num_remaining = 0;
    for (std::size_t i = 0; i < options_.kills; ++i) {
      kill_once(random);
      const std::string bytes = bloometry::test::bytes_of_file(file_);
      if (bytes != files_[0] && bytes != files_[1]) ++num_torn;
      if (bytes == files_[0]) ++num_first;
      const std::size_t left = num_temporary(folder);
      num_left += left;
      most_left = std::max(most_left, left);
      save_once(file_, files_[0], calls_);
      num_remaining += num_temporary(folder);
    }
    std::printf(
        "%s: %zu kills: %zu torn, %zu the first filter; %zu temporary files left, at most "
        "%zu after a kill, %zu after the next save\n",
        kind_, options_.kills, num_torn, num_first, num_left, most_left, num_remaining);
    return num_torn == 0 && most_left <= 1 && num_remaining == 0;
  }

  const Options& options_;
  fs::path file_;
  FileCalls& calls_;
  const char* kind_;
  std::vector<std::string> files_{};
};

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const bloometry::test::NewFolder folder;
  const fs::path file = options.file.value_or(folder / "filter");
  NamedCalls named;
  bool passes = Race(options, file, bloometry::system_file_calls(), "without a name").passes();
  passes = Race(options, file, named, "named").passes() && passes;
  return passes ? 0 : 1;
}
