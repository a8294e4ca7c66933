#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "experiments/plan/unit.hpp"
#include "experiments/trial/run_unit.hpp"

namespace bloometry {

/// What a sweep will take, told before anything runs.
struct PlanSummary {
  std::uint64_t num_units = 0;
  std::uint64_t num_rows = 0;
  std::uint64_t num_key_operations = 0;
  std::uint64_t shared_key_bytes = 0;  ///< kept digests and key files at their peak
  std::uint64_t unit_bytes = 0;        ///< as many of the largest units as there are threads
  std::uint64_t machine_bytes = 0;     ///< memory of this machine; 0: unknown
  double estimated_s = 0;  ///< from a rate measured for a moment on this machine: a rough guess
  std::map<std::string, std::uint64_t> studied;  ///< why rows are only studied -> how many

  [[nodiscard]] std::uint64_t peak_bytes() const noexcept { return shared_key_bytes + unit_bytes; }

  [[nodiscard]] bool fits_machine() const noexcept {
    return machine_bytes == 0 || peak_bytes() <= machine_bytes;
  }
};

[[nodiscard]] PlanSummary summarize_plan(std::span<const Unit> units, Engine engine,
                                         unsigned num_threads, std::uint64_t memory_bytes);

/// Key operations that one thread answers in a second, measured for about 50 ms.
[[nodiscard]] double measure_operations_per_s(Engine engine);

}  // namespace bloometry
