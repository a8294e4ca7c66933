// Prints the time in seconds to insert the lines of a file into a filter in one batch. The measured
// time does not include reading the file and dividing it into lines. build_speed.sh compares
// `bloometry filter build` with this program.
//
//   batch_insert standard|blocked FILE RATE [REPETITIONS]

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/any_filter/keyed.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/registry/sizing.hpp"
#include "variants/standard/standard_filter.hpp"

namespace {

using namespace bloometry;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

double seconds_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class F>
void time_insert(const std::vector<std::string_view>& keys, double rate) {
  const SizeAnswer size =
      solve_size(find_variant(F::kName), {.num_keys = keys.size(), .rate = rate});
  const double wall = seconds_of(CLOCK_MONOTONIC);
  const double processor = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  Keyed<F> filter({.num_bits = size.num_cells, .num_hashes = size.num_hashes});
  filter.insert(keys);
  std::cout << seconds_of(CLOCK_MONOTONIC) - wall << ' '
            << seconds_of(CLOCK_PROCESS_CPUTIME_ID) - processor << '\n';
  if (!filter.contains(keys.front())) std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  std::ifstream file(words.at(1), std::ios::binary);
  std::ostringstream buffer;
  buffer << file.rdbuf();
  const std::string text = std::move(buffer).str();
  const std::vector<std::string_view> keys = lines_of(text);
  const double rate = std::stod(words.at(2));
  if (words[0] == "blocked") {
    time_insert<BlockedFilter>(keys, rate);
  } else {
    time_insert<StandardFilter>(keys, rate);
  }
}
