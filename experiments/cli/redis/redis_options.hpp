#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/filter/filter_options.hpp"
#include "variants/redis/rotating_parameters.hpp"

/// Options of the `bloometry redis` commands, as parsed from the command line.
namespace bloometry::redis_cli {

struct ServerOptions {
  std::optional<std::string> url;  ///< absent: the URL in the environment, or this machine
  std::string user;                ///< empty: the user in the URL
  std::optional<std::filesystem::path> password_file;
  std::optional<std::uint64_t> timeout_ms;
  std::optional<std::uint64_t> num_retries;
};

/// A filter on a Redis server.
struct TargetOptions {
  ServerOptions server{};
  std::string key;
  // The options of another program's bitmap. Redis does not store the parameters of such a bitmap.
  std::string scheme;
  SizeRequest sizes{};                          ///< m and k
  std::optional<std::filesystem::path> secret;  ///< file that contains the secret of the hash
};

struct LoadOptions {
  TargetOptions target{};
  FilterInput filter{};
  std::optional<std::uint64_t> ttl_s;
  std::optional<std::uint64_t> num_shards;
  bool replaces_anything = false;
  bool is_quiet = false;
};

struct PullOptions {
  TargetOptions target{};
  std::string from = "bloometry";  ///< kind of filter in Redis: bloometry or redisbloom
  std::filesystem::path out;
  bool is_quiet = false;
};

struct QueryOptions {
  TargetOptions target{};
  KeyOptions keys{};
  std::string method = "best";
  std::uint64_t batch_keys = 1000;
  bool is_inverted = false;
  bool counts = false;
};

struct AddOptions {
  TargetOptions target{};
  KeyOptions keys{};
  std::uint64_t batch_keys = 1000;
  std::optional<std::uint64_t> num_replicas;
  std::uint64_t wait_timeout_ms = 1000;
  bool creates = false;
  // The filter to create.
  PointOptions point{.variant = "standard"};
  std::string hash = "xxh3";
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> ttl_s;
  /// Options on the command line that require --create, and options whose values a foreign scheme
  /// fixes.
  std::vector<std::string> create_only;
  std::vector<std::string> own_only;
};

/// A rotating filter to create.
struct CreateOptions {
  TargetOptions target{};
  RotatingRequest filter{};
  std::string hash = "xxh3";
  std::optional<std::uint64_t> seed;
  bool is_quiet = false;
};

struct InfoOptions {
  TargetOptions target{};
  bool json = false;
};

struct DropOptions {
  TargetOptions target{};
};

}  // namespace bloometry::redis_cli

namespace bloometry {

// The commands of `bloometry redis`. The header exit_code.hpp states the conventions of all
// commands. In a build without hiredis, all commands of `redis` throw IoError.
int redis_load_command(const redis_cli::LoadOptions& options);
int redis_pull_command(const redis_cli::PullOptions& options);
int redis_query_command(const redis_cli::QueryOptions& options);
int redis_add_command(const redis_cli::AddOptions& options);
int redis_create_command(const redis_cli::CreateOptions& options);
int redis_info_command(const redis_cli::InfoOptions& options);
int redis_drop_command(const redis_cli::DropOptions& options);

}  // namespace bloometry
