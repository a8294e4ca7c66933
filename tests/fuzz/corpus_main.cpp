// Runs every committed input through its target, without a fuzzer: corpus_main CORPUS GOLDEN. A
// broken guarantee or an allocation beyond the limit ends the process. The last output line then
// names the input. The last line of a complete run is `N passed, N failed`.

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/allocation_limit.hpp"
#include "tests/fuzz/file_parts.hpp"
#include "tests/fuzz/targets.hpp"

namespace {

namespace fs = std::filesystem;

struct Target {
  const char* name;
  bool (*run)(std::string_view input);
};

using namespace bloometry::fuzz;

constexpr std::array kTargets = {Target{"bloometry", run_bloometry},
                                 Target{"dcso", run_dcso},
                                 Target{"go_binary", run_go_binary},
                                 Target{"go_bitset", run_go_bitset},
                                 Target{"go_json", run_go_json},
                                 Target{"guava", run_guava},
                                 Target{"key_text", run_key_text},
                                 Target{"keys", run_keys},
                                 Target{"parquet_footer", run_parquet_footer},
                                 Target{"parquet_sbbf", run_parquet_sbbf},
                                 Target{"redis_bitmap", run_redis_bitmap},
                                 Target{"redisbloom", run_redisbloom},
                                 Target{"redisbloom_chunks", run_redisbloom_chunks}};

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Counts {
  int num_passed = 0;
  int num_failed = 0;

  void add(bool has_passed, const std::string& what) {
    ++(has_passed ? num_passed : num_failed);
    if (!has_passed) std::printf("FAIL %s\n", what.c_str());
  }
};

/// Runs the target with all files of a folder. The target must refuse files refused_*, may accept
/// or refuse files found_*, and must accept all other files.
void run_folder(const Target& target, const fs::path& folder, Counts& counts) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::ranges::sort(paths);
  counts.add(!paths.empty(), folder.string() + " has no files");
  for (const fs::path& path : paths) {
    std::printf("%s: %s\n", target.name, path.filename().c_str());
    std::fflush(stdout);
    const bool is_accepted = target.run(bytes_of(path));
    const std::string name = path.filename().string();
    if (name.starts_with("found_")) {
      counts.add(true, {});
    } else {
      counts.add(is_accepted != name.starts_with("refused_"),
                 path.string() + (is_accepted ? " was accepted" : " was refused"));
    }
  }
}

/// Runs the target `bloometry` with headers of 1 MiB, which are larger than any committed input. In
/// each header, one parameter is a list of 2^17 + 1 numbers.
void run_large_headers(Counts& counts) {
  const auto text = [](const char* name, const char* value) {
    return FieldPart{.type = 3, .is_needed = 1, .name = name, .value = value};
  };
  const auto integer = [](const char* name, char value) {
    return FieldPart{
        .type = 1, .is_needed = 1, .name = name, .value = value + std::string(7, '\0')};
  };
  for (const char* const param : {"param.unknown", "param.counter_bits"}) {
    std::printf("bloometry: %s of a million bytes\n", param);
    std::fflush(stdout);
    const FieldPart list = {.type = 4,
                            .is_needed = 1,
                            .name = param,
                            .value = std::string(((std::size_t{1} << 17U) + 1) * 8, '\x7f')};
    const FileParts parts = {
        .fields = {text("variant", "counting"), text("probes", "remix"), integer("num_cells", 100),
                   integer("cell_bits", 4), integer("num_hashes", 3), list},
        .payload = std::string(64, '\0')};
    counts.add(!run_bloometry(file_of(parts)), std::string(param) + " was accepted");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: corpus_main CORPUS GOLDEN_FILTERS\n", stderr);
    return 2;
  }
  Counts counts;
  for (const Target& target : kTargets) run_folder(target, fs::path(argv[1]) / target.name, counts);
  run_folder(kTargets.front(), argv[2], counts);
  run_large_headers(counts);
  print_allocation_record();
  std::printf("%d passed, %d failed\n", counts.num_passed, counts.num_failed);
  return counts.num_failed == 0 ? 0 : 1;
}
