#include "experiments/keys/batch_pipeline.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "core/error.hpp"
#include "experiments/keys/split_records.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_folder.hpp"

namespace bloometry {
namespace {

/// A file whose keys fill several batches.
class ManyKeys {
 public:
  static constexpr int kNumKeys = 300'000;

  ManyKeys() : path_(folder_.path() / "keys") {
    std::ofstream file(path_);
    for (int i = 0; i < kNumKeys; ++i) file << i << '\n';
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  test::TempFolder folder_;
  std::filesystem::path path_;
};

TEST_CASE("batches are consumed in the order of the input, by any number of workers", "[keys]") {
  const ManyKeys keys;
  for (const unsigned num_workers : {0U, 1U, 2U, 7U}) {
    CAPTURE(num_workers);
    KeyInput input({keys.path()}, {});
    int next = 0;
    int num_batches = 0;
    for_each_batch(
        input, num_workers, [](KeyBatch& batch) { split_records({}, batch, false); },
        [&](KeyBatch& batch) {
          ++num_batches;
          for (const KeyView key : batch.all_keys()) {
            REQUIRE(std::string(key.data(), key.size()) == std::to_string(next++));
          }
        });
    CHECK(next == ManyKeys::kNumKeys);
    CHECK(num_batches > 4);
  }
}

TEST_CASE("an error in either stage ends the reading and is thrown", "[keys]") {
  const ManyKeys keys;
  for (const unsigned num_workers : {0U, 1U, 3U}) {
    CAPTURE(num_workers);
    std::atomic<int> num_processed = 0;
    KeyInput first({keys.path()}, {});
    CHECK_THROWS_AS(for_each_batch(
                        first, num_workers,
                        [&](KeyBatch&) {
                          if (++num_processed == 2) throw std::runtime_error("second");
                        },
                        [](KeyBatch&) {}),
                    std::runtime_error);
    KeyInput second({keys.path()}, {});
    int num_consumed = 0;
    CHECK_THROWS_AS(for_each_batch(
                        second, num_workers, [](KeyBatch&) {},
                        [&](KeyBatch&) {
                          if (++num_consumed == 2) throw std::logic_error("second");
                        }),
                    std::logic_error);
    CHECK(num_consumed == 2);
    KeyInput third({keys.path()}, parse_key_format("csv:9"));
    CHECK_THROWS_AS(for_each_batch(
                        third, num_workers,
                        [&](KeyBatch& batch) { split_records(third.format(), batch, false); },
                        [](KeyBatch&) {}),
                    ConfigError);
  }
}

TEST_CASE("an error does not wait for a pipe without data", "[keys]") {
  const test::TempFolder folder;
  const auto fifo = folder / "fifo";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  const int writer = ::open(fifo.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(::write(writer, "a\n", 2) == 2);
  KeyInput input({fifo}, {});
  const auto start = std::chrono::steady_clock::now();
  CHECK_THROWS_AS(
      for_each_batch(
          input, 2, [](KeyBatch&) {}, [](KeyBatch&) { throw std::runtime_error("enough"); }),
      std::runtime_error);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
  ::close(writer);
}

}  // namespace
}  // namespace bloometry
