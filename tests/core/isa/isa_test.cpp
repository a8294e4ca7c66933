#include "core/isa/isa.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

namespace bloometry {
namespace {

/// Sets the environment variable BLOOMETRY_ISA during the lifetime of the object. The value nullptr
/// unsets the variable.
class IsaVariable {
 public:
  explicit IsaVariable(const char* value) {
    if (const char* before = std::getenv(kIsaVariable)) before_ = before;
    set(value);
  }

  IsaVariable(const IsaVariable&) = delete;
  IsaVariable& operator=(const IsaVariable&) = delete;

  ~IsaVariable() { set(before_ ? before_->c_str() : nullptr); }

 private:
  static void set(const char* value) {
    value == nullptr ? unsetenv(kIsaVariable) : setenv(kIsaVariable, value, 1);
  }

  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE(
    "isa: supported instruction sets are sorted, start with the baseline and include the active "
    "one",
    "[core][isa]") {
  const std::vector<Isa> isas = supported_isas();
  REQUIRE(!isas.empty());
  CHECK(isas.front() == Isa::kBaseline);
  CHECK(std::is_sorted(isas.begin(), isas.end()));
  CHECK(std::count(isas.begin(), isas.end(), active_isa()) == 1);
}

TEST_CASE("isa: the baseline has no AES", "[core][isa]") {
  CHECK((!uses_aes_instructions() || active_isa() != Isa::kBaseline));
}

TEST_CASE("isa: every supported name is accepted, and so is a missing name", "[core][isa]") {
  for (const Isa isa : supported_isas()) {
    const IsaVariable variable(std::string(isa_name(isa)).c_str());
    CHECK_NOTHROW(require_valid_isa_choice());
  }
  const IsaVariable none(nullptr);
  CHECK_NOTHROW(require_valid_isa_choice());
}

TEST_CASE("isa: other names are refused with the list of allowed names", "[core][isa]") {
  for (const char* value : {"sse9", "AVX2", "", "avx2 "}) {
    const IsaVariable variable(value);
    const std::string message = test::message_of<ConfigError>([] { require_valid_isa_choice(); });
    CAPTURE(message);
    CHECK(message.starts_with("environment variable BLOOMETRY_ISA must be one of baseline"));
    CHECK(message.ends_with(std::string("got '") + value + "'"));
  }
}

}  // namespace bloometry
