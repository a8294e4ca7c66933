// Tests that debug builds detect every use of a moved-from filter except destruction and
// assignment. Each call runs in a separate process, which must end with an assertion that names the
// error. The test is a separate program, in which assertions are enabled in release builds too.

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/engine/batch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/variant_types.hpp"

#ifdef NDEBUG
#error "assertions must be on"
#endif

namespace bloometry {
namespace {

struct End {
  int status;
  std::string errors;
};

/// Runs the call in a child process. Returns the process's end status and its standard error.
template <class Call>
End end_of(Call call) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) std::abort();
  const pid_t child = fork();
  if (child < 0) std::abort();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    alarm(10);  // a call that does not return is killed and fails
    call();
    _exit(0);
  }
  close(ends[1]);
  End end{0, {}};
  std::array<char, 512> text;
  for (ssize_t size = 0; (size = read(ends[0], text.data(), text.size())) > 0;) {
    end.errors.append(text.data(), static_cast<std::size_t>(size));
  }
  close(ends[0]);
  waitpid(child, &end.status, 0);
  return end;
}

int num_failures = 0;

void check(bool is_right, std::string_view variant, std::string_view call) {
  if (is_right) return;
  ++num_failures;
  std::fprintf(stderr, "%.*s: %.*s was not as it must be\n", static_cast<int>(variant.size()),
               variant.data(), static_cast<int>(call.size()), call.data());
}

template <class F, class Call>
void expect_assertion(std::string_view name, Call call) {
  const End end = end_of([&] {
    F filter(test::small_spec<F>(100, 0.01));
    const F taker = std::move(filter);
    call(filter);
  });
  check(WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGABRT &&
            end.errors.find("moved-from: assign or destroy only") != std::string::npos,
        F::kName, name);
}

template <class F>
void expect_new_value() {
  const End end = end_of([] {
    const FilterSpec spec = test::small_spec<F>(100, 0.01);
    F filter(spec);
    F taker = std::move(filter);
    filter = F(spec);
    filter.insert({1, 2});
    if (!filter.contains({1, 2})) _exit(1);
    F destroyed = std::move(taker);
  });
  check(WIFEXITED(end.status) && WEXITSTATUS(end.status) == 0, F::kName, "assigning");
}

template <class F>
void check_variant() {
  const auto keys = test::member_digests(3);
  expect_assertion<F>("contains", [&](F& filter) { (void)filter.contains(keys[0]); });
  expect_assertion<F>("insert", [&](F& filter) { (void)filter.insert(keys[0]); });
  expect_assertion<F>("insert of many", [&](F& filter) { insert_all(filter, std::span(keys)); });
  expect_assertion<F>("contains of many",
                      [&](F& filter) { (void)count_positives(filter, std::span(keys)); });
  expect_assertion<F>("clear", [](F& filter) { filter.clear(); });
  expect_assertion<F>("state", [](F& filter) { (void)filter.state(); });
  if constexpr (ErasableFilter<F>) {
    expect_assertion<F>("erase", [&](F& filter) { (void)filter.erase(keys[0]); });
  }
  expect_new_value<F>();
}

template <class... Fs>
void check_variants(std::type_identity<std::tuple<Fs...>>) {
  (check_variant<Fs>(), ...);
}

}  // namespace
}  // namespace bloometry

int main() {
  bloometry::check_variants(std::type_identity<bloometry::test::Variants>{});
  return bloometry::num_failures == 0 ? 0 : 1;
}
