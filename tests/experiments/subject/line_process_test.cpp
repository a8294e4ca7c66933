#include "experiments/subject/line_process.hpp"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/is_running.hpp"
#include "tests/support/message_of.hpp"

using namespace bloometry;
using namespace bloometry::test;
using std::chrono::milliseconds;

namespace {

/// Sends one line to the command and waits for one line of output. Returns the message of the
/// resulting exception.
std::string failure_of(const std::string& command, std::size_t max_answer = 100) {
  return message_of<IoError>([&] {
    LineProcess process({.command = command, .timeout = milliseconds(5000)});
    process.exchange("hello\n", "hello", max_answer);
  });
}

}  // namespace

TEST_CASE("line process: each request receives the next line", "[subject]") {
  LineProcess process({.command = "while read line; do echo \"<$line>\"; done"});
  CHECK(process.exchange("one\n", "one", 100) == "<one>");
  CHECK(process.exchange("two\n", "two", 100) == "<two>");
}

TEST_CASE("line process: a carriage return is part of the line end", "[subject]") {
  LineProcess process({.command = "read line; printf 'ok\\r\\n'; read line"});
  CHECK(process.exchange("one\n", "one", 100) == "ok");
}

TEST_CASE("line process: both sides may write more than a pipe holds", "[subject]") {
  // The command replies before it reads its input. The reply and the input have 2 MB each, but a
  // pipe buffers only 64 KiB.
  LineProcess process({.command = "head -c 2000000 /dev/zero | tr '\\0' x; echo; cat >/dev/null",
                       .timeout = milliseconds(20'000)});
  const std::string request = std::string(2'000'000, 'y') + "\n";
  CHECK(process.exchange(request, "much", 2'000'000) == std::string(2'000'000, 'x'));
}

TEST_CASE("line process: the error states how a subject ended", "[subject]") {
  CHECK(failure_of("exit 3") == "the subject ended with exit code 3 before it answered 'hello'");
  CHECK(failure_of("no_such_program_here 2>/dev/null") ==
        "the subject ended with exit code 127 (command not found) before it answered 'hello'");
  CHECK(failure_of("kill -9 $$") == "the subject was ended by signal 9 before it answered 'hello'");
  CHECK(failure_of("exec >&-; sleep 60") ==
        "the subject closed its output before it answered 'hello'");
}

TEST_CASE("line process: an answer written before the subject ended is read", "[subject]") {
  LineProcess process({.command = "echo 'error not today'; exit 1"});
  std::this_thread::sleep_for(milliseconds(200));  // the command has ended and the pipe is broken
  CHECK(process.exchange(std::string(1'000'000, 'y') + "\n", "much", 100) == "error not today");
}

TEST_CASE("line process: a subject that does not answer is stopped after the timeout",
          "[subject]") {
  CHECK(message_of<IoError>([] {
          LineProcess process({.command = "sleep 60", .timeout = milliseconds(1000)});
          process.exchange("hello\n", "hello", 100);
        }) == "the subject did not answer 'hello' within 1 s (see --timeout)");
}

TEST_CASE("line process: a slow subject is not stopped while bytes arrive", "[subject]") {
  LineProcess process({.command = "read x; for i in 1 2 3 4 5 6; do sleep 0.4; printf a; done; "
                                  "echo; read x",
                       .timeout = milliseconds(1500)});
  CHECK(process.exchange("hello\n", "hello", 100) == "aaaaaa");
}

TEST_CASE("line process: an answer is a single line of limited length", "[subject]") {
  CHECK(contains_text(failure_of("printf 'ok\\nmore\\033[1m\\n'; sleep 60"),
                      "with more than one line, the second beginning 'more\\x1b[1m"));
  CHECK(contains_text(failure_of("head -c 1000 /dev/zero | tr '\\0' x; sleep 60", 100),
                      "a line of more than 100 characters"));
  CHECK(contains_text(failure_of("yes", 100), "'hello'"));  // an endless line ends with an error
}

TEST_CASE("line process: child processes of the subject are stopped", "[subject]") {
  std::string pid;
  {
    LineProcess process({.command = "sleep 1000 & echo $!; wait"});
    pid = process.exchange("hello\n", "hello", 100);
    REQUIRE(is_running(pid));
  }
  for (int i = 0; i < 50 && is_running(pid); ++i) std::this_thread::sleep_for(milliseconds(20));
  CHECK_FALSE(is_running(pid));
}

TEST_CASE("line process: descendants in another session are stopped", "[subject]") {
  std::string pid;
  {
    LineProcess process({.command = "setsid sh -c 'echo $$; exec sleep 1000' & wait"});
    pid = process.exchange("hello\n", "hello", 100);
    REQUIRE(is_running(pid));
  }
  CHECK_FALSE(is_running(pid));
}

TEST_CASE("line process: an answer without end is stopped after 10 timeouts", "[subject]") {
  CHECK(message_of<IoError>([] {
          LineProcess process(
              {.command = "while printf a; do :; done", .timeout = milliseconds(200)});
          process.exchange("hello\n", "hello", std::size_t{1} << 30U);
        }) == "the subject did not complete its answer to 'hello' within 2 s, 10 times --timeout");
}

TEST_CASE("line process: the exit of the subject is checked", "[subject]") {
  const auto end_of = [](const std::string& command, int timeout_ms) {
    LineProcess process({.command = command, .timeout = milliseconds(timeout_ms)});
    return message_of<IoError>([&] {
      process.exchange("hello\n", "hello", 100);
      process.finish();
    });
  };
  const std::string rule = "; a subject must end with exit code 0 at the end of its input";
  CHECK(end_of("while read x; do echo ok; done; sleep 0.1", 5000) == "nothing thrown");
  CHECK(end_of("read x; echo ok; read x; exit 7", 5000) ==
        "the subject ended with exit code 7 after its last answer" + rule);
  CHECK(end_of("read x; echo ok; read x; kill -SEGV $$", 5000) ==
        "the subject was ended by signal 11 after its last answer" + rule);
  CHECK(end_of("read x; echo ok; sleep 60", 200) ==
        "the subject still runs 0.2 s after its last answer" + rule);
}

TEST_CASE("line process: the stop flag ends the wait", "[subject]") {
  std::atomic<bool> stop = false;
  LineProcess process({.command = "sleep 60", .stop = &stop});
  std::thread stopper([&stop] {
    std::this_thread::sleep_for(milliseconds(200));
    stop = true;
  });
  CHECK_THROWS_AS(process.exchange("hello\n", "hello", 100), SubjectInterrupted);
  stopper.join();
}
