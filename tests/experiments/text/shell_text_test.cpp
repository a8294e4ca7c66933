#include "experiments/text/shell_text.hpp"

#include <array>
#include <cstdio>
#include <string>

#include "tests/support/catch.hpp"

using namespace bloometry;

TEST_CASE("shell_text: plain words are not quoted", "[text]") {
  CHECK(shell_word("results/first") == "results/first");
  CHECK(shell_word("--threads=2") == "--threads=2");
}

TEST_CASE("shell_text: a shell reads every word back", "[text]") {
  for (const std::string word :
       {"", "a b", "it's", "$HOME", "`id`", "a;b", "\"", "*", "~", "a\\b", "''", "é"}) {
    INFO(word);
    const std::string command = "printf '%s' " + shell_word(word);
    FILE* const pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 64> block{};
    const std::string read(block.data(), std::fread(block.data(), 1, block.size(), pipe));
    CHECK(::pclose(pipe) == 0);
    CHECK(read == word);
  }
}

TEST_CASE("shell_text: words are separated by spaces", "[text]") {
  const std::array words = {"bloometry", "sweep", "run", "my config.json"};
  CHECK(shell_text(words) == "bloometry sweep run 'my config.json'");
}
