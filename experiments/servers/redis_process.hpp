#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/redis/redis_url.hpp"
#include "experiments/files/scratch_folder.hpp"
#include "experiments/process/child_process.hpp"
#include "experiments/servers/free_port.hpp"

namespace bloometry {

/// Returns the path of redis-server, or of redis-check-rdb from Debian's redis-tools. The programs
/// redis-server and redis-check-rdb are the same file. Started under the name redis-server, this
/// file runs as the server.
/// @throws IoError if neither file is installed
[[nodiscard]] std::filesystem::path redis_server_program();

/// A Redis server that runs in the foreground as a child of this process, with its own folder. The
/// server is killed when this program ends, even after SIGKILL.
class RedisProcess {
 public:
  /// Starts the server on a free port of 127.0.0.1 and waits until the server answers PING. The
  /// server persists data only if the options enable persistence.
  /// @param options command-line options of redis-server
  /// @param launcher words that precede the program, such as `env` and a variable
  explicit RedisProcess(std::vector<std::string> options = {},
                        std::vector<std::string> launcher = {});

  /// Sends SIGKILL to the server and waits until the process has ended.
  void kill();

  /// Restarts the server in the same folder and on the same port.
  void restart();

  /// Returns the process id of the server, for example for SIGSTOP and SIGCONT.
  [[nodiscard]] int pid() const;

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

  [[nodiscard]] RedisUrl url() const { return {.host = "127.0.0.1", .port = port_}; }

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  void start();

  ScratchFolder folder_{"bloometry-redis-"};
  std::uint16_t port_;
  std::vector<std::string> options_;
  std::vector<std::string> launcher_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace bloometry
