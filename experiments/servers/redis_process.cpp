#include "experiments/servers/redis_process.hpp"

#include <charconv>
#include <chrono>
#include <string_view>
#include <thread>

#include "core/error.hpp"
#include "core/redis/redis_error.hpp"
#include "core/redis/redis_server.hpp"
#include "experiments/servers/find_program.hpp"

namespace bloometry {

std::filesystem::path redis_server_program() {
  if (std::filesystem::path program = find_program("redis-server"); !program.empty()) {
    return program;
  }
  const std::filesystem::path program = find_program("redis-check-rdb");
  if (program.empty()) throw IoError("redis-server is not installed (Debian: redis-tools)");
  static const ScratchFolder folder("bloometry-redis-program-");
  const std::filesystem::path link = folder.path() / "redis-server";
  if (!std::filesystem::exists(link)) std::filesystem::create_symlink(program, link);
  return link;
}

RedisProcess::RedisProcess(std::vector<std::string> options, std::vector<std::string> launcher)
    : port_(free_port()), options_(std::move(options)), launcher_(std::move(launcher)) {
  start();
}

void RedisProcess::start() {
  std::vector<std::string> arguments = {redis_server_program().string(),
                                        "--port",
                                        std::to_string(port_),
                                        "--bind",
                                        "127.0.0.1",
                                        "--dir",
                                        folder_.path().string(),
                                        "--save",
                                        "",
                                        "--appendonly",
                                        "no",
                                        "--daemonize",
                                        "no",
                                        "--logfile",
                                        (folder_.path() / "log").string(),
                                        "--pidfile",
                                        (folder_.path() / "pid").string()};
  arguments.insert(arguments.begin(), launcher_.begin(), launcher_.end());
  arguments.insert(arguments.end(), options_.begin(), options_.end());
  process_ = std::make_unique<ChildProcess>(
      ChildProcess::Settings{.arguments = arguments, .errors = Stream::kNull});
  RedisServer server(url(), {}, {.max_attempts = 1});
  for (int i = 0; i < 400; ++i) {
    try {
      const RedisReply reply = server.command("", RedisCommands().add("PING"));
      if (reply.view().text() == "PONG") return;
    } catch (const RedisError& error) {
      if (error.failure() == RedisFailure::kRefused) return;  // the server requires a password
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  throw IoError("redis-server did not answer within 10 s");
}

void RedisProcess::kill() {
  process_.reset();
}

void RedisProcess::restart() {
  kill();
  start();
}

int RedisProcess::pid() const {
  RedisServer server(url(), {}, {.max_attempts = 1});
  const RedisReply reply = server.command("", RedisCommands().add("INFO", "server"));
  const std::string_view text = reply.view().text();
  constexpr std::string_view kField = "process_id:";
  const std::size_t at = text.find(kField) + kField.size();
  int pid = 0;
  std::from_chars(text.data() + at, text.data() + text.size(), pid);
  return pid;
}

}  // namespace bloometry
