#pragma once

#include "experiments/servers/redis_process.hpp"

namespace bloometry::test {

using bloometry::free_port;
using bloometry::redis_server_program;
using bloometry::RedisProcess;

}  // namespace bloometry::test
