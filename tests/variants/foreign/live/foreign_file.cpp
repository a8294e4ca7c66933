// Filters of other programs on the command line, for tests that exchange files with those programs.
//
//   foreign_file write FORMAT PARAMETERS... <keys >file        reads one key per line
//   foreign_file query FORMAT PARAMETERS... FILE <keys         prints 0 or 1, one per line
//   foreign_file indices redis_bitmap SCHEME M K <keys         prints the indices, one per line
//
// FORMAT and PARAMETERS of write: guava FUNNEL STRATEGY N P; go_binary N P; go_json N P;
// redis_bitmap SCHEME M K. FORMAT and PARAMETERS of query: guava FUNNEL; go_binary; go_json;
// redis_bitmap SCHEME M K; go_bitset SCHEME M K (the bit set of Go; SCHEME is go_seeded).

#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "variants/foreign/go_bits_and_blooms/go_bits_and_blooms_filter.hpp"
#include "variants/foreign/guava/guava_filter.hpp"
#include "variants/foreign/redis_bitmap/redis_bitmap_filter.hpp"

namespace bloometry {
namespace {

using Words = std::vector<std::string>;

std::string bytes_of(std::istream& in) {
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string file_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return bytes_of(in);
}

/// Returns the key in a line. The line contains an ASCII string or a number.
GuavaKey guava_key(const std::string& funnel, const std::string& line) {
  if (funnel == "long") return std::int64_t{std::stoll(line)};
  if (funnel == "int") return std::int32_t{std::stoi(line)};
  if (funnel == "chars") return std::u16string(line.begin(), line.end());
  return line;
}

/// Inserts or queries the key that `key_of` returns for each line.
template <class Filter, class KeyOf>
Filter filled(Filter filter, KeyOf key_of) {
  for (std::string line; std::getline(std::cin, line);) filter.insert(key_of(line));
  return filter;
}

template <class Filter, class KeyOf>
void answer(const Filter& filter, KeyOf key_of) {
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << filter.contains(key_of(line)) << '\n';
  }
}

std::string same(const std::string& line) {
  return line;
}

RedisSizes redis_sizes(const Words& words) {
  return {std::stoull(words.at(3)), static_cast<unsigned>(std::stoul(words.at(4)))};
}

void write(const Words& words) {
  const std::string& format = words.at(1);
  if (format == "guava") {
    const auto filter =
        filled(GuavaFilter::for_capacity(std::stoull(words.at(4)), std::stod(words.at(5)),
                                         static_cast<GuavaStrategy>(std::stoi(words.at(3)))),
               [&](const std::string& line) { return guava_key(words.at(2), line); });
    std::cout << filter.serialize();
  } else if (format == "redis_bitmap") {
    const RedisBitmapFilter filter(redis_scheme_named(words.at(2)), redis_sizes(words));
    std::cout << filled(filter, same).serialize();
  } else {
    const auto filter = filled(
        GoBitsAndBloomsFilter::for_capacity(std::stoull(words.at(2)), std::stod(words.at(3))),
        same);
    std::cout << (format == "go_json" ? filter.serialize_json() : filter.serialize());
  }
}

void query(const Words& words) {
  const std::string& format = words.at(1);
  const std::string bytes = file_bytes(words.back());
  if (format == "guava") {
    answer(GuavaFilter::parse(bytes),
           [&](const std::string& line) { return guava_key(words.at(2), line); });
  } else if (format == "redis_bitmap") {
    answer(RedisBitmapFilter::parse(bytes, redis_scheme_named(words.at(2)), redis_sizes(words)),
           same);
  } else if (format == "go_bitset") {
    answer(RedisBitmapFilter::parse_go_bitset(bytes, redis_sizes(words)), same);
  } else {
    answer(format == "go_json" ? GoBitsAndBloomsFilter::parse_json(bytes)
                               : GoBitsAndBloomsFilter::parse(bytes),
           same);
  }
}

void print_indices(const Words& words) {
  const RedisBitmapFilter filter(redis_scheme_named(words.at(2)), redis_sizes(words));
  for (std::string line; std::getline(std::cin, line);) {
    for (const std::uint64_t index : filter.indices(line)) std::cout << index << '\n';
  }
}

void run(const Words& words) {
  const std::string& verb = words.at(0);
  if (verb == "write") return write(words);
  if (verb == "query") return query(words);
  if (verb == "indices") return print_indices(words);
  throw std::runtime_error("unknown verb " + verb);
}

}  // namespace
}  // namespace bloometry

int main(int argc, char** argv) {
  try {
    bloometry::run({argv + 1, argv + argc});
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 2;
  }
}
