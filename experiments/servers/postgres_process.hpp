#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/files/scratch_folder.hpp"
#include "experiments/process/child_process.hpp"
#include "experiments/process/sudden_end.hpp"

namespace bloometry {

/// Returns the folder of initdb and postgres, or nullopt if PostgreSQL is not installed. The result
/// is the newest folder /usr/lib/postgresql/*/bin (Debian) if one exists, or else the folder of
/// PATH that contains initdb.
[[nodiscard]] std::optional<std::filesystem::path> postgres_programs();

/// A PostgreSQL server that runs in the foreground as a child of this process. The server's cluster
/// and Unix socket are in a temporary folder. The server does not listen on a TCP port.
///
/// PostgreSQL refuses to run as root. If this process runs as root, the server runs as the user
/// `nobody`, otherwise as the user of this process. The destructor stops it with SIGINT (a "fast
/// shutdown"), so that it releases its shared memory. Processes of the server that remain after 5 s
/// are killed.
class PostgresProcess {
 public:
  /// Creates an empty cluster with the superuser `bloometry`, starts the server, and waits until
  /// the server accepts connections. The server does not flush commits to disk (fsync=off).
  /// @throws IoError if PostgreSQL is not installed or does not start
  PostgresProcess();
  ~PostgresProcess();
  PostgresProcess(const PostgresProcess&) = delete;
  PostgresProcess& operator=(const PostgresProcess&) = delete;

  /// Returns the argument for PQconnectdb: `host=/tmp/... user=bloometry dbname=postgres`.
  [[nodiscard]] std::string connection_string() const;

 private:
  void start();
  /// Sends SIGINT to the server and waits until the server has removed its pid file, at most 5 s.
  void request_stop() const noexcept;
  [[nodiscard]] bool is_ready() const;
  /// Returns the last line of the file `log`, which the server has written.
  [[nodiscard]] std::string last_line(const std::filesystem::path& log) const;

  ScratchFolder folder_{"bloometry-postgres-"};
  std::filesystem::path cluster_;
  std::unique_ptr<ChildProcess> server_;
  std::optional<AtSuddenEnd> end_;
};

}  // namespace bloometry
