#include "experiments/servers/postgres_process.hpp"

#include <pwd.h>
#include <signal.h>  // kill
#include <unistd.h>

#include <cstdlib>
#include <fmt/core.h>
#include <fstream>
#include <thread>

#include "core/error.hpp"
#include "experiments/process/run_program.hpp"
#include "experiments/servers/find_program.hpp"

namespace bloometry {
namespace {

constexpr std::chrono::seconds kStartPatience{30};
constexpr std::chrono::seconds kStopPatience{5};
constexpr const char* kUserOfRoot = "nobody";

/// Returns the first words of a command that drops root privileges. The result is empty if this
/// process does not run as root.
std::vector<std::string> without_root() {
  if (::geteuid() != 0) return {};
  const passwd* const user = ::getpwnam(kUserOfRoot);
  if (user == nullptr) throw IoError("PostgreSQL needs the user nobody, which does not exist");
  return {"setpriv", fmt::format("--reuid={}", user->pw_uid),
          fmt::format("--regid={}", user->pw_gid), "--clear-groups"};
}

void give_to_user_of_root(const std::filesystem::path& folder) {
  if (::geteuid() != 0) return;
  const passwd* const user = ::getpwnam(kUserOfRoot);
  if (user == nullptr || ::chown(folder.c_str(), user->pw_uid, user->pw_gid) != 0) {
    throw IoError(fmt::format("cannot give {} to the user nobody", folder.string()));
  }
}

std::vector<std::string> with(std::vector<std::string> words,
                              const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Returns the lines of postmaster.pid. The first line is the process id, and the last of the eight
/// lines is the state.
std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::optional<std::filesystem::path> postgres_programs() {
  std::filesystem::path newest;
  int newest_version = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/usr/lib/postgresql", error)) {
    const int version = std::atoi(entry.path().filename().c_str());
    const std::filesystem::path folder = entry.path() / "bin";
    if (version <= newest_version || ::access((folder / "initdb").c_str(), X_OK) != 0) continue;
    newest_version = version;
    newest = folder;
  }
  if (newest.empty()) newest = find_program("initdb").parent_path();
  if (newest.empty() || ::access((newest / "postgres").c_str(), X_OK) != 0) return std::nullopt;
  return newest;
}

PostgresProcess::PostgresProcess() : cluster_(folder_.path() / "cluster") {
  const std::optional<std::filesystem::path> programs = postgres_programs();
  if (!programs) throw IoError("PostgreSQL is not installed (Debian: postgresql)");
  give_to_user_of_root(folder_.path());
  run_program(
      with(without_root(), {(*programs / "initdb").string(), "--pgdata=" + cluster_.string(),
                            "--auth=trust", "--username=bloometry", "--encoding=UTF8", "--locale=C",
                            "--no-sync", "--no-instructions"}),
      "postgresql");
  start();
}

PostgresProcess::~PostgresProcess() {
  end_.reset();
  request_stop();
}

void PostgresProcess::start() {
  // The server keeps shared memory in files of the cluster. Removing the folder therefore frees the
  // memory, even after SIGKILL.
  server_ = std::make_unique<ChildProcess>(ChildProcess::Settings{
      .arguments =
          with(without_root(),
               {(*postgres_programs() / "postgres").string(), "-D", cluster_.string(), "-c",
                "listen_addresses=", "-c", "unix_socket_directories=" + folder_.path().string(),
                "-c", "fsync=off", "-c", "dynamic_shared_memory_type=mmap", "-c",
                "logging_collector=on", "-c", "log_directory=.", "-c", "log_filename=log"}),
      .output = Stream::kNull,
      .errors = Stream::kNull});
  end_.emplace([this] { request_stop(); });
  const auto deadline = std::chrono::steady_clock::now() + kStartPatience;
  while (!is_ready()) {
    if (server_->status_within(std::chrono::milliseconds(20))) {
      throw IoError("PostgreSQL did not start: " + last_line(cluster_ / "log"));
    }
    if (std::chrono::steady_clock::now() > deadline) {
      throw IoError("PostgreSQL did not accept connections within 30 s");
    }
  }
}

void PostgresProcess::request_stop() const noexcept {
  try {
    const std::filesystem::path pid_file = cluster_ / "postmaster.pid";
    const std::vector<std::string> lines = lines_of(pid_file);
    const int pid = lines.empty() ? 0 : std::atoi(lines.front().c_str());
    if (pid <= 0 || ::kill(pid, SIGINT) != 0) return;
    const auto deadline = std::chrono::steady_clock::now() + kStopPatience;
    while (std::filesystem::exists(pid_file) && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  } catch (...) {
    // If the server does not stop in time, the destructor of server_ kills the server.
  }
}

bool PostgresProcess::is_ready() const {
  constexpr std::size_t kStatusLine = 7;
  const std::vector<std::string> lines = lines_of(cluster_ / "postmaster.pid");
  return lines.size() > kStatusLine && lines[kStatusLine].starts_with("ready");
}

std::string PostgresProcess::last_line(const std::filesystem::path& log) const {
  const std::vector<std::string> lines = lines_of(log);
  return lines.empty() ? "it wrote nothing" : lines.back();
}

std::string PostgresProcess::connection_string() const {
  return fmt::format("host={} user=bloometry dbname=postgres", folder_.path().string());
}

}  // namespace bloometry
