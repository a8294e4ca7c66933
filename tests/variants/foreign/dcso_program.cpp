// Implements commands of the program `bloom` of DCSO/bloom with our filter. dcso_live.sh compares
// dcso_program with `bloom`.
//     dcso_program create FILE N P    inserts the lines of standard input
//     dcso_program check FILE         prints the lines of standard input that the filter contains

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "variants/foreign/dcso/dcso_filter.hpp"

namespace {

using bloometry::DcsoFilter;

void create(const std::string& path, const char* capacity, const char* rate) {
  auto filter =
      DcsoFilter::for_capacity(std::strtoull(capacity, nullptr, 10), std::strtod(rate, nullptr));
  for (std::string line; std::getline(std::cin, line);) filter.insert(line);
  std::ofstream(path, std::ios::binary) << filter.serialize();
}

void check(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const auto filter = DcsoFilter::parse(std::string(std::istreambuf_iterator<char>(file), {}));
  for (std::string line; std::getline(std::cin, line);) {
    if (filter.contains(line)) std::cout << line << '\n';
  }
}

/// Runs the command in the arguments. Returns false if the arguments are invalid.
bool run(const std::vector<std::string>& arguments) {
  if (arguments.size() == 4 && arguments[0] == "create") {
    create(arguments[1], arguments[2].c_str(), arguments[3].c_str());
  } else if (arguments.size() == 2 && arguments[0] == "check") {
    check(arguments[1]);
  } else {
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (run({argv + 1, argv + argc})) return 0;
    std::cerr << "usage: dcso_program create FILE N P | check FILE\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 3;
  }
}
