/// Boost.Bloom (Boost 1.89 or later) as a subject of `bloometry verify --subject`: the line
/// protocol of ../README.md. Keys are the 64-bit integers behind the 16 hex digits.
///
///   g++ -std=c++17 -O2 -march=native -o boost_bloom_subject boost_bloom_subject.cc
///   boost_bloom_subject FILTER HASH N P --sizes    prints the m and k that the library chooses
///   boost_bloom_subject FILTER HASH N P            the subject; `new` must request these sizes
///
/// FILTER is classic, multiblock32 or multiblock64. HASH is default (boost::hash, which the library
/// mixes further), or splitmix64, marked as avalanching, which the library uses as it is.
#include <boost/bloom.hpp>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <type_traits>

namespace {

/// The finaliser of splitmix64: every bit of the key affects every bit of the hash.
struct SplitMix64 {
  using is_avalanching = std::true_type;

  std::size_t operator()(std::uint64_t key) const noexcept {
    key = (key ^ key >> 30U) * 0xbf58476d1ce4e5b9U;
    key = (key ^ key >> 27U) * 0x94d049bb133111ebU;
    return key ^ key >> 31U;
  }
};

/// Sizes requested by `new`.
struct Sizes {
  std::uint64_t num_bits = 0;
  unsigned num_hashes = 0;

  friend bool operator==(const Sizes& a, const Sizes& b) {
    return a.num_bits == b.num_bits && a.num_hashes == b.num_hashes;
  }
};

std::uint64_t read_key() {
  std::string digits;
  if (!(std::cin >> digits)) std::exit(0);
  return std::strtoull(digits.c_str(), nullptr, 16);
}

template <class Filter>
std::string reply_to(const std::string& verb, Filter& filter, const Sizes& chosen) {
  std::uint64_t count = 0;
  std::cin >> count;  // of new: the number of keys, which the command line already contains
  std::string answers;
  if (verb == "new") {
    Sizes requested;
    std::cin >> requested.num_bits >> requested.num_hashes;
    if (!(requested == chosen)) {
      return "error the library chooses m = " + std::to_string(chosen.num_bits) +
             ", k = " + std::to_string(chosen.num_hashes);
    }
    filter.clear();
    return "ok";
  }
  if (verb == "insert") {
    while (count-- > 0) filter.insert(read_key());
    return "ok";
  }
  if (verb == "query") {
    while (count-- > 0) answers += filter.may_contain(read_key()) ? '1' : '0';
    return answers;
  }
  return "error unknown request " + verb;
}

/// Serves the requests, or prints the sizes.
template <std::size_t kProbes, class Subfilter, unsigned kNumHashes, class Hash>
int serve(std::size_t num_keys, double rate, bool prints_sizes) {
  boost::bloom::filter<std::uint64_t, kProbes, Subfilter, 0, Hash> filter(num_keys, rate);
  const Sizes chosen{filter.capacity(), kNumHashes};
  if (prints_sizes) {
    std::cout << chosen.num_bits << ' ' << chosen.num_hashes << '\n';
    return 0;
  }
  for (std::string verb; std::cin >> verb;) {
    std::cout << reply_to(verb, filter, chosen) << std::endl;
  }
  return 0;
}

template <class Hash>
int serve(std::string_view filter, std::size_t num_keys, double rate, bool prints_sizes) {
  using namespace boost::bloom;
  // k is part of the types: 7 and 8 suit 1 %.
  if (filter == "classic") {
    return serve<7, block<unsigned char, 1>, 7, Hash>(num_keys, rate, prints_sizes);
  }
  if (filter == "multiblock32") {
    return serve<1, fast_multiblock32<8>, 8, Hash>(num_keys, rate, prints_sizes);
  }
  if (filter == "multiblock64") {
    return serve<1, fast_multiblock64<8>, 8, Hash>(num_keys, rate, prints_sizes);
  }
  std::cerr << "FILTER must be classic, multiblock32 or multiblock64, got '" << filter << "'\n";
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view hash = argc > 2 ? argv[2] : "";
  if (argc < 5 || (hash != "default" && hash != "splitmix64")) {
    std::cerr << "usage: boost_bloom_subject classic|multiblock32|multiblock64 default|splitmix64 "
                 "N P [--sizes]\n";
    return 2;
  }
  std::ios::sync_with_stdio(false);
  const auto num_keys = static_cast<std::size_t>(std::strtod(argv[3], nullptr));  // also 1e6
  const double rate = std::strtod(argv[4], nullptr);
  return hash == "default" ? serve<boost::hash<std::uint64_t>>(argv[1], num_keys, rate, argc > 5)
                           : serve<SplitMix64>(argv[1], num_keys, rate, argc > 5);
}
