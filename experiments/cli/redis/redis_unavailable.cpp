#include "core/error.hpp"
#include "experiments/cli/redis/redis_options.hpp"

// The commands in a build without hiredis.
namespace bloometry {
namespace {

[[noreturn]] void refuse() {
  throw IoError(
      "this build does not support Redis: hiredis was not found, or BLOOMETRY_BUILD_REDIS is OFF "
      "(Debian: libhiredis-dev)");
}

}  // namespace

int redis_load_command(const redis_cli::LoadOptions& /*options*/) {
  refuse();
}

int redis_pull_command(const redis_cli::PullOptions& /*options*/) {
  refuse();
}

int redis_query_command(const redis_cli::QueryOptions& /*options*/) {
  refuse();
}

int redis_add_command(const redis_cli::AddOptions& /*options*/) {
  refuse();
}

int redis_create_command(const redis_cli::CreateOptions& /*options*/) {
  refuse();
}

int redis_info_command(const redis_cli::InfoOptions& /*options*/) {
  refuse();
}

int redis_drop_command(const redis_cli::DropOptions& /*options*/) {
  refuse();
}

}  // namespace bloometry
