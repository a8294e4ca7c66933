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

/// The program of a Redis server: redis-server, or redis-check-rdb of Debian's redis-tools, which
/// is the same program and becomes the server when it is started under that name.
/// @throws IoError if neither is installed
[[nodiscard]] std::filesystem::path redis_server_program();

/// A real server in the foreground below this process, with a folder of its own; it is ended by its
/// pid, whatever ends this program.
class RedisProcess {
 public:
  /// Starts it on a free port of 127.0.0.1 without persistence, unless the options say otherwise,
  /// and returns when it answers PING. @param options as on its command line
  explicit RedisProcess(std::vector<std::string> options = {});

  /// SIGKILL, and wait until it is gone.
  void kill();

  /// Starts it again, in the same folder and on the same port.
  void restart();

  /// The process itself, for SIGSTOP and SIGCONT.
  [[nodiscard]] int pid() const;

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

  [[nodiscard]] RedisUrl url() const { return {.host = "127.0.0.1", .port = port_}; }

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  void start();

  ScratchFolder folder_{"bloometry-redis-"};
  std::uint16_t port_;
  std::vector<std::string> options_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace bloometry
