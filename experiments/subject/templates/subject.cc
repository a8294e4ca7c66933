// A subject of `bloometry verify --subject`: a filter that answers the requests of the line
// protocol.
//
//     bloometry verify --subject-template cpp > my_filter.cpp && c++ -O2 -o my_filter my_filter.cpp
//     bloometry verify --subject ./my_filter --claim standard -n 1000 -m 9586 -k 7
//
// Replace the functions of the class Filter by calls of your filter. The other lines can stay as
// they are. experiments/subject/README.md describes the protocol, with the further requests `erase`
// and `merge`. Needs C++11.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// A standard Bloom filter of m bits with k probes per key. A key is the text of a line.
class Filter {
 public:
  Filter(std::uint64_t /*num_keys*/, std::size_t num_bits, unsigned num_hashes)
      : bits_(num_bits), num_hashes_(num_hashes) {}

  void insert(const std::string& key) {
    for (const std::size_t i : indices(key)) bits_[i] = true;
  }

  bool contains(const std::string& key) const {
    for (const std::size_t i : indices(key)) {
      if (!bits_[i]) return false;
    }
    return true;
  }

  std::size_t num_set_bits() const {
    return static_cast<std::size_t>(std::count(bits_.begin(), bits_.end(), true));
  }

 private:
  // The finaliser of SplitMix64: every bit of the word affects every bit of the result.
  static std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9U;
    word = (word ^ word >> 27) * 0x94d049bb133111ebU;
    return word ^ word >> 31;
  }

  std::vector<std::size_t> indices(const std::string& key) const {
    std::uint64_t hash = key.size();
    for (const char c : key) hash = mixed(hash + static_cast<unsigned char>(c) + 1);
    std::vector<std::size_t> result;
    for (unsigned i = 0; i < num_hashes_; ++i) {
      hash += 0x9e3779b97f4a7c15U;
      result.push_back(static_cast<std::size_t>(mixed(hash) % bits_.size()));
    }
    return result;
  }

  std::vector<bool> bits_;
  unsigned num_hashes_;
};

static std::string next_line() {
  std::string line;
  std::getline(std::cin, line);
  return line;
}

int main() {
  std::ios::sync_with_stdio(false);
  Filter tested(1, 1, 1);
  for (std::string line = next_line(); std::cin; line = next_line()) {
    std::istringstream words(line);
    std::string request;
    std::size_t count = 0;  // of keys; after `new`, the number of keys of the filter
    words >> request >> count;
    std::string reply;
    if (request == "new") {
      std::size_t num_bits = 0;
      unsigned num_hashes = 0;
      words >> num_bits >> num_hashes;
      tested = Filter(count, num_bits, num_hashes);
      reply = "ok fill";  // "ok" if your filter cannot count its set bits
    } else if (request == "insert") {
      for (; count > 0; --count) tested.insert(next_line());
      reply = "ok";
    } else if (request == "query") {
      for (; count > 0; --count) reply += tested.contains(next_line()) ? '1' : '0';
    } else if (request == "fill") {
      reply = std::to_string(tested.num_set_bits());
    } else {
      reply = "error unknown request " + request;
    }
    std::cout << reply << std::endl;  // flushes the reply
  }
}
