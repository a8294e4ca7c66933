// bloometry_zoo NAME [fill]: runs the named entry of inhabitants() with the line protocol of
// experiments/subject/README.md on standard input and output. With `fill`, the program also reports
// the number of set cells. Without a name the program prints the list of entries. The program is
// only for tests of the verdict and is not installed.

#include <cstdint>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/support/defects/subjects.hpp"

namespace {

using namespace bloometry::test;

/// Calls `use` with each of the next `count` lines of standard input.
template <class Use>
void for_each_key(std::uint64_t count, Use use) {
  std::string key;
  for (std::uint64_t i = 0; i < count && std::getline(std::cin, key); ++i) use(key);
}

class Session {
 public:
  Session(const Inhabitant& inhabitant, bool reports_fill)
      : inhabitant_(inhabitant), reports_fill_(reports_fill) {}

  std::string answer(const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    words >> verb;
    if (verb == "new") {
      words >> sizes_.num_keys >> sizes_.num_cells >> sizes_.num_hashes;
      filter_ = inhabitant_.make(sizes_);
      return reports_fill_ ? "ok fill" : "ok";
    }
    if (verb == "fill" && filter_) return std::to_string(filter_->num_set());
    std::uint64_t count = 0;
    words >> count;
    return filter_ ? answer_with_keys(verb, count) : "error no filter yet";
  }

 private:
  std::string answer_with_keys(const std::string& verb, std::uint64_t count) {
    if (verb == "insert") {
      bool is_full = false;
      for_each_key(count, [&](const std::string& key) {
        is_full = is_full || filter_->is_full();
        if (!is_full) filter_->insert(key);
      });
      return is_full || filter_->has_refused() ? "full" : "ok";
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
  bool reports_fill_;
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
    Session session(inhabitant, argc > 2 && argv[2] == std::string_view("fill"));
    std::string line;
    while (std::getline(std::cin, line)) std::cout << session.answer(line) << std::endl;
    return 0;
  }
  std::cerr << "bloometry_zoo: no inhabitant " << argv[1] << '\n';
  return 2;
}
