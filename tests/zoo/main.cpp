// bloometry_zoo NAME: the inhabitant of that name, speaking the line protocol of
// experiments/subject/README.md on standard input and output. Without a name: the list of them.
// For tests of the verdict only; no part of the product.

#include <cstdint>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

#include "tests/zoo/zoo_filter.hpp"

namespace {

using namespace bloometry::zoo;

/// Calls `use` with each of the next `count` lines.
template <class Use>
void for_each_key(std::uint64_t count, Use use) {
  std::string key;
  for (std::uint64_t i = 0; i < count && std::getline(std::cin, key); ++i) use(key);
}

class Session {
 public:
  explicit Session(const Inhabitant& inhabitant) : inhabitant_(inhabitant) {}

  std::string answer(const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    words >> verb;
    if (verb == "new") {
      words >> sizes_.num_keys >> sizes_.num_cells >> sizes_.num_hashes;
      filter_ = inhabitant_.make(sizes_);
      return "ok";
    }
    std::uint64_t count = 0;
    words >> count;
    return filter_ ? answer_with_keys(verb, count) : "error no filter yet";
  }

 private:
  std::string answer_with_keys(const std::string& verb, std::uint64_t count) {
    if (verb == "insert") {
      for_each_key(count, [this](const std::string& key) { filter_->insert(key); });
      return "ok";
    }
    if (verb == "merge") {
      const auto other = inhabitant_.make(sizes_);
      for_each_key(count, [&](const std::string& key) { other->insert(key); });
      filter_->merge(*other);
      return "ok";
    }
    std::string bits;
    if (verb == "query") {
      for_each_key(count,
                   [&](const std::string& key) { bits += filter_->contains(key) ? '1' : '0'; });
      return bits;
    }
    if (verb == "erase") {
      for_each_key(count, [&](const std::string& key) { bits += filter_->erase(key) ? '1' : '0'; });
      return bits;
    }
    return "error unknown request " + verb;
  }

  const Inhabitant& inhabitant_;
  Sizes sizes_;
  std::unique_ptr<ZooFilter> filter_;
};

int list() {
  for (const Inhabitant& inhabitant : inhabitants()) {
    std::cout << inhabitant.name << '\t' << inhabitant.published << '\n';
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  if (argc < 2) return list();
  for (const Inhabitant& inhabitant : inhabitants()) {
    if (inhabitant.name != argv[1]) continue;
    Session session(inhabitant);
    std::string line;
    while (std::getline(std::cin, line)) std::cout << session.answer(line) << std::endl;
    return 0;
  }
  std::cerr << "bloometry_zoo: no inhabitant " << argv[1] << '\n';
  return 2;
}
