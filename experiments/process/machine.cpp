#include "experiments/process/machine.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "bloometry_build_info.hpp"
#include "core/isa/isa.hpp"
#include "core/store/system_memory.hpp"

namespace bloometry {
namespace {

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return "unknown";
#endif
}

std::string first_line(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string cpu_model() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

/// Returns the caches of the first core, for example `L1 Data 32K` and `L2 Unified 1024K`.
nlohmann::json caches() {
  nlohmann::json list = nlohmann::json::array();
  for (int i = 0; i < 8; ++i) {
    const std::filesystem::path cache =
        fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}", i);
    const std::string level = first_line(cache / "level");
    if (level.empty()) break;
    list.push_back(
        fmt::format("L{} {} {}", level, first_line(cache / "type"), first_line(cache / "size")));
  }
  return list;
}

}  // namespace

nlohmann::json describe_build_and_machine() {
  return {{"version", BLOOMETRY_VERSION},
          {"git_revision", BLOOMETRY_GIT_REVISION},
          {"compiler", compiler()},
          {"build_type", BLOOMETRY_BUILD_TYPE},
          {"compiler_flags", BLOOMETRY_COMPILE_FLAGS},
          {"cpu", cpu_model()},
          {"isa", isa_name(active_isa())},
          {"num_cpus", std::thread::hardware_concurrency()},
          {"caches", caches()},
          {"memory_bytes", machine_memory_bytes()}};
}

unsigned num_usable_cpus() {
  ::cpu_set_t cpus;
  CPU_ZERO(&cpus);
  const bool is_known = ::sched_getaffinity(0, sizeof(cpus), &cpus) == 0;
  const unsigned count =
      is_known ? static_cast<unsigned>(CPU_COUNT(&cpus)) : std::thread::hardware_concurrency();
  return std::max(1U, count);
}

std::uint64_t machine_memory_bytes() {
  return system_memory::machine_bytes();
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text.data(), size};
}

}  // namespace bloometry
