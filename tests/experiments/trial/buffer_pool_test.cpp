#include "experiments/trial/buffer_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("buffer_pool: released blocks are zeroed and reused", "[experiments][trial]") {
  BufferPool pool;
  Buffer buffer = pool.acquire(100'000);
  auto* bytes = static_cast<unsigned char*>(buffer.data());
  REQUIRE(std::count(bytes, bytes + 100'000, 0) == 100'000);
  std::fill_n(bytes, 100'000, std::uint8_t{7});
  pool.release(std::move(buffer));
  Buffer smaller = pool.acquire(50'000);
  REQUIRE(smaller.data() == bytes);
  REQUIRE(std::count(bytes, bytes + 50'000, 0) == 50'000);
  Buffer other = pool.acquire(10);
  REQUIRE(other.data() != bytes);
}

TEST_CASE("buffer_pool: a block that is too small is replaced by a larger one",
          "[experiments][trial]") {
  BufferPool pool;
  pool.release(pool.acquire(1000));
  const Buffer larger = pool.acquire(1 << 20);
  REQUIRE(larger.size() >= (1 << 20));
}

TEST_CASE("buffer_pool: a table starts at a huge page", "[experiments][trial]") {
  BufferPool pool;
  Buffer buffer = pool.acquire(3 * kHugePageBytes + 5);
  REQUIRE(reinterpret_cast<std::uintptr_t>(buffer.data()) % kHugePageBytes == 0);
}

TEST_CASE("buffer_pool: reused memory is zeroed for any order of sizes", "[experiments][trial]") {
  BufferPool pool;
  for (const std::size_t num_bytes : {100U, 5'000'000U, 70U, 4'000'000U, 5'000'001U, 9'000'000U}) {
    Buffer buffer = pool.acquire(num_bytes);
    auto* bytes = static_cast<unsigned char*>(buffer.data());
    REQUIRE(std::all_of(bytes, bytes + num_bytes, [](unsigned char byte) { return byte == 0; }));
    std::fill_n(bytes, num_bytes, std::uint8_t{7});
    pool.release(std::move(buffer));
  }
}

}  // namespace bloometry
