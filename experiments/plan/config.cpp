#include "experiments/plan/config.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <utility>

#include "experiments/plan/config_reader.hpp"
#include "experiments/plan/json_document.hpp"
#include "experiments/unit/key_demand.hpp"
#include "experiments/workload/key_file.hpp"

namespace bloometry {
namespace {

std::vector<Problem> problems_of(const std::vector<std::string>& lines) {
  std::vector<Problem> problems;
  for (const std::string& line : lines) problems.push_back({.text = line});
  return problems;
}

[[noreturn]] void refuse_path(const std::filesystem::path& path, const std::string& why) {
  throw ConfigFileError({"config " + path.string() + " cannot be read: " + why});
}

std::string read_text_file(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) refuse_path(path, "it is a folder");
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse_path(path, std::strerror(errno));
  std::string text;
  std::array<char, 1U << 16U> block{};
  while (in.read(block.data(), block.size()) || in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) throw IoError("config " + path.string() + " cannot be read");
  return text;
}

/// The largest demand of any unit on each file, by the file's name in rows.
std::map<std::string, KeyDemand> file_demands(const std::vector<Unit>& units) {
  std::map<std::string, KeyDemand> demands;
  for (const Unit& unit : units) {
    if (unit.keys.kind != KeySource::Kind::kFile) continue;
    const KeyDemand demand = key_demand(unit);
    KeyDemand& largest = demands[unit.keys.name];
    if (demand.num_keys() > largest.num_keys()) largest = demand;
  }
  return demands;
}

std::string too_few_lines(const KeyFile& file, const KeyDemand& demand) {
  return "has " + std::to_string(file.lines().size()) + " distinct lines (" +
         std::to_string(file.num_duplicates()) + " duplicates dropped), " +
         std::to_string(demand.num_keys()) + " are needed: " + std::to_string(demand.num_members) +
         " members and " + std::to_string(demand.num_nonmembers()) + " queries";
}

/// Complains of key files that are too small for the sweep.
void check_key_files(const Config& config, ProblemList& problems) {
  const bool has_files =
      std::any_of(config.keys.begin(), config.keys.end(),
                  [](const KeySource& source) { return source.kind == KeySource::Kind::kFile; });
  if (!has_files) return;
  const std::map<std::string, KeyDemand> demands = file_demands(expand(config));
  for (std::size_t i = 0; i < config.keys.size(); ++i) {
    const auto demand = demands.find(config.keys[i].name);
    if (demand == demands.end()) continue;
    const KeyFile file(config.keys[i].path);
    if (file.lines().size() >= demand->second.num_keys()) continue;
    problems.add([&] {
      return "/keys: " + printable(config.keys[i].name, kMaxShownPointer) + " " +
             too_few_lines(file, demand->second);
    });
  }
}

/// Keys that are erased wrongfully must not be asked afterwards; popular ones would be.
void check_zipf_keys(const Config& config, ProblemList& problems) {
  const bool has_wrongful_erases =
      std::any_of(config.grids.begin(), config.grids.end(),
                  [](const Grid& grid) { return grid.churn && grid.churn->wrongful_erases > 0; });
  for (const KeySource& source : config.keys) {
    if (source.kind != KeySource::Kind::kZipf || !has_wrongful_erases) continue;
    problems.add([&] { return "/keys: " + source.name + " cannot be used with wrongful_erases"; });
  }
}

}  // namespace

ConfigFileError::ConfigFileError(const std::vector<std::string>& lines)
    : ConfigError(problems_of(lines)) {}

Config load_config(const std::filesystem::path& path) {
  JsonDocument document;
  try {
    document = parse_json(read_text_file(path));
  } catch (const ConfigFileError& error) {
    std::vector<std::string> problems;
    for (const Problem& problem : error.problems()) {
      const std::string line = problem.line();
      const bool names_file = line.find(path.string()) != std::string::npos;
      problems.push_back(names_file ? line : path.string() + ": " + line);
    }
    throw ConfigFileError(problems);
  }
  ProblemList problems = std::move(document.problems);
  Config config = read_config(document.value, {.base = path.parent_path()}, problems);
  if (problems.empty()) check_zipf_keys(config, problems);
  if (problems.empty()) check_key_files(config, problems);
  if (!problems.empty()) throw ConfigFileError(problems.lines());
  return config;
}

Config config_from_json(const nlohmann::json& resolved) {
  ProblemList problems;
  Config config = read_config(resolved, {.base = {}, .is_allowed = false}, problems);
  if (!problems.empty()) throw ConfigFileError(problems.lines());
  return config;
}

}  // namespace bloometry
